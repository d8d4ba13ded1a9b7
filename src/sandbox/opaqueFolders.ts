import { spawn } from 'node:child_process'
import { lstatSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Layer } from './ground.ts'

/** A header of tar(5): blocks of this size, a size in octal, and a type. */
const BLOCK = 512
const OPAQUE = /SCHILY\.xattr\.user\.overlay\.opaque=y/

/**
 * The folders of an upper folder that hide the one below them, because they were removed and made again. The kernel says so
 * in an extended attribute, which only other programs can read. Asks only where it makes a difference: for a folder of
 * which the checkout has entries that the view neither has nor deletes, and for those above it. `list` names the entries of a
 * folder of the view.
 */
export async function opaqueFolders(
  { upper, lower }: Pick<Layer, 'upper' | 'lower'>,
  tar: string,
  list: (folder: string) => readonly string[],
): Promise<ReadonlySet<string>> {
  const asked = doubtful(upper, lower, list).filter((path) => path !== upper)
  if (asked.length === 0) return new Set()
  const names = asked.map((path) => `./${relative(upper, path)}`)
  const marks = opaqueMarks(await archive(tar, upper, names))
  if (marks.length !== asked.length) throw new Error(`${tar} does not list the folders of the view`)
  return new Set(asked.filter((_, index) => marks[index]))
}

/** True where this `tar` lists extended attributes as it is asked to. */
export async function canListAttributes(tar: string, folder: string): Promise<boolean> {
  return archive(tar, folder, ['.']).then(
    (bytes) => opaqueMarks(bytes).length === 1,
    () => false,
  )
}

/** A folder comes after those in it that are doubtful, and is doubtful if one of these is. */
function doubtful(upper: string, lower: string, list: (folder: string) => readonly string[]): string[] {
  const names = list(upper)
  const both = names.filter((name) => isBoth(name, upper, lower))
  const below = both.flatMap((name) => doubtful(join(upper, name), join(lower, name), list))
  if (below.length > 0) return [...below, upper]
  const there = new Set(names)
  return readdirSync(lower).some((name) => !there.has(name)) ? [upper] : []
}

function isBoth(name: string, upper: string, lower: string): boolean {
  return [upper, lower].every(
    (folder) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() === true,
  )
}

function archive(tar: string, folder: string, names: readonly string[]): Promise<Buffer> {
  const args = [
    '--xattrs',
    '--xattrs-include=user.overlay.*',
    '--no-recursion',
    '-cf',
    '-',
    '-C',
    folder,
    '--null',
    '-T',
    '-',
  ]
  return new Promise((resolve, reject) => {
    const child = spawn(tar, args, { cwd: '/', env: { LC_ALL: 'C' }, stdio: ['pipe', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    let errors = ''
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => (errors += String(chunk)))
    child.once('error', reject)
    child.once('close', (code) => (code === 0 ? resolve(Buffer.concat(chunks)) : reject(new Error(errors.trim()))))
    child.stdin.on('error', () => undefined).end(names.map((name) => `${name}\0`).join(''))
  })
}

/** For each entry of an archive, in order, whether the header before it says that it is opaque. */
function opaqueMarks(archived: Buffer): boolean[] {
  const marks: boolean[] = []
  let isOpaque = false
  for (let at = 0; at + BLOCK <= archived.length && archived[at] !== 0; ) {
    const size = Number.parseInt(archived.toString('latin1', at + 124, at + 136), 8) || 0
    const type = String.fromCharCode(archived[at + 156] ?? 0)
    const content = archived.toString('latin1', at + BLOCK, at + BLOCK + size)
    if (type === 'x') isOpaque = OPAQUE.test(content)
    else if (type !== 'g' && type !== 'L') {
      marks.push(isOpaque)
      isOpaque = false
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  return marks
}
