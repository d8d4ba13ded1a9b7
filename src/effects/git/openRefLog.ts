import { join, relative } from 'node:path'
import type { RefChange } from '../../contracts/events.ts'
import { openOwnGit } from '../../git/own/openOwnGit.ts'
import type { RunGit } from '../../git/own/ownGit.ts'
import type { CheckoutRepository } from '../../git/repository/findRepositories.ts'
import { createRefLookup, looseRefs, refText } from '../../git/repository/readRefs.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { readRegular } from '../../lib/fs/readRegular.ts'
import type { Checkout } from '../openCheckout.ts'

/** What each name of a repository points to; HEAD may point to a name. */
type Refs = ReadonlyMap<string, string>

/** What a run makes of branches, tags and stashes of the checkout's repositories, which are noted as they are now. `folder` is the run's own, for git. */
export async function openRefLog(checkout: Checkout, folder: string, runGit: RunGit) {
  const repositories = await checkout.repositories
  const before = repositories.map(readRefs)
  return {
    /** The names that a run made, moved or removed, with the files of the new commits. Starts no git if there are none. */
    async changes() {
      const found = await Promise.all(
        repositories.map((repository, index) => {
          const states = [before[index] ?? new Map(), readRefs(repository)] as const
          return changesOf(repository, states, { folder: join(folder, String(index)), runGit })
        }),
      )
      return found.flatMap((refs, index) => refs.map((ref) => named(ref, repositories[index], repositories)))
    },
  }
}

/** A submodule shares its names with the repository around it, so its folder comes before. */
function named(ref: RefChange, own: CheckoutRepository | undefined, all: readonly CheckoutRepository[]): RefChange {
  const around = all.filter(({ top }) => own !== undefined && top !== own.top && isWithin(own.top, top))
  const [outer] = around.sort((a, b) => a.top.length - b.top.length)
  if (own === undefined || outer === undefined) return ref
  const folder = relative(outer.top, own.top)
  return { ...ref, name: `${folder}:${ref.name}`, files: ref.files.map((path) => `${folder}/${path}`) }
}

function readRefs({ gitDir, commonDir }: CheckoutRepository): Refs {
  const read = (path: string) => refText(readRegular(path))
  const head = read(join(gitDir, 'HEAD'))
  const lookup = createRefLookup({ head: () => head, read: (name) => read(join(commonDir, name)) })
  const names = [...new Set([...looseRefs(commonDir), ...lookup.packed.keys()])].filter((name) => !FETCHED.test(name))
  const refs = names.flatMap((name) => {
    const oid = lookup.lookUp(name)
    return oid === undefined ? [] : [[name, oid] as const]
  })
  const shown = head?.trim().replace(/^ref: /, '') ?? ''
  return new Map([...(shown === '' ? [] : [['HEAD', shown] as const]), ...refs])
}

/** What other repositories have. */
const FETCHED = /^refs\/remotes\//

/** Git is asked about so many names: a fetch of all tags brings thousands. */
const MAX_DESCRIBED = 50

async function changesOf(
  { commonDir, shallow, oidBytes }: CheckoutRepository,
  [before, now]: readonly [Refs, Refs],
  own: { readonly folder: string; readonly runGit: RunGit },
): Promise<readonly RefChange[]> {
  const names = [...new Set([...before.keys(), ...now.keys()])].filter((name) => before.get(name) !== now.get(name))
  if (names.length === 0) return []
  const git = openOwnGit({ ...own, objects: join(commonDir, 'objects'), added: new Map(), shallow, oidBytes })
  const tips = [...new Set([...before.values()].filter((oid) => !oid.startsWith('refs/')))]
  const start = before.get(before.get('HEAD') ?? '') ?? before.get('HEAD')
  const describe = async (name: string): Promise<RefChange> => {
    const [old, young] = [before.get(name), now.get(name)]
    const change = { name, before: old ?? null, now: young ?? null }
    if (young === undefined || young.startsWith('refs/') || tips.includes(young))
      return { ...change, commits: 0, files: [] }
    if (left-- <= 0) return { ...change, commits: null, files: [] }
    const [commit] = (await git.commits([young])) ?? []
    if (commit === undefined) return { ...change, commits: 0, files: [] }
    const commits = (await git.newCommits([commit], tips)) ?? []
    const base = old ?? start
    const files = commits.length === 0 ? [] : await git.differences([{ commit, base }])
    return { ...change, commits: commits.length, files: (files?.[0] ?? []).map(({ path }) => path) }
  }
  let left = MAX_DESCRIBED
  const found: RefChange[] = []
  // One after the other: each writes the tips that it leaves out.
  for (const name of names) found.push(await describe(name))
  return found
}
