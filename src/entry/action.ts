import { closeInheritedDescriptors } from './closeInheritedDescriptors.ts'
import { finishAction } from './finishAction.ts'
import { openProcessIo, type ProcessControl } from './openProcessIo.ts'
import { reexecWithoutSecrets } from './reexecWithoutSecrets.ts'
import { runAction } from './runAction.ts'

/**
 * The step's main part. It first restarts itself without inputs, keys and the runner's tokens in its environment,
 * because every process of the same user can read that environment in `/proc`.
 */
export async function main(): Promise<void> {
  const io = openActionIo()
  closeInheritedDescriptors([])
  if (!io.isSuccessor) {
    reexecWithoutSecrets()
    io.warn(
      'This version of Node cannot restart itself: the inputs stay visible in the environment of this process. Use Node 22.15 or newer.\n',
    )
  }
  io.end(await runAction(io))
}

/** The step's last part. The runner starts it however the main part ended. */
export async function post(): Promise<void> {
  await finishAction(openActionIo())
}

/** All output goes to stdout: the runner obeys commands in their order, and two streams would not keep that order. */
function openActionIo(): ProcessControl {
  const io = openProcessIo()
  const cwd = io.environment['GITHUB_WORKSPACE'] || io.cwd
  return { ...io, argv: [], cwd, warn: io.print, readStdin: async () => undefined }
}
