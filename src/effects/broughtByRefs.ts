import type { MovedRef } from './movedRefs.ts'
import type { CommitPair, OwnGit, TreeDifference } from './openOwnGit.ts'

/** A path that a commit or the index changes, and which. */
export type Brought = TreeDifference & { readonly by: string }

export type Arrival = {
  readonly git: Pick<OwnGit, 'commits' | 'newCommits' | 'differences'>
  /** The names that name something now, and something else than before. */
  readonly arrived: readonly MovedRef[]
  /** The commit that was checked out. */
  readonly head: string | undefined
  /** What was judged before, or was there. */
  readonly tips: readonly string[]
  /** What a name named that was gone in the meantime. */
  known(name: string): string | undefined
}

/**
 * What names bring that were moved: each new commit compared with its first parent, one without parents with HEAD as it
 * was; and where a name leads now compared with where it led before. So history never holds a state that was not judged.
 * A sentence where git cannot tell.
 */
export async function broughtByRefs({
  git,
  arrived,
  head,
  tips,
  known,
}: Arrival): Promise<readonly Brought[] | string> {
  if (arrived.length === 0) return []
  const moves = arrived.map(({ name, before, now = '' }) => {
    const base = before ?? known(name) ?? (name.endsWith('HEAD') ? head : undefined)
    return { name, now, base, isNew: base === undefined && !name.endsWith('HEAD') }
  })
  const commitOf = await commitNames(git, moves)
  if (commitOf === undefined) return 'git cannot tell which commits the tags name'
  const ends = moves.map(({ now }) => commitOf(now))
  const isKnown = ends.every((end) => tips.includes(end))
  const commits = isKnown ? [] : await git.newCommits([...new Set(ends)], tips)
  if (commits === undefined) return `git cannot tell what ${arrived[0]?.name} brings`
  const looked = new Set([...tips, ...commits.map(({ commit }) => commit)])
  const others = moves.filter(({ now, isNew }) => isNew && !looked.has(commitOf(now))).map(({ now }) => commitOf(now))
  const checked = others.length === 0 ? [] : await git.commits(others)
  if (checked?.join() !== others.join()) return 'a new name names no commit'
  const pairs = new Map<string, CommitPair & { readonly by: string }>()
  const compare = (commit: string, base: string | undefined, by: string) => {
    const word = `${commit} ${base}`
    if (commit !== base && !pairs.has(word)) pairs.set(word, { commit, base, by })
  }
  // A new name of what was there brings nothing.
  for (const { name, now, base, isNew } of moves)
    if (!isNew) compare(commitOf(now), base === undefined ? undefined : commitOf(base), name)
  for (const { commit, parent } of commits) compare(commit, parent ?? head, `commit ${commit.slice(0, 10)}`)
  const all = [...pairs.values()]
  const found = all.length === 0 ? [] : await git.differences(all)
  if (found === undefined) return `git cannot tell what ${arrived[0]?.name} brings`
  return found.flatMap((paths, at) => paths.map((path) => ({ ...path, by: all[at]?.by ?? '' })))
}

type Move = { readonly name: string; readonly now: string; readonly base: string | undefined }

/** Only tags name other objects that lead to commits. */
async function commitNames(
  git: Arrival['git'],
  moves: readonly Move[],
): Promise<((oid: string) => string) | undefined> {
  const tags = moves.filter(({ name }) => name.startsWith('refs/tags/'))
  const oids = [...new Set(tags.flatMap(({ now, base }) => (base === undefined ? [now] : [now, base])))]
  const commits = oids.length === 0 ? [] : await git.commits(oids)
  if (commits?.length !== oids.length) return undefined
  const byName = new Map(oids.map((oid, at) => [oid, commits[at] ?? oid]))
  return (oid) => byName.get(oid) ?? oid
}
