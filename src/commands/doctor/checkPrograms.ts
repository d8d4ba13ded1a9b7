import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { messageOf } from '../../contracts/errors.ts'
import type { ProcessIo } from '../../contracts/processIo.ts'
import { childPath, findProgram } from '../../sandbox/environment/childPath.ts'
import type { Finding } from './Finding.ts'

/** The oldest supported Node, as in `engines` of package.json. */
const OLDEST = [20, 19] as const

/** Checks Node, and git as commands find it. */
export async function checkPrograms(io: ProcessIo): Promise<readonly Finding[]> {
  return [checkNode(process.versions.node), await checkGit(io)]
}

/** Whether a version of Node is new enough. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])
  if (!isOld) return { name: 'node', level: 'ok', detail: version }
  return {
    name: 'node',
    level: 'error',
    detail: `${version}: install ${OLDEST.join('.')} or newer`,
    reason: 'internal',
  }
}

async function checkGit(io: ProcessIo): Promise<Finding> {
  const path = findProgram('git', childPath(io.environment['PATH'], io.cwd))
  if (path === undefined)
    return {
      name: 'git',
      level: 'warning',
      detail: 'is not in PATH, so a run has no patch and no worktrees. Install git.',
    }
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 10_000 })
    return { name: 'git', level: 'ok', detail: `${stdout.trim().replace(/^git version /, '')} (${path})` }
  } catch (error) {
    return { name: 'git', level: 'warning', detail: `${path}: ${messageOf(error).trim()}` }
  }
}
