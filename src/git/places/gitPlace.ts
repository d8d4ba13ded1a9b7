import { relative } from 'node:path'
import { isWithin } from '../../lib/fs/isWithin.ts'
import type { CheckoutRepository } from '../repository/findRepositories.ts'

/** What a file of a git directory is, to decide whether a command may change it. */
type GitFileKind =
  /** An object, named after its content, or a pack of objects. */
  | 'object'
  | 'pack'
  /** Names commits: HEAD, branches, tags, packed-refs. */
  | 'ref'
  | 'index'
  /** State of a stopped rebase, cherry-pick or `git am`, from which git continues. */
  | 'todo'
  /** Records and messages: logs, ORIG_HEAD, COMMIT_EDITMSG. */
  | 'data'
  /** Locks, temporary files and caches: never taken over. */
  | 'transient'
  /** Names programs that git runs, points git elsewhere, or is unknown. */
  | 'closed'

export type GitPlace = {
  readonly repository: CheckoutRepository
  readonly kind: GitFileKind
  /** Relative to its git directory: `refs/heads/main`. */
  readonly name: string
}

/** The git directory of the repository that a path is in, and what the path is there. */
export function gitPlace(path: string, repositories: readonly CheckoutRepository[]): GitPlace | undefined {
  for (const repository of repositories) {
    const { gitDir, commonDir } = repository
    for (const folder of [gitDir, commonDir]) {
      if (path === folder || !isWithin(path, folder)) continue
      const name = relative(folder, path)
      return { repository, kind: kindOf(name), name }
    }
  }
  return undefined
}

const OBJECT = /^objects\/[0-9a-f]{2}\/(?:[0-9a-f]{38}|[0-9a-f]{62})$/
const PACK = /^objects\/pack\/pack-[0-9a-f]{40,64}\.(?:pack|idx|promisor)$/
const TRANSIENT =
  /\.lock$|^objects\/(?:incoming-|tmp_objdir-)|^gc\.(?:pid|log)$|(?:^|\/)tmp_[^/]*$|^info\/refs$|^objects\/info\/(?:packs|commit-graphs?(?:\/.*)?)$|^objects\/pack\/(?:[^/]*\.(?:rev|bitmap|keep|mtimes)|multi-pack-index[^/]*)$|^fsmonitor--daemon(?:\.|\/|$)/
const DATA =
  /^(?:logs\/.*|(?:ORIG|FETCH|MERGE|CHERRY_PICK|REVERT|REBASE)_HEAD|AUTO_MERGE|MERGE_(?:MSG|MODE|RR)|SQUASH_MSG|(?:COMMIT|TAG|MERGE|NOTES|BRANCH)_(?:EDITMSG|DESCRIPTION)|EDIT_DESCRIPTION|BISECT_\w+|description)$/
const REF = /^(?:HEAD|packed-refs|refs\/.*)$/
const TODO = /^(?:rebase-merge|rebase-apply|sequencer)\//
/** Other objects that replace the requested ones. */
const SUBSTITUTES = /^refs\/replace(?:\/|$)/

function kindOf(name: string): GitFileKind {
  const own = /^worktrees\/[^/]+\/(.+)$/.exec(name)?.[1] ?? name
  if (OBJECT.test(own)) return 'object'
  if (PACK.test(own)) return 'pack'
  if (TRANSIENT.test(own)) return 'transient'
  if (own === 'index') return 'index'
  if (DATA.test(own)) return 'data'
  if (TODO.test(own)) return 'todo'
  return REF.test(own) && !SUBSTITUTES.test(own) ? 'ref' : 'closed'
}

/** The parts of a repository, ordered so that each refers only to earlier ones; gitrepository-layout(5). */
const LAST = /(?:^|\/)(?:refs|logs)\/|(?:^|\/)(?:HEAD|ORIG_HEAD|FETCH_HEAD|MERGE_HEAD|packed-refs|index)$/

/** The order of a take-over: objects first, names last, so that a repository is complete at any instant. */
export function gitOrder(path: string, isGit: (path: string) => boolean): number {
  if (!isGit(path)) return 1
  if (/\/objects(?:\/|$)/.test(path)) return 0
  return LAST.test(path) ? 3 : 2
}
