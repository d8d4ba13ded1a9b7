import { constants } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { canAccess } from '../../lib/fs/atPath.ts'
import { namesIn } from '../../lib/fs/folders.ts'
import { readRegular } from '../../lib/fs/readRegular.ts'
import { commonDir, findRepository } from '../own/ownGit.ts'

/** What git runs around a commit; githooks(5). */
const NAMES = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit']

/**
 * The hooks of the repository around `cwd` that `git commit` would run, and kode-run does not: `pre-commit in
 * .git/hooks`. Undefined if there are none. Settings of the user are not looked at.
 */
export function commitHooks(cwd: string): string | undefined {
  const repository = findRepository(cwd)
  if (repository === undefined) return undefined
  const { top, gitDir } = repository
  const common = commonDir(gitDir)
  const config = readRegular(join(common, 'config'))?.toString('utf8') ?? ''
  const named = /^\s*hookspath\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(config)?.[1]
  const folder = named === undefined ? join(common, 'hooks') : resolve(top, named)
  const there = new Set(namesIn(folder))
  const found = NAMES.filter((name) => there.has(name) && canAccess(join(folder, name), constants.X_OK))
  return found.length === 0 ? undefined : `${found.join(', ')} in ${relative(top, folder)}`
}
