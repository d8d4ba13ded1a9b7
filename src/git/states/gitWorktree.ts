import { readdirSync } from 'node:fs'
import { copyFile, cp, lstat, mkdir, readdir, rename, rmdir, unlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { FileAccess } from '../../contracts/files.ts'
import { openFolderHandle, removeEntry } from '../../lib/fs/openFolderHandle.ts'
import { unusedPath } from '../../lib/fs/paths.ts'
import { readRegular } from '../../lib/fs/readRegular.ts'
import { orElse } from '../../lib/orElse.ts'
import { redactBytes } from '../../lib/secrets/redact.ts'
import { commonDir, findRepository, gitEnvironment, inOwnGitDir, type RunGit, readHead } from '../own/ownGit.ts'
import { readIndex } from '../repository/gitIndex.ts'
import { openObjects } from '../repository/gitObjects.ts'
import { openDiff, treeState } from './compareStates.ts'

/** Contains the run's worktrees, inside the project so that its sandbox and rules apply there too; git ignores it. */
export const WORKTREE_FOLDER = '.kode-worktrees'

/** The project root of one of our worktrees; undefined for any other folder. */
export function worktreeRoot(cwd: string): string | undefined {
  return basename(dirname(cwd)) === WORKTREE_FOLDER ? dirname(dirname(cwd)) : undefined
}

/**
 * A new worktree at the last commit, without a branch; returns its path. Uncommitted changes are not included. It is
 * locked in the name of `owner`, which identifies it and keeps `git worktree prune` from removing it. Git writes the
 * files from a directory of our own: hooks, filters and settings of the repository have no effect.
 */
export async function addWorktree(
  { root, name, owner }: { root: string; name: string; owner: string },
  runGit: RunGit,
): Promise<string> {
  const repository = findRepository(root)
  if (repository === undefined) throw new Error(`${root} is not a git repository.`)
  if (repository.top !== root) throw new Error(`${root} is not the top folder of its git repository.`)
  const { gitDir } = repository
  const head = readHead(gitDir)
  if (head === null) throw new Error(`${root} has no commit yet.`)
  const path = join(root, WORKTREE_FOLDER, name)
  if (await isThere(path)) throw new Error(`${path} is there already.`)
  const entries = join(commonDir(gitDir), 'worktrees')
  return inOwnGitDir(gitDir, async (own) => {
    const files = join(own, 'files')
    await mkdir(files)
    await must(runGit, own, ['read-tree', head])
    await must(runGit, own, ['checkout-index', '--all', '--quiet', `--prefix=${files}/`])
    await requireFolder(entries)
    const entry = await makeFolder(entries, name)
    const lines = { HEAD: head, commondir: '../..', gitdir: join(path, '.git'), locked: owner }
    for (const [file, line] of Object.entries(lines)) await writeFile(join(entry, file), `${line}\n`)
    await copyFile(join(own, 'index'), join(entry, 'index'))
    await writeFile(join(files, '.git'), `gitdir: ${entry}\n`)
    await requireFolder(dirname(path))
    await move(files, path)
    return path
  })
}

/** Where a worktree is in the checkout: folders of its own, and what it shares with other worktrees. */
export type WorktreePlaces = { readonly own: readonly string[]; readonly shared: readonly string[] }

/** The places of a worktree as it is now, or would be. */
export function worktreePlaces(worktree: string): WorktreePlaces {
  const entry = entryOf(worktree)
  const folder = dirname(worktree)
  const root = findRepository(dirname(folder))
  const entries = root === undefined ? [] : [join(commonDir(root.gitDir), 'worktrees')]
  return {
    own: [worktree, ...(entry === undefined ? [] : [entry.folder])],
    shared: [folder, join(folder, '.gitignore'), ...entries],
  }
}

/** True if `worktree` was added in the name of `owner`. */
export function isWorktreeOf(worktree: string, owner: string): boolean {
  return entryOf(worktree)?.owner === owner
}

/** What differs from the project's commit, with new files, as a patch, if anything. The worktree's `.git` is unused. */
export async function worktreePatch(worktree: string, runGit: RunGit): Promise<Uint8Array | undefined> {
  await requirePlace(worktree)
  const repository = findRepository(worktreeRoot(worktree) ?? worktree)
  const head = repository && readHead(repository.gitDir)
  if (!repository || !head) throw new Error('the project has no commit to compare with')
  return patchSince({ gitDir: repository.gitDir, commit: head, top: worktree }, runGit)
}

type Since = { readonly gitDir: string; readonly commit: string; readonly top: string }

/** What differs in a folder from a commit, with new files, as a patch, if anything. Throws if it cannot be compared. */
export function patchSince({ gitDir, commit, top }: Since, runGit: RunGit): Promise<Uint8Array | undefined> {
  return inOwnGitDir(gitDir, async (own) => {
    await must(runGit, own, ['read-tree', commit])
    const known = (await readIndex(join(own, 'index'))) ?? new Map()
    const now = await treeState(top, known, openObjects(own))
    const patch = await openDiff(own, [known, now], runGit)('--binary')
    if (patch === undefined) throw new Error('git could not compare it, or the patch is larger than 50 MB')
    return patch.length === 0 ? undefined : patch
  })
}

/** Removes a worktree with its content, git's record of it, and, after the last one, the folder of worktrees. */
export async function removeWorktree(worktree: string): Promise<void> {
  await requirePlace(worktree)
  const entry = entryOf(worktree)
  removePath(worktree)
  if (entry !== undefined) {
    removePath(entry.folder)
    await rmdir(dirname(entry.folder)).catch(() => undefined)
  }
  await removeWorktreesFolder(worktreeRoot(worktree) ?? worktree)
}

/** A program that still works in the checkout may put a link in the place of a folder: none is followed. */
function removePath(path: string): void {
  const folder = openFolderHandle(dirname(path))
  try {
    removeEntry(folder, basename(path))
  } finally {
    folder.close()
  }
}

/** Removes the folder of worktrees if only the file that hides it from git is left. */
export async function removeWorktreesFolder(root: string): Promise<void> {
  const folder = join(root, WORKTREE_FOLDER)
  const names = await readdir(folder).catch(() => [])
  if (names.length !== 1 || names[0] !== '.gitignore') return
  await unlink(join(folder, '.gitignore'))
  await rmdir(folder)
}

/** What the project's repository records of a worktree: commands may write the worktree itself. */
function entryOf(worktree: string): { readonly folder: string; readonly owner: string } | undefined {
  const root = worktreeRoot(worktree)
  const repository = root === undefined ? undefined : findRepository(root)
  if (repository === undefined) return undefined
  const entries = join(commonDir(repository.gitDir), 'worktrees')
  const folders = orElse([], () => readdirSync(entries, { withFileTypes: true })).filter((each) => each.isDirectory())
  const folder = folders
    .map(({ name }) => join(entries, name))
    .find((each) => lineOf(join(each, 'gitdir')) === join(worktree, '.git'))
  return folder === undefined ? undefined : { folder, owner: lineOf(join(folder, 'locked')) }
}

function lineOf(path: string): string {
  return readRegular(path)?.toString('utf8').trim() ?? ''
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined
}

/** A link in place of the folder would redirect what is written there. */
async function requireFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true })
  if (!(await lstat(path)).isDirectory()) throw new Error(`${path} is not a folder.`)
}

