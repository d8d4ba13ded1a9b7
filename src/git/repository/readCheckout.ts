import { findRepository, readBranch, readHead } from '../own/ownGit.ts'

/** What is checked out at a folder. */
export type Checkout = {
  /** Null outside of git and before the first commit. */
  readonly commit: string | null
  /** `HEAD` if no branch is checked out; null outside of git. */
  readonly branch: string | null
  /** The base of paths in changes and patches: the top folder of the repository, or the folder itself. */
  readonly top: string
}

/** Reads what is checked out at `cwd`, without git. */
export async function readCheckout(cwd: string): Promise<Checkout> {
  const found = await findRepository(cwd)
  if (found === undefined) return { commit: null, branch: null, top: cwd }
  return { commit: await readHead(found.gitDir), branch: readBranch(found.gitDir), top: found.top }
}
