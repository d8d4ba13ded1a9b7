import { createHash } from 'node:crypto'
import { copyFile, lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { diskPath, nameOfBytes } from '../../lib/fs/diskPath.ts'
import { listTree } from '../../lib/fs/listTree.ts'
import { readRegular } from '../../lib/fs/readRegular.ts'
import { commonDir, gitEnvironment, inOwnGitDir, type Repository, type RunGit } from '../own/ownGit.ts'
import { readIndex, type StampedIndex } from '../repository/gitIndex.ts'

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
  const { top, gitDir, commit, except } = options
  const index = await readIndex(join(gitDir, 'index'), MAX_FILES)
  if (index === undefined) return {}
  const found = [
    commit === null ? [...index.keys()] : stagedFiles(options, commit, index),
    unstagedFiles(top, index),
    untrackedFiles(top, index, except),
  ]
  const [staged, unstaged, untracked] = await Promise.all(
    found.map(async (names) => (await Promise.resolve(names).catch(() => undefined))?.map(shown)),
  )
  return { staged, unstaged, untracked }
}

/** A name that is not UTF-8 shows its bytes. */
function shown(name: string): string {
  return nameOfBytes(Buffer.from(diskPath(name)))
}

async function stagedFiles(
  { gitDir, runGit }: DirtyOptions,
  commit: string,
  { tree }: Index,
): Promise<string[] | undefined> {
  if (tree !== undefined && tree === (await treeOf(gitDir, commit).catch(() => undefined))) return []
  const listed = await inOwnGitDir(gitDir, async (own) => {
    await copyFile(join(gitDir, 'index'), join(own, 'index'))
    const args = ['diff-index', '--cached', '--name-only', '--no-renames', '-z', '--end-of-options', commit]
    return runGit(args, gitEnvironment(own))
  })
  return listed?.split('\0').filter((name) => name !== '')
}

/** The tree of a commit; undefined if its object is in a pack, which only git reads. */
async function treeOf(gitDir: string, commit: string): Promise<string | undefined> {
  const file = join(await commonDir(gitDir), 'objects', commit.slice(0, 2), commit.slice(2))
  const object = inflateSync(readRegular(file, MAX_COMMIT) ?? '', { maxOutputLength: MAX_COMMIT })
  return /^commit \d+\0tree ([0-9a-f]{40})\n/.exec(object.toString('latin1', 0, 100))?.[1]
}

async function untrackedFiles(top: string, index: Index, except: readonly string[]): Promise<string[] | undefined> {
  const tracked = new Set(index.keys())
  const names: string[] = []
  let seen = 0
  for await (const [name] of listTree({ top, folder: top, tracked })) {
    seen += 1
    if (seen > MAX_FILES) return undefined
    const path = join(top, name)
    if (!tracked.has(name) && !except.some((own) => path === own || path.startsWith(`${own}/`))) names.push(name)
  }
  return names.sort()
}

type Index = StampedIndex

async function unstagedFiles(top: string, index: Index): Promise<string[] | undefined> {
  const entries = [...index].filter(([, { mode }]) => mode.startsWith('100'))
  const stats = await Promise.all(
    entries.map(([name]) => lstat(diskPath(join(top, name)), { bigint: true }).catch(() => undefined)),
  )
  const doubtful = entries.filter(([, { stamp }], at) => stamp === undefined || stamp !== stampOf(stats[at]))
  if (doubtful.length > MAX_READ) return undefined
  return doubtful.filter(([name, { oid }]) => oidOf(join(top, name)) !== oid).map(([name]) => name)
}

type Stat = Awaited<ReturnType<typeof lstat>> & Record<'ctimeNs' | 'mtimeNs' | 'ino' | 'size', bigint>

function stampOf(stat: unknown): string | undefined {
  if (stat === undefined) return undefined
  const { ctimeNs, mtimeNs, ino, size } = stat as Stat
  const second = 1_000_000_000n
  const mask = 0xffffffffn
  const times = [ctimeNs / second, ctimeNs % second, mtimeNs / second, mtimeNs % second]
  return [...times, ino & mask, size & mask].join(' ')
}

/** The object name of the content, without filters. */
function oidOf(path: string): string | undefined {
  const bytes = readRegular(path)
  return bytes && createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}
