import { accessSync, constants, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { messageOf, RunError } from '../../contracts/errors.ts'

/**
 * Throws `cannot_create` if there is no usable folder for temporary files, which sandbox, patches and long outputs
 * need.
 */
export function requireTemporaryFolder(): void {
  const folder = tmpdir()
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    if (statSync(folder).isDirectory()) return
  } catch (cause) {
    throw unusable(folder, messageOf(cause), { cause })
  }
  throw unusable(folder, 'it is not a folder')
}

function unusable(folder: string, why: string, options?: ErrorOptions): RunError {
  const message = `temporary files cannot be created in ${folder}: ${why}. Create the folder, or set TMPDIR to another one`
  return new RunError('cannot_create', message, options)
}