/** A link in place of a worktree, or of their folder, would redirect us to other files. */
async function requirePlace(worktree: string): Promise<void> {
  for (const path of [dirname(worktree), worktree]) {
    if (!(await lstat(path)).isDirectory()) throw new Error(`${path} is no longer a folder.`)
  }
}

/** As git does: adds a number to a name that is taken. */
async function makeFolder(parent: string, name: string): Promise<string> {
  for (let number = 0; ; number++) {
    const path = join(parent, number === 0 ? name : `${name}${number}`)
    const made = await mkdir(path).then(
      () => true,
      () => false,
    )
    if (made) return path
    if (!(await isThere(path))) throw new Error(`${path} cannot be made.`)
  }
}

async function move(from: string, to: string): Promise<void> {
  const folder = openFolderHandle(dirname(to))
  const entry = folder.entry(basename(to))
  try {
    await rename(from, entry)
  } catch {
    // Another file system.
    await cp(from, entry, { recursive: true, verbatimSymlinks: true, errorOnExist: true, force: false })
  } finally {
    folder.close()
  }
}

async function must(runGit: RunGit, gitDir: string, args: readonly string[]): Promise<void> {
  const done = await runGit(args, gitEnvironment(gitDir, join(gitDir, 'files')))
  if (done === undefined) throw new Error(`git ${args[0]} failed`)
}

/** A patch that is kept for the user. */
export type SavedPatch = { readonly path: string; readonly bytes: number; readonly content: Uint8Array }

export type PatchPlaces = {
  readonly artifactFiles: Pick<FileAccess, 'stat' | 'write'>
  /** The folder of artifacts, links resolved. */
  readonly artifacts: string
  redact(text: string): string
}

/** Stores the changes in a worktree as a patch among the artifacts, without secrets; undefined without changes. */
export async function saveWorktreePatch(
  worktree: string,
  runGit: RunGit,
  { artifactFiles, artifacts, redact }: PatchPlaces,
): Promise<SavedPatch | undefined> {
  const patch = await worktreePatch(worktree, runGit)
  if (patch === undefined) return undefined
  const content = redactBytes(patch, redact).bytes
  const isThere = async (path: string) => (await artifactFiles.stat(path)) !== undefined
  const path = await unusedPath(artifacts, `worktree-${basename(worktree)}.patch`, isThere)
  await artifactFiles.write(path, content)
  return { path, bytes: content.length, content }
}
