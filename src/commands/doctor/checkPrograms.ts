import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { messageOf } from '../../contracts/errors.ts'
import type { ProcessIo } from '../../contracts/processIo.ts'
import { childPath, findProgram } from '../../sandbox/environment/childPath.ts'
import { type Finding, fault, found } from './Finding.ts'

/** The oldest supported Node, as in `engines` of package.json. */
const OLDEST = [20, 19] as const

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])
  return isOld ? fault('node', 'internal', `${version}: install ${OLDEST.join('.')} or newer`) : found('node', version)
}

export async function checkGit(io: ProcessIo): Promise<Finding> {
  const path = findProgram('git', childPath(io.environment['PATH'], io.cwd))
  if (path === undefined)
    return found('git', 'is not in PATH, so a run has no patch and no worktrees. Install git.', 'warning')
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 10_000 })
    return found('git', `${stdout.trim().replace(/^git version /, '')} (${path})`)
  } catch (error) {
    return found('git', `${path}: ${messageOf(error).trim()}`, 'warning')
  }
}
