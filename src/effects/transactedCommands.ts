import type { ClosableCommandAccess } from '../sandbox/createCommandAccess.ts'
import type { Effects } from './openEffects.ts'

const DIRECT_EFFECTS = { mayChangeGit: false, by: '' } as const

/** The commands of a run, each as a transaction. Background commands work on the checkout itself. */
export function transactedCommands(commands: ClosableCommandAccess, effects: Effects): ClosableCommandAccess {
  return {
    ...commands,
    run: (request) => effects.run(request),
    start(request) {
      const direct = { ...DIRECT_EFFECTS, ...request.effects, access: 'direct' } as const
      return commands.startWatched(request, (id, launch) => effects.watch(id, direct, launch))
    },
    async closeAll() {
      await commands.closeAll()
      await effects.close()
    },
  }
}
