import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { shownName } from '../../lib/fs/diskPath.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { listTree, readEntry } from '../../lib/fs/listTree.ts'
import { readRegular } from '../../lib/fs/readRegular.ts'
import { orElse } from '../../lib/orElse.ts'
import { commonDir, gitEnvironment, inOwnGitDir, type Repository, type RunGit } from '../own/ownGit.ts'
import { readIndex, type StampedIndex, stampOf } from '../repository/gitIndex.ts'
import { blobName, type TreeEntry } from '../repository/gitObjects.ts'

/** With more files or more bytes than this, nothing is read, so that a run does not have to wait. */
const MAX_FILES = 5000
const MAX_READ = 200
const MAX_COMMIT = 1_000_000

/** How a checkout differs from its commit, by names relative to its top folder. What is not known is undefined. */
export type DirtyFiles = {
  /** In the index, but different in the commit. */
  readonly staged?: readonly string[] | undefined
  /** Tracked, but different from the index. */
  readonly unstaged?: readonly string[] | undefined
  /** Neither tracked nor ignored. */
  readonly untracked?: readonly string[] | undefined
}

export type DirtyOptions = Repository & {
  readonly commit: string | null
  readonly runGit: RunGit
  /** Absolute paths that do not count: what the run itself writes. */
  readonly except: readonly string[]
}

/**
 * The files that differ. Git only compares the index with the commit, in a directory of our own. Nothing is known if
 * the index has an unsupported format, or if reading would take too long. Never throws.
 */
export async function dirtyFiles(options: DirtyOptions): Promise<DirtyFiles> {
  const { gitDir, commit } = options
  const index = await readIndex(join(gitDir, 'index'), MAX_FILES)
  if (index === undefined) return {}
  const [staged, { unstaged, untracked }] = await Promise.all([
    commit === null ? [...index.keys()] : stagedFiles(options, commit, index).catch(() => undefined),
    filesUnlike(index, options).catch((): Differing => ({})),
  ])
  const [unlike, fresh] = [unstaged?.map(shownName), untracked?.map(shownName)]
  return { staged: staged?.map(shownName), unstaged: unlike, untracked: fresh }
}

async function stagedFiles(
  { gitDir, runGit }: DirtyOptions,
  commit: string,
  { tree }: StampedIndex,
): Promise<string[] | undefined> {
  if (tree !== undefined && tree === orElse(undefined, () => treeOf(gitDir, commit))) return []
  const listed = await inOwnGitDir(gitDir, async (own) => {
    await copyFile(join(gitDir, 'index'), join(own, 'index'))
    const args = ['diff-index', '--cached', '--name-only', '--no-renames', '-z', '--end-of-options', commit]
    return runGit(args, gitEnvironment(own))
  })
  return listed?.split('\0').filter((name) => name !== '')
}

/** The tree of a commit; undefined if its object is in a pack, which only git reads. */
function treeOf(gitDir: string, commit: string): string | undefined {
  const file = join(commonDir(gitDir), 'objects', commit.slice(0, 2), commit.slice(2))
  const object = inflateSync(readRegular(file, MAX_COMMIT) ?? '', { maxOutputLength: MAX_COMMIT })
  return /^commit \d+\0tree ([0-9a-f]{40})\n/.exec(object.toString('latin1', 0, 100))?.[1]
}

type Differing = Pick<DirtyFiles, 'unstaged' | 'untracked'>

async function filesUnlike(index: StampedIndex, { top, except }: DirtyOptions): Promise<Differing> {
  const tracked = new Map([...index].filter(([, { mode }]) => mode !== '160000'))
  const gone = new Set(tracked.keys())
  const [doubtful, untracked]: [string[], string[]] = [[], []]
  let seen = 0
  for await (const [name, stat] of listTree(top, new Set(index.keys()))) {
    seen += 1
    if (seen > MAX_FILES) return {}
    const path = join(top, name)
    if (gone.delete(name) && tracked.get(name)?.stamp !== stampOf(stat)) doubtful.push(name)
    else if (!index.has(name) && !except.some((own) => isWithin(path, own))) untracked.push(name)
  }
  if (doubtful.length > MAX_READ) return { untracked: untracked.sort() }
  const unlike = doubtful.filter((name) => isUnlike(join(top, name), tracked.get(name)))
  return { unstaged: [...gone, ...unlike].sort(), untracked: untracked.sort() }
}

/** Compares the content, without filters. */
function isUnlike(path: string, entry: TreeEntry | undefined): boolean {
  const now = orElse(undefined, () => readEntry(path))
  return now === undefined || now.mode !== entry?.mode || blobName(now.content) !== entry.oid
}
