import { closeInheritedDescriptors } from './entry/closeInheritedDescriptors.ts'
import { finishAction } from './entry/finishAction.ts'
import { openProcessIo, type ProcessControl } from './entry/openProcessIo.ts'
import { reexecWithoutSecrets } from './entry/reexecWithoutSecrets.ts'
import { runAction } from './entry/runAction.ts'

/**
 * The step's main part. It first starts itself again without inputs, keys and the runner's tokens in its environment, which
 * every process of the same user can read in `/proc`.
 */
export async function main(): Promise<void> {
  const io = openActionIo()
  closeInheritedDescriptors([])
  if (!io.isSuccessor) {
    reexecWithoutSecrets()
    io.warn('This Node cannot start again: inputs stay visible in the environment of this process.\n')
  }
  io.end(await runAction(io))
}

/** The step's last part, which the runner starts whatever became of the main part. */
export async function post(): Promise<void> {
  await finishAction(openActionIo())
}

/** Everything goes to stdout: the runner obeys commands in the order they come, which two streams do not keep. */
function openActionIo(): ProcessControl {
  const io = openProcessIo()
  const cwd = io.environment['GITHUB_WORKSPACE'] || io.cwd
  return { ...io, argv: [], cwd, warn: io.print, readStdin: async () => undefined }
}
