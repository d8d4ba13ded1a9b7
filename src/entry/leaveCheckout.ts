import { tmpdir } from 'node:os'
import { realPath } from '../lib/fs/atPath.ts'
import { isWithin } from '../lib/fs/isWithin.ts'
import { childPath } from '../sandbox/environment/childPath.ts'

/** The folder for temporary files instead of one in the checkout, where they would count as changes. */
const ELSEWHERE = '/tmp'

/**
 * Packages in this process start programs by its own `PATH`, such as the SDKs of clouds `gcloud`: none of the checkout.
 * Commands get theirs from the environment of the run.
 */
export function leaveSearchPath(workspaces: readonly string[]): void {
  process.env['PATH'] = workspaces.reduce((path, root) => childPath(path, root), process.env['PATH'] ?? '')
}

/** A `TMPDIR` in a workspace becomes `/tmp`, unless that is in one too. Commands keep theirs. Returns what to say. */
export function leaveCheckout(workspaces: readonly string[]): readonly string[] {
  leaveSearchPath(workspaces)
  const isInside = (path: string) => workspaces.some((workspace) => isWithin(path, workspace))
  const folder = realPath(tmpdir())
  if (!isInside(folder) || isInside(realPath(ELSEWHERE))) return []
  process.env['TMPDIR'] = ELSEWHERE
  return [`TMPDIR is in the checkout (${folder}), so kode-run keeps its own temporary files in ${ELSEWHERE}.`]
}
