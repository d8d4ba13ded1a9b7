import { dirname, join } from 'node:path'
import type { PathChange } from '../../contracts/effects.ts'
import type { CheckoutRepository } from '../../git/repository/findRepositories.ts'
import {
  createRefLookup,
  isPackedRefsText,
  isRefText,
  isSymbolic,
  looseRefs,
  readRef,
} from '../../git/repository/readRefs.ts'
import type { PathStates } from '../judge/JudgeChanges.ts'

export type MovedRef = { readonly name: string; readonly before: string | undefined; readonly now: string | undefined }

/** Refs that git keeps for itself. What they point to reaches files, branches or tags only by a judged change. */
const ASIDE = /^refs\/(?:stash|remotes|notes|bisect|original|rewritten|prefetch|worktree)(?:\/|$)/

/** The branches, tags and HEADs that point to another commit than before. `changes`: those in files of refs. */
export function movedRefs(repository: CheckoutRepository, changes: readonly PathChange[], states: PathStates) {
  const { gitDir, commonDir } = repository
  const byPath = new Map(changes.map((change) => [change.path, change]))
  const before = (path: string) => readRef(states.before(path))
  const now = (path: string) => {
    const change = byPath.get(path)
    if (change === undefined) return readRef(path)
    return change.kind === 'deleted' ? undefined : readRef(states.now(path))
  }
  const [old, young] = [createRefLookup(repository, before), createRefLookup(repository, now)]
  const nameOf = (path: string) => path.slice(commonDir.length + 1)
  const loose = [...byPath.keys()].filter((path) => path.startsWith(`${commonDir}/refs/`)).map(nameOf)
  const packed = byPath.has(join(commonDir, 'packed-refs')) ? [...old.packed.keys(), ...young.packed.keys()] : []
  const there = looseRefs(commonDir)
  // A symbolic name moves together with its target.
  const leading = there.filter((name) => [before, now].some((read) => isSymbolic(read(join(commonDir, name)))))
  const names = [...new Set(['HEAD', ...loose, ...leading, ...packed])].filter((name) => !ASIDE.test(name))
  const own = names.map((name) => ({ name, before: old.lookUp(name), now: young.lookUp(name) }))
  const heads = [...byPath.keys()].filter((path) => isOtherHead(path, commonDir) && path !== join(gitDir, 'HEAD'))
  const others = heads.map((path) => {
    const headAt = (read: typeof now) => createRefLookup({ gitDir: dirname(path), commonDir }, read).lookUp('HEAD')
    return { name: path, before: headAt(before), now: headAt(now) }
  })
  const written = changes.filter(({ kind }) => kind !== 'deleted')
  // Git also reads what is not text. Names in it could not be judged.
  const isWhole = (path: string) => {
    const text = now(path)
    if (text === undefined) return false
    return path === join(commonDir, 'packed-refs')
      ? isPackedRefsText(text)
      : isRefText(text, ASIDE.test(nameOf(path)) ? 'refs/' : 'refs/heads/')
  }
  return {
    moved: [...own, ...others].filter(({ before, now }) => before !== now),
    /** The commit that was checked out. */
    head: old.lookUp('HEAD'),
    /** The objects that refs pointed to before, for refs that are judged when they move and for remotes. */
    tips() {
      const all = [...new Set([...there, ...loose, ...old.packed.keys(), 'HEAD'])]
      const oidsOf = (some: readonly string[]) => [
        ...new Set(some.map((name) => old.lookUp(name)).filter((oid) => oid !== undefined)),
      ]
      return {
        judged: oidsOf(all.filter((name) => !ASIDE.test(name))),
        // A stash or a note of an earlier run was never judged, and no branch starts there.
        aside: oidsOf(all.filter((name) => name.startsWith('refs/remotes/'))),
      }
    },
    /** The name of a file that is not a valid ref, or that points to a forbidden place. */
    damaged: written.find(({ path }) => !isWhole(path))?.path,
  }
}

/** The HEAD of a worktree's main repository, or of another worktree. */
function isOtherHead(path: string, commonDir: string): boolean {
  const name = path.startsWith(`${commonDir}/`) ? path.slice(commonDir.length + 1) : ''
  return /^(?:worktrees\/[^/]+\/)?HEAD$/.test(name)
}
