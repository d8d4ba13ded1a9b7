import { execFile } from 'node:child_process'
import { closeSync, constants, existsSync, openSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { removeOwned, shortLivedFolder } from '../fs/ownedFolder.ts'

/** A pipe to a child: `end` is for its standard stream, and is closed here once the child has it. */
export type OpenPipe = { readonly end: number; readonly stream: Readable }

type Pair = { readonly readEnd: number; readonly writeEnd: number }

const PROGRAMS = ['/usr/bin/mkfifo', '/bin/mkfifo']
/** Created in advance, because creating pipes takes a process. */
const BATCH = 16
const ONE_COMMAND = 2

const ready: Pair[] = []
let making: Promise<void> | undefined

/**
 * A kernel pipe. Node's own streams for children are sockets, which cannot be opened again by name: `echo … >
 * /dev/stderr` fails on them. Undefined where pipes do not help (macOS) or `mkfifo` is missing.
 */
export async function openPipe(): Promise<OpenPipe | undefined> {
  if (process.platform !== 'linux') return undefined
  while (ready.length === 0) {
    try {
      await makeMore()
    } catch {
      // No `mkfifo`, no space, or no descriptors: the streams are sockets then.
      return undefined
    }
  }
  const pair = ready.pop()
  // The next command finds them made.
  if (ready.length < ONE_COMMAND) makeMore().catch(() => undefined)
  return pair && { end: pair.writeEnd, stream: new Socket({ fd: pair.readEnd, readable: true, writable: false }) }
}

function makeMore(): Promise<void> {
  making ??= makePairs().finally(() => {
    making = undefined
  })
  return making
}

/** Named pipes that are opened and have lost their names when this returns. */
async function makePairs(): Promise<void> {
  const program = PROGRAMS.find((path) => existsSync(path))
  if (program === undefined) throw new Error('there is no mkfifo')
  const folder = shortLivedFolder('kode-run-pipes-')
  try {
    const paths = Array.from({ length: BATCH }, (_, index) => join(folder, String(index)))
    await promisify(execFile)(program, ['-m', '600', ...paths], { env: {} })
    for (const path of paths) ready.push(openPair(path))
  } finally {
    removeOwned(folder)
  }
}

function openPair(path: string): Pair {
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    return { readEnd, writeEnd: openSync(path, constants.O_WRONLY) }
  } catch (error) {
    closeSync(readEnd)
    throw error
  }
}
