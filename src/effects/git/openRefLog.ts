import { join, relative } from 'node:path'
import type { RefChange } from '../../contracts/events.ts'
import { openOwnGit } from '../../git/own/openOwnGit.ts'
import type { RunGit } from '../../git/own/ownGit.ts'
import type { CheckoutRepository } from '../../git/repository/findRepositories.ts'
import { createRefLookup, looseRefs, readRef } from '../../git/repository/readRefs.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import type { Checkout } from '../openCheckout.ts'

/** What each name of a repository points to; HEAD may point to a name. */
type Refs = ReadonlyMap<string, string>

/** What a run makes of the names in the checkout's repositories, as noted now. `folder` is the run's own, for git. */
export function openRefLog(checkout: Checkout, folder: string, runGit: RunGit) {
  const { repositories } = checkout
  const noted = repositories.map((repository) => ({ repository, before: readRefs(repository) }))
  return {
    /**
     * The names that a run made, moved or removed, with the files of the new commits. Starts no git if there are none,
     * and none for what was fetched.
     */
    async changes() {
      const found = noted.map(async ({ repository, before }, index) => {
        const own = { folder: join(folder, String(index)), runGit }
        const refs = await changesOf(repository, [before, readRefs(repository)], own)
        return refs.map((ref) => named(ref, repository, repositories))
      })
      return (await Promise.all(found)).flat()
    },
  }
}

/** A submodule shares its names with the repository around it, so its folder comes before. */
function named(ref: RefChange, own: CheckoutRepository, all: readonly CheckoutRepository[]): RefChange {
  const around = all.filter(({ top }) => top !== own.top && isWithin(own.top, top))
  const [outer] = around.sort((a, b) => a.top.length - b.top.length)
  if (outer === undefined) return ref
  const folder = relative(outer.top, own.top)
  return { ...ref, name: `${folder}:${ref.name}`, files: ref.files.map((path) => `${folder}/${path}`) }
}

function readRefs(repository: CheckoutRepository): Refs {
  const head = readRef(join(repository.gitDir, 'HEAD'))
  const lookup = createRefLookup(repository)
  const refs = [...new Set([...looseRefs(repository.commonDir), ...lookup.packed.keys()])].flatMap((name) => {
    const oid = lookup.lookUp(name)
    return oid === undefined ? [] : [[name, oid] as const]
  })
  return new Map([...(head === undefined ? [] : [['HEAD', head.trim().replace(/^ref: /, '')] as const]), ...refs])
}

/** What other repositories have, in this repository or in a submodule. A fetch moves them, but so can any command. */
const FETCHED = /^(?:[^:]*:)?refs\/remotes\//

export function isFetched({ name }: Pick<RefChange, 'name'>): boolean {
  return FETCHED.test(name)
}

/** Git is asked about so many names: a fetch of all tags brings thousands. */
const MAX_DESCRIBED = 50

async function changesOf(
  { commonDir, shallow, oidBytes }: CheckoutRepository,
  [before, now]: readonly [Refs, Refs],
  own: { readonly folder: string; readonly runGit: RunGit },
): Promise<readonly RefChange[]> {
  const moved = [...new Set([...before.keys(), ...now.keys()])].filter((name) => before.get(name) !== now.get(name))
  // A list that is cut loses names that were fetched.
  const names = moved.toSorted((a, b) => Number(FETCHED.test(a)) - Number(FETCHED.test(b)))
  if (names.length === 0) return []
  const git = openOwnGit({ ...own, objects: join(commonDir, 'objects'), added: new Map(), shallow, oidBytes })
  const tips = [
    ...new Set([...before].flatMap(([name, oid]) => (/^refs\//.test(oid) || FETCHED.test(name) ? [] : [oid]))),
  ]
  /** The commit that a name led to; none where its branch has no commit yet. */
  const commitAt = (name: string): string | undefined => {
    const oid = before.get(name)
    return oid?.startsWith('refs/') ? before.get(oid) : oid
  }
  const describe = async (name: string): Promise<RefChange> => {
    const [old, young] = [before.get(name), now.get(name)]
    const change = { name, before: old ?? null, now: young ?? null }
    const withoutFiles = { ...change, commits: 0, files: [] }
    if (young === undefined || young.startsWith('refs/') || tips.includes(young)) return withoutFiles
    if (FETCHED.test(name) || left-- <= 0) return { ...change, commits: null, files: [] }
    const [commit] = (await git.commits([young])) ?? []
    if (commit === undefined) return withoutFiles
    const commits = (await git.newCommits([commit], tips)) ?? []
    if (commits.length === 0) return withoutFiles
    const [files = []] = (await git.differences([{ commit, base: commitAt(name) ?? commitAt('HEAD') }])) ?? []
    return { ...change, commits: commits.length, files: files.map(({ path }) => path) }
  }
  let left = MAX_DESCRIBED
  const found: RefChange[] = []
  // One after the other: each writes the tips that it leaves out.
  for (const name of names) found.push(await describe(name))
  return found
}
