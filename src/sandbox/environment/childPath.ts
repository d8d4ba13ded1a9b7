import { constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { canAccess, realPath } from '../../lib/fs/atPath.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { orElse } from '../../lib/orElse.ts'

const USUAL = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']

/**
 * A search path on which no program of the workspace can replace a command: no relative entry, and none inside the
 * workspace by name or link. If none is left, it is the system's usual path.
 */
export function childPath(path: string | undefined, workspace: string): string {
  const entries = (path ?? '').split(delimiter).filter((entry) => isAbsolute(entry) && !leadsInto(entry, workspace))
  return [...new Set(entries.length > 0 ? entries : USUAL)].join(delimiter)
}

/** The absolute path of a program on such a path; undefined if there is none. */
export function findProgram(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isProgram)
}

function leadsInto(entry: string, workspace: string): boolean {
  return isWithin(resolve(entry), workspace) || isWithin(realPath(resolve(entry)), workspace)
}

function isProgram(path: string): boolean {
  return canAccess(path, constants.X_OK) && orElse(false, () => statSync(path).isFile())
}
