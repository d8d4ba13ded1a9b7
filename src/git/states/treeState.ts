import { join } from 'node:path'
import { listTree, readEntry } from '../../lib/fs/listTree.ts'
import { orElse } from '../../lib/orElse.ts'
import { findRepository, readHead } from '../own/ownGit.ts'
import type { GitObjects, TreeEntry } from '../repository/gitObjects.ts'

/** The state of each path; content that is not known already is in the objects. */
export type TreeState = ReadonlyMap<string, TreeEntry>

/** The state of all files below a folder that git does not ignore. `known`: what git's index says about each path. */
export async function treeState(
  top: string,
  known: TreeState,
  { putBlob }: Pick<GitObjects, 'putBlob'>,
): Promise<TreeState> {
  const state = new Map<string, TreeEntry>()
  const store = (path: string): TreeEntry | undefined => {
    const found = readEntry(path)
    return found && { mode: found.mode, oid: putBlob(found.content) }
  }
  for await (const [name, stat] of listTree(top, new Set(known.keys()))) {
    const path = join(top, name)
    const before = known.get(name)
    // Unreadable, or gone in the meantime: one file does not spoil the rest.
    const entry = stat.isDirectory() ? await submodule(path, before) : orElse(before, () => store(path))
    if (entry !== undefined) state.set(name, entry)
  }
  return state
}

/** A submodule that is not checked out keeps the commit in the index. */
async function submodule(path: string, known: TreeEntry | undefined): Promise<TreeEntry | undefined> {
  if (known?.mode !== '160000') return undefined
  const repository = await findRepository(path)
  const head = repository?.top === path ? await readHead(repository.gitDir) : null
  return head?.length === 40 ? { ...known, oid: head } : known
}
