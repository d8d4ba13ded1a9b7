import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { readRegular } from '../../lib/fs/readRegular.ts'
import { commonDir, findRepository } from '../../lib/git/ownGit.ts'

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

/** The repositories of these roots, without duplicates; all paths resolved. */
export async function findRepositories(roots: readonly string[]): Promise<readonly CheckoutRepository[]> {
  const found = new Map<string, CheckoutRepository>()
  for (const root of roots) {
    const repository = await findRepository(root)
    if (repository === undefined) continue
    try {
      const gitDir = await realpath(repository.gitDir)
      const common = await realpath(await commonDir(gitDir))
      const config = readRegular(join(common, 'config'))?.toString('utf8') ?? ''
      const oidBytes = /^\s*objectformat\s*=\s*"?sha256/im.test(config) ? 32 : 20
      const shallow = readRegular(join(common, 'shallow'))?.toString('utf8') ?? ''
      found.set(gitDir, { top: await realpath(repository.top), gitDir, commonDir: common, oidBytes, shallow })
    } catch {
      // Its git directory does not exist, so git does not see a repository either.
    }
  }
  return [...found.values()]
}
