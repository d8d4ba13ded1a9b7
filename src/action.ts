import { closeInherited } from './door/closeInherited.ts'
import { finishAction } from './door/finishAction.ts'
import { openDoor, type ProcessDoor } from './door/openDoor.ts'
import { runAction } from './door/runAction.ts'
import { startAnew } from './door/startAnew.ts'

/**
 * The step's main part. It first starts itself anew without inputs, keys and the runner's tokens in its environment, which
 * every process of the same user can read in `/proc`.
 */
export async function main(): Promise<void> {
  const door = openActionDoor()
  closeInherited(undefined)
  if (!door.isSuccessor) {
    startAnew()
    door.warn('This Node cannot start anew: inputs stay visible in the environment of this process.\n')
  }
  door.end(await runAction(door))
}

/** The step's last part, which the runner starts whatever became of the main part. */
export async function post(): Promise<void> {
  await finishAction(openActionDoor())
}

/** Everything goes to stdout: the runner obeys commands in the order they come, which two streams do not keep. */
function openActionDoor(): ProcessDoor {
  const door = openDoor()
  const cwd = door.environment['GITHUB_WORKSPACE'] || door.cwd
  return { ...door, argv: [], cwd, warn: door.print, readStdin: async () => undefined }
}
