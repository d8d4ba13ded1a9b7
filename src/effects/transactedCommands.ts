import type { ClosableCommandAccess } from '../sandbox/createCommandAccess.ts'
import type { Effects } from './openEffects.ts'

/** The commands of a run, each of them a transaction; those in the background work on the checkout itself. */
export function transactedCommands(commands: ClosableCommandAccess, effects: Effects): ClosableCommandAccess {
  return {
    ...commands,
    run: (request) => effects.run(request),
    async closeAll() {
      await commands.closeAll()
      await effects.close()
    },
  }
}
