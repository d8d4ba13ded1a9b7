import { accessSync, constants, lstatSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { messageOf } from '../../contracts/errors.ts'
import type { ProcessIo } from '../../contracts/processIo.ts'
import { makeFolder } from '../../lib/fs/folders.ts'

/**
 * The default folder for transcripts and locks, outside every checkout, with warnings. If it is not writable (home is
 * `/`, a read-only disk), it is a fixed folder of this user in the temporary folder, so that locks still work.
 */
export function openStateFolder(environment: ProcessIo['environment'], home: string) {
  const path = usualFolder(environment, home)
  const problem = problemOf(path)
  if (problem === undefined) return { path, warnings: [] }
  const temporary = join(tmpdir(), `kode-run-state-${process.getuid?.() ?? 'user'}`)
  if (problemOf(temporary) !== undefined || !isOurs(temporary)) return { path, warnings: [] }
  const warning = `${problem}: transcripts and locks are in ${temporary} (set XDG_STATE_HOME, or --transcript)`
  return { path: temporary, warnings: [warning] }
}

/** As the XDG specification says, a variable that holds no path from the root counts as not set. */
function usualFolder({ RUNNER_TEMP, XDG_STATE_HOME }: ProcessIo['environment'], home: string): string {
  const named = [RUNNER_TEMP, XDG_STATE_HOME].find((path) => path !== undefined && isAbsolute(path))
  return join(named ?? join(home, '.local', 'state'), 'kode-run')
}

function problemOf(folder: string): string | undefined {
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return `the state folder ${folder} cannot be used: ${messageOf(error)}`
  }
}

/** False if another user created the folder first, in a shared temporary folder. */
function isOurs(folder: string): boolean {
  const stat = lstatSync(folder)
  return stat.isDirectory() && stat.uid === (process.getuid?.() ?? stat.uid) && (stat.mode & 0o077) === 0
}
