import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { gitEnvironment, inOwnGitDir, type RunGit } from '../../git/own/ownGit.ts'
import type { CheckoutRepository } from '../../git/repository/findRepositories.ts'
import { parseGitIndex } from '../../git/repository/gitIndex.ts'
import { blobName } from '../../git/repository/gitObjects.ts'
import { readRegular } from '../../lib/fs/readRegular.ts'
import type { FileStamp } from './surveyFiles.ts'

/** A content that git has stored: it need not be copied to be kept. */
export type GitContent = { readonly gitDir: string; readonly oid: string }

type Found = ReadonlyMap<string, FileStamp>

/**
 * By path, the contents of files that nobody touched since git hashed them, if git has the same bytes. Opens none of
 * these files. Git's own files and those of filters are never among them.
 */
export async function findGitContents(
  found: Found,
  repositories: readonly CheckoutRepository[],
  runGit: RunGit,
): Promise<ReadonlyMap<string, GitContent>> {
  const contents = new Map<string, GitContent>()
  for (const repository of repositories.filter((each) => isPlain(each, found))) {
    const { gitDir } = repository
    for (const files of inParts(cleanFiles(repository, found))) {
      const sizes = await sizesOf(files, gitDir, runGit)
      for (const [at, { path, oid, size }] of files.entries())
        if (sizes[at] === size) contents.set(path, { gitDir, oid })
    }
  }
  return contents
}

type CleanFile = { readonly path: string; readonly oid: string; readonly size: string }

/** The output of one call of git is read as a whole up to 64 kB. */
const MOST_OUTPUT = 60_000

function* inParts(files: readonly CleanFile[]): Generator<readonly CleanFile[]> {
  let [from, output] = [0, 0]
  for (const [at, { size }] of files.entries()) {
    output += size.length + 1
    if (output < MOST_OUTPUT) continue
    yield files.slice(from, at)
    from = at
    output = size.length + 1
  }
  if (from < files.length) yield files.slice(from)
}

/** How many files the indexes of these repositories name. */
export function countIndexed(repositories: readonly CheckoutRepository[]): number {
  const counts = repositories.map(({ gitDir }) => readRegular(join(gitDir, 'index'))?.subarray(8, 12))
  return counts.reduce((sum, count) => sum + (count?.length === 4 ? count.readUInt32BE() : 0), 0)
}

/** Writes contents as files in a new folder. Returns the file of each path; none where git has other bytes by now. */
export async function writeGitContents(
  contents: ReadonlyMap<string, GitContent>,
  folder: string,
  runGit: RunGit,
): Promise<ReadonlyMap<string, string>> {
  const written = new Map<string, string>()
  const gitDirs = new Set([...contents.values()].map((content) => content.gitDir))
  for (const [number, gitDir] of [...gitDirs].entries()) {
    const some = [...contents].filter(([, content]) => content.gitDir === gitDir)
    const lines = some.map(([, { oid }], at) => `100644 ${oid}\t${number}-${at}\n`)
    await inOwnGitDir(gitDir, async (own) => {
      await runGit(['update-index', '--index-info'], gitEnvironment(own), undefined, lines.join(''))
      await runGit(['checkout-index', '--all', '--quiet', `--prefix=${folder}/`], gitEnvironment(own))
    })
    for (const [at, [path, content]] of some.entries()) {
      const file = join(folder, `${number}-${at}`)
      if (hasGitContent(file, content)) written.set(path, file)
    }
  }
  return written
}

/** Whether a file has this content. */
export function hasGitContent(path: string, { oid }: GitContent): boolean {
  const bytes = readRegular(path)
  return bytes !== undefined && blobName(bytes) === oid
}

/** One for each file; git does not have what has no number. */
async function sizesOf(files: readonly CleanFile[], gitDir: string, runGit: RunGit): Promise<readonly string[]> {
  const input = files.map(({ oid }) => `${oid}\n`).join('')
  const args = ['cat-file', '--batch-check=%(objectsize)', '--buffer']
  const output = await inOwnGitDir(gitDir, (own) => runGit(args, gitEnvironment(own), undefined, input))
  return output?.split('\n') ?? []
}

/** False where a filter may have made other bytes of the same number, and where objects lie outside of the repository. */
function isPlain({ top, commonDir, oidBytes }: CheckoutRepository, found: Found): boolean {
  if (oidBytes !== 20 || readRegular(join(commonDir, 'objects', 'info', 'alternates')) !== undefined) return false
  const own = [...found.keys()].filter((path) => path.endsWith('/.gitattributes') && path.startsWith(`${top}/`))
  return [...own, join(commonDir, 'info', 'attributes')].every((path) => {
    return !/\bfilter=(?!lfs\b)/.test(readRegular(path)?.toString('utf8') ?? '')
  })
}

function cleanFiles({ top, gitDir }: CheckoutRepository, found: Found): readonly CleanFile[] {
  const file = join(gitDir, 'index')
  const bytes = readRegular(file)
  const index = bytes && parseGitIndex(bytes)
  if (bytes === undefined || index === undefined) return []
  const { mtimeMs } = lstatSync(file)
  return index.entries.flatMap(({ path: name, oid, mode, marks, at }) => {
    if (!mode.startsWith('100') || marks !== 0 || /(?:^|\/)\.git[^/]*$/.test(name)) return []
    const path = `${top}/${name}`
    const stamp = found.get(path)
    return stamp !== undefined && isClean(stamp, bytes, at, mtimeMs) ? [{ path, oid, size: String(stamp.size) }] : []
  })
}

/**
 * By the `stat` data in the index, gitformat-index(5). A file of the second in which the index was written may have been
 * written again with the same times.
 */
function isClean(stamp: FileStamp, bytes: Buffer, at: number, writtenMs: number): boolean {
  const word = (offset: number) => bytes.readUInt32BE(at + offset)
  const time = (offset: number) => BigInt(word(offset)) * 1_000_000_000n + BigInt(word(offset + 4))
  const isSettled = Math.max(word(0), word(8)) * 1000 + 1000 <= writtenMs
  const { size, ino, ctimeNs, mtimeNs } = stamp
  const isSame = size === word(36) && Number(BigInt.asUintN(32, ino)) === word(20)
  return isSettled && isSame && ctimeNs === time(0) && mtimeNs === time(8)
}
