import type { CommitPair, OwnGit, TreeDifference } from '../../git/own/openOwnGit.ts'
import type { MovedRef } from './movedRefs.ts'

/** A path that a commit or the index changes, and that commit or index. */
export type IncomingChange = TreeDifference & { readonly by: string }

export type IncomingOptions = {
  readonly git: Pick<OwnGit, 'commits' | 'newCommits' | 'differences'>
  /** The names that now point to something else than before. */
  readonly arrived: readonly MovedRef[]
  /** The commit that was checked out. */
  readonly head: string | undefined
  /** Commits that were judged earlier or already existed. */
  readonly tips: readonly string[]
  /** What a name pointed to before it was deleted. */
  known(name: string): string | undefined
}

/**
 * The changes that moved names bring in. Each new commit is compared with its first parent, a root commit with the old
 * HEAD. The new target of a name is compared with its old target. So the history never contains a state that was not
 * judged. Returns a sentence if git cannot tell.
 */
export async function incomingChanges({
  git,
  arrived,
  head,
  tips,
  known,
}: IncomingOptions): Promise<readonly IncomingChange[] | string> {
  if (arrived.length === 0) return []
  const moves = arrived.map(({ name, before, now = '' }) => {
    const base = before ?? known(name) ?? (name.endsWith('HEAD') ? head : undefined)
    return { name, now, base, isNew: base === undefined && !name.endsWith('HEAD') }
  })
  const commitOf = await commitNames(git, moves)
  if (commitOf === undefined) return 'git cannot tell which commits the tags name'
  const ends = moves.map(({ now }) => commitOf(now))
  const isKnown = ends.every((end) => tips.includes(end))
  const pairs = new Map<string, CommitPair & { readonly by: string }>()
  const compare = (commit: string, base: string | undefined, by: string) => {
    const word = `${commit} ${base}`
    if (commit !== base && !pairs.has(word)) pairs.set(word, { commit, base, by })
  }
  // A new name for an existing commit brings in nothing.
  for (const { name, now, base, isNew } of moves)
    if (!isNew) compare(commitOf(now), base === undefined ? undefined : commitOf(base), name)
  const moved = [...pairs.values()]
  // Both at the same time: a plain commit needs no other comparison.
  const [commits, ofMoves] = await Promise.all([
    isKnown ? [] : git.newCommits([...new Set(ends)], tips),
    moved.length === 0 ? [] : git.differences(moved),
  ])
  if (commits === undefined) return `git cannot tell what ${arrived[0]?.name} brings`
  const looked = new Set([...tips, ...commits.map(({ commit }) => commit)])
  const others = moves.filter(({ now, isNew }) => isNew && !looked.has(commitOf(now))).map(({ now }) => commitOf(now))
  const checked = others.length === 0 ? [] : await git.commits(others)
  if (checked?.join() !== others.join()) return 'a new ref points to no commit'
  for (const { commit, parent } of commits) compare(commit, parent ?? head, `commit ${commit.slice(0, 10)}`)
  const all = [...pairs.values()]
  const rest = all.slice(moved.length)
  const ofRest = rest.length === 0 ? [] : await git.differences(rest)
  if (ofMoves === undefined || ofRest === undefined) return `git cannot tell what ${arrived[0]?.name} brings`
  return [...ofMoves, ...ofRest].flatMap((paths, at) => paths.map((path) => ({ ...path, by: all[at]?.by ?? '' })))
}

/** Only tags point to other objects that lead to commits. */
async function commitNames(
  git: IncomingOptions['git'],
  moves: readonly { readonly name: string; readonly now: string; readonly base: string | undefined }[],
): Promise<((oid: string) => string) | undefined> {
  const tags = moves.filter(({ name }) => name.startsWith('refs/tags/'))
  const oids = [...new Set(tags.flatMap(({ now, base }) => (base === undefined ? [now] : [now, base])))]
  const commits = oids.length === 0 ? [] : await git.commits(oids)
  if (commits?.length !== oids.length) return undefined
  const byName = new Map(oids.map((oid, at) => [oid, commits[at] ?? oid]))
  return (oid) => byName.get(oid) ?? oid
}
