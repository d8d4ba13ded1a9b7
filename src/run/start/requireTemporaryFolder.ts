import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { messageOf, RunError } from '../../contracts/errors.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'

/** The folder for temporary files instead of one in the checkout, where they would count as changes. */
const ELSEWHERE = '/tmp'

/**
 * Throws `cannot_create` if there is no usable folder for temporary files, which sandbox, patches and long outputs
 * need. If `TMPDIR` of this process lies in a workspace, it becomes `/tmp`; the warning says so. Commands keep theirs.
 */
export function requireTemporaryFolder(workspaces: readonly string[]): readonly string[] {
  const folder = usable(tmpdir())
  if (!workspaces.some((workspace) => isWithin(folder, workspace))) return []
  process.env['TMPDIR'] = ELSEWHERE
  const other = usable(tmpdir())
  if (workspaces.some((workspace) => isWithin(other, workspace)))
    throw unusable(folder, 'it is in the checkout, and /tmp is too')
  return [`TMPDIR is in the checkout (${folder}), so kode-run keeps its own temporary files in ${ELSEWHERE}.`]
}

function usable(folder: string): string {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    if (statSync(folder).isDirectory()) return realpathSync(folder)
  } catch (cause) {
    throw unusable(folder, messageOf(cause), { cause })
  }
  throw unusable(folder, 'it is not a folder')
}

function unusable(folder: string, why: string, options?: ErrorOptions): RunError {
  const message = `temporary files cannot be created in ${folder}: ${why}. Create the folder, or set TMPDIR to another one`
  return new RunError('cannot_create', message, options)
}
