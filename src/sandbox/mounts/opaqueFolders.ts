import { spawn } from 'node:child_process'
import { lstatSync, readdirSync } from 'node:fs'
import { Socket } from 'node:net'
import { join, relative } from 'node:path'
import type { Layer } from '../views/checkoutMode.ts'

/** A header of tar(5): blocks of this size, a size in octal, and a type. */
const BLOCK = 512
const OPAQUE = /SCHILY\.xattr\.user\.overlay\.opaque=y/

/**
 * The folders of an upper folder that hide the one below them, because they were removed and made again. The kernel says so
 * in an extended attribute, which only other programs can read. Asks only where it makes a difference: for a folder of
 * which the checkout has entries that the view neither has nor deletes, and for those above it. `list` names the entries of a
 * folder of the view. The `tar` was opened on `upper`; it has ended afterwards.
 */
export async function opaqueFolders(
  { upper, lower }: Pick<Layer, 'upper' | 'lower'>,
  tar: WaitingTar,
  list: (folder: string) => readonly string[],
): Promise<ReadonlySet<string>> {
  const asked = doubtful(upper, lower, list).filter((path) => path !== upper)
  if (asked.length === 0) {
    tar.close()
    return new Set()
  }
  const names = asked.map((path) => `./${relative(upper, path)}`)
  const marks = opaqueMarks(await tar.list(names))
  if (marks.length !== asked.length) throw new Error(`${tar.program} does not list the folders of the view`)
  return new Set(asked.filter((_, index) => marks[index]))
}

/** True if this `tar` lists extended attributes as requested. */
export async function canListAttributes(tar: string, folder: string): Promise<boolean> {
  return openTar(tar, folder)
    .list(['.'])
    .then(
      (bytes) => opaqueMarks(bytes).length === 1,
      () => false,
    )
}

/** A folder comes after its doubtful subfolders, and is doubtful if one of them is. */
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

/** A `tar` that waits for the names of what it is to list, once: it was started while there was time. */
export type WaitingTar = {
  readonly program: string
  /** The archive of the headers of these entries. */
  list(names: readonly string[]): Promise<Buffer>
  /** Ends one that nobody asked. */
  close(): void
}

/** It ends with this process, and does not keep it alive. */
export function openTar(program: string, folder: string): WaitingTar {
  const what = ['--xattrs', '--xattrs-include=user.overlay.*', '--no-recursion']
  const args = [...what, '-cf', '-', '-C', folder, '--null', '-T', '-']
  const child = spawn(program, args, { cwd: '/', env: { LC_ALL: 'C' }, stdio: ['pipe', 'pipe', 'pipe'] })
  const chunks: Buffer[] = []
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk) => (errors += String(chunk)))
  const done = new Promise<Buffer>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => (code === 0 ? resolve(Buffer.concat(chunks)) : reject(new Error(errors.trim()))))
  })
  done.catch(() => undefined)
  child.stdin.on('error', () => undefined)
  const handles = [
    child,
    ...[child.stdin, child.stdout, child.stderr].flatMap((stream) => (stream instanceof Socket ? [stream] : [])),
  ]
  for (const handle of handles) handle.unref()
  return {
    program,
    list(names) {
      for (const handle of handles) handle.ref()
      child.stdin.end(names.map((name) => `${name}\0`).join(''))
      return done
    },
    close: () => void child.kill('SIGKILL'),
  }
}

/** For each entry of an archive, in order, whether the header before it marks it as opaque. */
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
