import type { BigIntStats } from 'node:fs'
import { join } from 'node:path'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { type ListOptions, listTree, readEntry } from '../../lib/fs/listTree.ts'
import { orElse } from '../../lib/orElse.ts'
import { findRepository, readHead } from '../own/ownGit.ts'
import { type StampedEntry, stampOf } from '../repository/gitIndex.ts'
import type { GitObjects, TreeEntry } from '../repository/gitObjects.ts'

/** The state of each path; content that is not known already is in the objects. */
export type TreeState = ReadonlyMap<string, TreeEntry>

export type StateOptions = Omit<ListOptions, 'tracked'> & {
  /** What git's index, or the previous state, says about each path. */
  readonly known: ReadonlyMap<string, StampedEntry>
  readonly objects: Pick<GitObjects, 'putBlob'>
}

/** A file that changed this shortly before it was read may change again with the same time. */
const RACY_MS = 50n

/** The state of all files below a folder that git does not ignore, with data to recognize unchanged files next time. */
export async function treeState(options: StateOptions): Promise<ReadonlyMap<string, StampedEntry>> {
  const { known, top, folder } = options
  const state = new Map([...known].filter(([name]) => !isWithin(join(top, name), folder)))
  for await (const [name, stat] of listTree({ ...options, tracked: new Set(known.keys()) })) {
    const entry = await entryAt(join(top, name), stat, known.get(name), options.objects)
    if (entry !== undefined) state.set(name, entry)
  }
  return state
}

async function entryAt(
  path: string,
  stat: BigIntStats,
  known: StampedEntry | undefined,
  { putBlob }: StateOptions['objects'],
): Promise<StampedEntry | undefined> {
  if (stat.isDirectory()) return known?.mode === '160000' ? submodule(path, known) : undefined
  const stamp = stampOf(stat)
  if (known?.stamp === stamp && known.mode === modeOf(stat)) return known
  // Unreadable, or gone in the meantime: one file does not spoil the rest.
  return orElse(known, () => {
    const isSettled = BigInt(Date.now()) - stat.ctimeMs > RACY_MS
    const found = readEntry(path)
    return found && { mode: found.mode, oid: putBlob(found.content), stamp: isSettled ? stamp : undefined }
  })
}

/** A submodule that is not checked out keeps the commit in the index. */
async function submodule(path: string, known: StampedEntry): Promise<StampedEntry> {
  const repository = await findRepository(path)
  const head = repository?.top === path ? await readHead(repository.gitDir) : null
  return /^[0-9a-f]{40}$/.test(head ?? '') && head !== null ? { ...known, oid: head } : known
}

function modeOf(stat: BigIntStats): string {
  if (stat.isSymbolicLink()) return '120000'
  return (stat.mode & 0o100n) === 0n ? '100644' : '100755'
}
