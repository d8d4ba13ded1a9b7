import { accessSync, constants, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { messageOf, RunError } from '../../contracts/errors.ts'

/** Throws `cannot_create` where there is no folder for temporary files: sandbox, patches and long outputs need one. */
export function requireTemporaryFolder(): void {
  const folder = tmpdir()
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    if (statSync(folder).isDirectory()) return
  } catch (cause) {
    throw unusable(folder, messageOf(cause), { cause })
  }
  throw unusable(folder, 'it is no folder')
}

function unusable(folder: string, why: string, options?: ErrorOptions): RunError {
  const message = `no temporary files can be made in ${folder}: ${why}. Make the folder, or set TMPDIR to another`
  return new RunError('cannot_create', message, options)
}
