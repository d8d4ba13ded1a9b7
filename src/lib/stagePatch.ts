import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findRepository, gitEnvironment, makeOwnGitDir, type RunGit } from './ownGit.ts'

/** A file that a patch changes. */
export type StagedFile = {
  readonly path: string
  /** Git's, after the patch; 000000 where the file is removed. */
  readonly mode: string
  /** Undefined where the file is removed. */
  readonly content: Uint8Array | undefined
}

export type StagedPatch = { readonly baseTree: string; readonly files: readonly StagedFile[] }

/**
 * What a patch makes of a commit, without touching the checkout. Throws where the commit is not there or the patch does
 * not fit. Paths and modes are git's own reading of the patch, not ours.
 */
export async function stagePatch(
  cwd: string,
  { base, patch }: { readonly base: string; readonly patch: string },
  runGit: RunGit,
): Promise<StagedPatch> {
  const repository = await findRepository(cwd)
  if (repository === undefined) throw new Error(`${cwd} is not in a git repository`)
  const folder = await mkdtemp(join(tmpdir(), 'kode-run-patch-'))
  try {
    const files = join(folder, 'files')
    const gitDir = join(folder, 'git')
    await mkdir(files)
    await mkdir(gitDir)
    await makeOwnGitDir(gitDir, repository.gitDir)
    await rm(join(gitDir, 'index'), { force: true })
    await writeFile(join(folder, 'patch'), patch)
    const git = (...args: string[]) => runGit(args, gitEnvironment(gitDir, files))
    const tree = (await git('rev-parse', '--verify', '--end-of-options', `${base}^{tree}`))?.trim()
    if (tree === undefined || (await git('read-tree', tree)) === undefined) {
      throw new Error(`the commit ${base} is not in this clone: check out with its history (fetch-depth: 0)`)
    }
    if ((await git('apply', '--cached', '--whitespace=nowarn', join(folder, 'patch'))) === undefined) {
      throw new Error(`the patch does not fit ${base}`)
    }
    const list = join(folder, 'list')
    await git('diff-index', '--cached', '--raw', '--no-renames', '--no-abbrev', '-z', `--output=${list}`, tree)
    const changed = parseRaw(await readFile(list, 'utf8'))
    await git('checkout-index', '--all', '--quiet', `--prefix=${files}/`)
    return { baseTree: tree, files: await Promise.all(changed.map((file) => withContent(file, files))) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** `git diff --raw -z`: `:oldmode newmode oldsha newsha status`, then the path. */
function parseRaw(raw: string): { path: string; mode: string }[] {
  const words = raw.split('\0').filter((word) => word !== '')
  const files: { path: string; mode: string }[] = []
  for (let at = 0; at + 1 < words.length; at += 2) {
    files.push({ path: words[at + 1] ?? '', mode: (words[at] ?? '').split(' ')[1] ?? '' })
  }
  return files
}

/** Links and submodules have no content here: nobody may propose them. */
async function withContent({ path, mode }: { path: string; mode: string }, root: string): Promise<StagedFile> {
  const isFile = mode === '100644' || mode === '100755'
  return { path, mode, content: isFile ? await readFile(join(root, path)) : undefined }
}
