import { join } from 'node:path'
import { readRegular } from '../../lib/fs/readRegular.ts'
import { commonDir, findRepository, readBranch, readHead } from '../own/ownGit.ts'

/** What is checked out at a folder. */
export type Checkout = {
  /** Null outside of git and before the first commit. */
  readonly commit: string | null
  /** `HEAD` if no branch is checked out; null outside of git. */
  readonly branch: string | null
  /** The base of paths in changes and patches: the top folder of the repository, or the folder itself. */
  readonly top: string
  /** The address of the remote `origin`, as `host/owner/name` or a path, without credentials. Null without one. */
  readonly origin: string | null
}

/** Reads what is checked out at `cwd`, without git. */
export function readCheckout(cwd: string): Checkout {
  const found = findRepository(cwd)
  if (found === undefined) return { commit: null, branch: null, top: cwd, origin: null }
  const { gitDir, top } = found
  const config = String(readRegular(join(commonDir(gitDir), 'config')))
  return { commit: readHead(gitDir), branch: readBranch(gitDir), top, origin: originIn(config) }
}

function originIn(config: string): string | null {
  const address = /\[remote "origin"\][^[]*?^\s*url *= *(.+?)\s*$/m.exec(config)?.[1]
  const place = address?.replace(/^[a-z+]+:\/\/(?:[^@/]*@)?|^(?:[^@/]*@)?([^/:]+):/i, (_, host) =>
    host ? `${host}/` : '',
  )
  return place?.replace(/\/?(?:\.git)?\/?$/, '') ?? null
}
