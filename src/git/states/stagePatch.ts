import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { parentsAreFolders, readEntry } from '../../lib/fs/listTree.ts'
import { unquotedName } from '../../lib/text/visibleName.ts'
import { parseRaw } from '../own/openOwnGit.ts'
import { findRepository, gitEnvironment, inOwnGitDir, type RunGit } from '../own/ownGit.ts'
import { openObjects, type TreeEntry } from '../repository/gitObjects.ts'

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
  const repository = findRepository(cwd)
  if (repository === undefined) throw new Error(`${cwd} is not in a git repository`)
  return inOwnGitDir(repository.gitDir, async (gitDir) => {
    const files = join(gitDir, 'files')
    await mkdir(files)
    const git = (...args: string[]) => runGit(args, gitEnvironment(gitDir))
    const tree = (await git('rev-parse', '--verify', '--end-of-options', `${base}^{tree}`))?.trim()
    if (tree === undefined || (await git('read-tree', tree)) === undefined) {
      throw new Error(`the commit ${base} is not in this clone: check out with its history (fetch-depth: 0)`)
    }
    const changed = await apply(gitDir, { patch, tree }, git)
    if (changed === undefined) throw new Error(`the patch does not fit ${base}`)
    await git('checkout-index', '--all', '--quiet', `--prefix=${files}/`)
    const staged = [...changed].map(async ([path, entry]) => {
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
  { patch, isReversed }: Patch,
  runGit: RunGit,
): Promise<readonly StagedFile[] | undefined> {
  return inOwnGitDir(undefined, async (gitDir) => {
    const objects = openObjects(gitDir)
    const before = new Map<string, TreeEntry>()
    for (const path of pathsIn(patch)) {
      const found = isInside(path) && parentsAreFolders(top, path) ? readEntry(join(top, path)) : undefined
      if (found !== undefined) before.set(path, { mode: found.mode, oid: objects.putBlob(found.content) })
    }
    const entries = await patchedEntries(gitDir, { patch, before, isReversed }, runGit)
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

/** The paths that a patch changes; undefined for a removed file. */
export type PatchedEntries = ReadonlyMap<string, TreeEntry | undefined>

/**
 * True if a patch copies files: it would show the content of files that it does not change, and so are not judged. Our
 * own patches never do. Lines of content begin with another character.
 */
export function copiesFiles(patch: string): boolean {
  return /^copy (?:from|to) /m.test(patch)
}

/**
 * The result of a patch on some files, as git itself reads it, in a git directory of our own that has them. Undefined
 * if it does not apply, or copies files. `before` may have more paths than the patch.
 */
export async function patchedEntries(
  gitDir: string,
  { before, ...patch }: Patch & { readonly before: ReadonlyMap<string, TreeEntry> },
  runGit: RunGit,
): Promise<PatchedEntries | undefined> {
  if (copiesFiles(patch.patch)) return undefined
  const git = (...args: string[]) => runGit(args, gitEnvironment(gitDir))
  const tree = openObjects(gitDir).putTree(before)
  return (await git('read-tree', tree)) === undefined ? undefined : apply(gitDir, { ...patch, tree }, git)
}

type Patch = { readonly patch: string; readonly isReversed?: boolean | undefined }

/** Applies a patch to an index that has just read a tree. */
async function apply(
  gitDir: string,
  { patch, isReversed = false, tree }: Patch & { readonly tree: string },
  git: (...args: string[]) => ReturnType<RunGit>,
): Promise<PatchedEntries | undefined> {
  const [file, list] = [join(gitDir, 'patch'), join(gitDir, 'list')]
  await writeFile(file, patch)
  const options = ['--cached', '--binary', '--whitespace=nowarn', ...(isReversed ? ['-R'] : [])]
  if ((await git('apply', ...options, file)) === undefined) return undefined
  const diff = ['diff-index', '--cached', '--raw', '--no-renames', '--no-abbrev', '-z', `--output=${list}`, tree]
  if ((await git(...diff)) === undefined) return undefined
  const changed = parseRaw(await readFile(list, 'utf8')).flatMap(({ paths }) => paths)
  return new Map(changed.map(({ path, mode, oid }) => [path, mode === REMOVED ? undefined : { mode, oid }]))
}

/** A patch, file by file. */
export function partsOf(patch: string): readonly string[] {
  return patch.split(/^(?=diff --git )/m)
}

/** Every path that a patch could mean, and possibly more: lines of content are not excluded. */
export function pathsIn(patch: string): ReadonlySet<string> {
  const paths = new Set<string>()
  for (const line of patch.split('\n')) {
    const plain = /^rename (?:from|to) (.*)$/.exec(line)?.[1]
    if (plain !== undefined) paths.add(unquotedName(plain))
    const prefixed = /^(?:---|\+\+\+) (.*?)\t?$/.exec(line)?.[1]
    if (prefixed !== undefined) paths.add(withoutPrefix(unquotedName(prefixed)))
    // Without `---` (a mode, a binary, an empty file) both names are the same.
    const both = /^diff --git (.*)$/.exec(line)?.[1]
    if (both !== undefined) paths.add(withoutPrefix(unquotedName(both.slice(0, (both.length - 1) / 2))))
  }
  return paths
}

function withoutPrefix(path: string): string {
  return path.slice(path.indexOf('/') + 1)
}
