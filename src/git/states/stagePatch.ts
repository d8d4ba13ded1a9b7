import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { parentsAreFolders, readEntry } from '../../lib/fs/listTree.ts'
import { findRepository, gitEnvironment, inOwnGitDir, type RunGit } from '../own/ownGit.ts'
import { openObjects, type TreeEntry } from '../repository/gitObjects.ts'
import { parseRaw, patchedEntries, pathsIn } from './patchedEntries.ts'

/** A file that a patch changes. */
export type StagedFile = {
  readonly path: string
  /** Git's mode after the patch; 000000 if the file is removed. */
  readonly mode: string
  /** Undefined if the file is removed, and for a submodule. */
  readonly content: Uint8Array | undefined
}

export type StagedPatch = { readonly baseTree: string; readonly files: readonly StagedFile[] }

/**
 * The result of a patch on a commit, without touching the checkout. Throws if the commit is missing or the patch does
 * not apply. Paths and modes come from git's own reading of the patch.
 */
export async function stagePatch(
  cwd: string,
  { base, patch }: { readonly base: string; readonly patch: string },
  runGit: RunGit,
): Promise<StagedPatch> {
  const repository = await findRepository(cwd)
  if (repository === undefined) throw new Error(`${cwd} is not in a git repository`)
  return inOwnGitDir(repository.gitDir, async (gitDir) => {
    const files = join(gitDir, 'files')
    await mkdir(files)
    await writeFile(join(gitDir, 'patch'), patch)
    const git = (...args: string[]) => runGit(args, gitEnvironment(gitDir, files))
    const tree = (await git('rev-parse', '--verify', '--end-of-options', `${base}^{tree}`))?.trim()
    if (tree === undefined || (await git('read-tree', tree)) === undefined) {
      throw new Error(`the commit ${base} is not in this clone: check out with its history (fetch-depth: 0)`)
    }
    if ((await git('apply', '--cached', '--whitespace=nowarn', join(gitDir, 'patch'))) === undefined) {
      throw new Error(`the patch does not fit ${base}`)
    }
    const list = join(gitDir, 'list')
    await git('diff-index', '--cached', '--raw', '--no-renames', '--no-abbrev', '-z', `--output=${list}`, tree)
    const changed = [...parseRaw(await readFile(list, 'utf8'))]
    await git('checkout-index', '--all', '--quiet', `--prefix=${files}/`)
    const staged = changed.map(async ([path, entry]) => {
      const content = entry !== undefined && isFile(entry) ? await readFile(join(files, path)) : undefined
      return { path, mode: entry?.mode ?? REMOVED, content }
    })
    return { baseTree: tree, files: await Promise.all(staged) }
  })
}

/**
 * The result of a patch on the present files below `top`, or of its reverse; undefined if it does not apply. We read
 * the files: git sees copies, and nothing of the checkout's configuration.
 */
export async function stageOnFiles(
  top: string,
  { patch, isReversed }: { readonly patch: string; readonly isReversed?: boolean },
  runGit: RunGit,
): Promise<readonly StagedFile[] | undefined> {
  return inOwnGitDir(undefined, async (gitDir) => {
    const objects = openObjects(gitDir)
    const before = new Map<string, TreeEntry>()
    for (const path of pathsIn(patch)) {
      const found = isInside(path) && parentsAreFolders(top, path) ? readEntry(join(top, path)) : undefined
      if (found !== undefined) before.set(path, { mode: found.mode, oid: objects.putBlob(found.content) })
    }
    const options = { patch, before, ...(isReversed === undefined ? {} : { isReversed }) }
    const entries = await patchedEntries(gitDir, options, runGit)
    return entries && [...entries].map(([path, entry]) => ({ path, ...staged(entry, objects.readBlob) }))
  })
}

const REMOVED = '000000'

function staged(entry: TreeEntry | undefined, readBlob: (oid: string) => Uint8Array) {
  if (entry === undefined) return { mode: REMOVED, content: undefined }
  return { mode: entry.mode, content: entry.mode === '160000' ? undefined : readBlob(entry.oid) }
}

/** Links and submodules have no content here: nobody may propose them. */
function isFile({ mode }: TreeEntry): boolean {
  return mode === '100644' || mode === '100755'
}

function isInside(path: string): boolean {
  return path !== '' && !isAbsolute(path) && !path.split('/').includes('..')
}
