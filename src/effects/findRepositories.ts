import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { commonDir, findRepository } from '../lib/ownGit.ts'
import { readRegular } from '../lib/readRegular.ts'

/** A repository that a root of the checkout lies in. */
export type CheckoutRepository = {
  readonly top: string
  /** Where its HEAD and index are. */
  readonly gitDir: string
  /** Where its objects and refs are: another folder than `gitDir` for a linked worktree. */
  readonly commonDir: string
  readonly oidBytes: 20 | 32
  /** The commits that history ends at, as git keeps them for a shallow clone; empty for a whole one. */
  readonly shallow: string
}

/** The repositories of these roots, each once; all paths resolved. */
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
      // Its git directory is not there: for git, that is no repository either.
    }
  }
  return [...found.values()]
}
