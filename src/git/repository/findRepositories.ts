import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { readRegular } from '../../lib/fs/readRegular.ts'
import { commonDir, findRepository, type Repository } from '../own/ownGit.ts'

/** A repository that contains a root of the checkout. */
export type CheckoutRepository = {
  readonly top: string
  /** Where its HEAD and index are. */
  readonly gitDir: string
  /** Where its objects and refs are. For a linked worktree, this is not `gitDir`. */
  readonly commonDir: string
  readonly oidBytes: 20 | 32
  /** The commits where the history ends, as git records them for a shallow clone; empty for a full clone. */
  readonly shallow: string
}

/** The repositories of these roots and their submodules, each once, inner git directories first; all resolved. */
export function findRepositories(roots: readonly string[]): readonly CheckoutRepository[] {
  const found = new Map<string, CheckoutRepository>()
  for (const root of roots) {
    const repository = readRepository(findRepository(root))
    if (repository === undefined) continue
    found.set(repository.gitDir, repository)
    for (const gitDir of moduleFolders(join(repository.commonDir, 'modules'))) {
      const module = readRepository(workTreeOf(gitDir, roots))
      if (module !== undefined) found.set(module.gitDir, module)
    }
  }
  return [...found.values()].sort((a, b) => b.gitDir.length - a.gitDir.length)
}

function readRepository(repository: Repository | undefined): CheckoutRepository | undefined {
  if (repository === undefined) return undefined
  try {
    const gitDir = realpathSync(repository.gitDir)
    const common = realpathSync(commonDir(gitDir))
    const config = readRegular(join(common, 'config'))?.toString('utf8') ?? ''
    const oidBytes = /^\s*objectformat\s*=\s*"?sha256/im.test(config) ? 32 : 20
    const shallow = readRegular(join(common, 'shallow'))?.toString('utf8') ?? ''
    return { top: realpathSync(repository.top), gitDir, commonDir: common, oidBytes, shallow }
  } catch {
    // Its git directory does not exist, so git does not see a repository either.
    return undefined
  }
}

/** The submodule of a git directory, if that is checked out below a root and points back. */
function workTreeOf(gitDir: string, roots: readonly string[]): Repository | undefined {
  const config = readRegular(join(gitDir, 'config'))?.toString('utf8') ?? ''
  const named = /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(config)?.[1]
  if (named === undefined) return undefined
  const top = resolve(gitDir, named)
  const found = roots.some((root) => isWithin(top, root)) ? findRepository(top) : undefined
  return found?.top === top && resolve(found.gitDir) === gitDir ? found : undefined
}

/** The git directories of submodules in `modules` of a git directory, however deep: git names them by their paths. */
export function moduleFolders(folder: string): string[] {
  if (!existsSync(folder)) return []
  if (existsSync(join(folder, 'HEAD'))) return [folder, ...moduleFolders(join(folder, 'modules'))]
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).flatMap(({ name }) => moduleFolders(join(folder, name)))
}
