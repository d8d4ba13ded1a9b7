import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gitEnvironment, type RunGit } from '../own/ownGit.ts'
import { openObjects, type TreeEntry } from '../repository/gitObjects.ts'

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
  { patch, before, isReversed = false }: PatchAndFiles,
  runGit: RunGit,
): Promise<PatchedEntries | undefined> {
  if (copiesFiles(patch)) return undefined
  const git = (...args: string[]) => runGit(args, gitEnvironment(gitDir))
  const [file, list] = [join(gitDir, 'patch'), join(gitDir, 'list')]
  await writeFile(file, patch)
  const tree = openObjects(gitDir).putTree(before)
  const apply = ['apply', '--cached', '--binary', '--whitespace=nowarn', ...(isReversed ? ['-R'] : [])]
  if ((await git('read-tree', tree)) === undefined || (await git(...apply, file)) === undefined) return undefined
  const diff = ['diff-index', '--cached', '--raw', '--no-renames', '--no-abbrev', '-z', `--output=${list}`, tree]
  return (await git(...diff)) === undefined ? undefined : parseRaw(await readFile(list, 'utf8'))
}

export type PatchAndFiles = {
  readonly patch: string
  readonly before: ReadonlyMap<string, TreeEntry>
  readonly isReversed?: boolean
}

/** Every path that a patch could mean, and possibly more: lines of content are not excluded. */
export function pathsIn(patch: string): ReadonlySet<string> {
  const paths = new Set<string>()
  for (const line of patch.split('\n')) {
    const plain = /^rename (?:from|to) (.*)$/.exec(line)?.[1]
    if (plain !== undefined) paths.add(unquoted(plain))
    const prefixed = /^(?:---|\+\+\+) (.*?)\t?$/.exec(line)?.[1]
    if (prefixed !== undefined) paths.add(withoutPrefix(unquoted(prefixed)))
    // Without `---` (a mode, a binary, an empty file) both names are the same.
    const both = /^diff --git (.*)$/.exec(line)?.[1]
    if (both !== undefined) paths.add(withoutPrefix(unquoted(both.slice(0, (both.length - 1) / 2))))
  }
  return paths
}

function withoutPrefix(path: string): string {
  return path.slice(path.indexOf('/') + 1)
}

/** Git writes a name with unusual bytes as a C string. */
function unquoted(name: string): string {
  if (!/^".*"$/.test(name)) return name
  const escapes: Readonly<Record<string, string>> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' }
  const bytes = name.slice(1, -1).replace(/\\([0-7]{3}|.)|[^\\]/gu, (whole, code: string | undefined) => {
    if (code === undefined) return Buffer.from(whole).toString('latin1')
    return /^\d{3}$/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : (escapes[code] ?? code)
  })
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** `git diff --raw -z`: `:oldmode newmode oldsha newsha status`, then the path. */
export function parseRaw(raw: string): Map<string, TreeEntry | undefined> {
  const words = raw.split('\0').filter((word) => word !== '')
  const files = new Map<string, TreeEntry | undefined>()
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [, mode = '', , oid = ''] = (words[at] ?? '').split(' ')
    files.set(words[at + 1] ?? '', mode === '000000' ? undefined : { mode, oid })
  }
  return files
}
