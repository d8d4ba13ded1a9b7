import { randomBytes } from 'node:crypto'
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf, RunError } from '../../contracts/errors.ts'
import type { ProcessIdentity } from '../../contracts/events.ts'
import { withFile } from '../../lib/fs/diskPath.ts'
import { makeFolder } from '../../lib/fs/folders.ts'
import { orElse } from '../../lib/orElse.ts'
import { describeProcess, ownIdentity, processState } from '../../lib/process/processIdentity.ts'
import { formatDuration } from '../../lib/text/words.ts'

/** A lock that this process holds. Releasing it never throws. */
export type Lock = { release(): void }

export type LockOptions = {
  readonly label: string
  /** The age of the last heartbeat after which the lock of another host counts as dead; undefined: never. */
  readonly staleMs?: number | undefined
}

const SIGN_MS = 20_000

/**
 * Takes the lock at `folder`, which is created for it, or throws `locked` at once. Each owner has the next number, and
 * a file of that name that only one process can create. The highest number is the lock. So exactly one process takes
 * over a dead owner's lock, and nobody removes a lock that another just took.
 */
export function acquireLock(folder: string, options: LockOptions): Lock {
  try {
    makeFolder(folder)
    return take(folder, options)
  } catch (error) {
    if (error instanceof RunError) throw error
    throw new RunError('cannot_create', `${options.label}: ${folder}: ${messageOf(error)}`, { cause: error })
  }
}

function take(folder: string, options: LockOptions): Lock {
  const temporary = join(folder, `.${process.pid}.${randomBytes(6).toString('hex')}`)
  const number = latestNumber(folder) + 1
  writeDurably(temporary, ownIdentity())
  try {
    if (number > 1) refuseHeld(join(folder, String(number - 1)), { ...options, now: statSync(temporary).mtimeMs })
    const isTaken = isLinked(temporary, join(folder, String(number))) && latestNumber(folder) === number
    if (!isTaken) throw new RunError('locked', `${options.label} is being taken by another run.`)
    return hold(folder, number)
  } finally {
    rmSync(temporary, { force: true })
  }
}

function latestNumber(folder: string): number {
  return readdirSync(folder).reduce((latest, name) => (/^\d+$/.test(name) ? Math.max(latest, Number(name)) : latest), 0)
}

/** Throws unless the owner is known to be dead, released the lock, or is on another host and silent for long enough. */
function refuseHeld(file: string, { label, staleMs, now }: LockOptions & { readonly now: number }): void {
  const owner = readOwner(file, label)
  if (owner === null) return
  const life = processState(owner)
  if (life === 'dead') return
  const age = now - statSync(file).mtimeMs
  if (life === 'unknown' && staleMs !== undefined && age >= staleMs) return
  const since = life === 'unknown' ? `, last seen ${formatDuration(age)} ago (--lock-stale takes it over)` : ''
  throw new RunError('locked', `${label} is held by ${describeProcess(owner)}${since}.`)
}

/** Null for a released lock. An unreadable lock counts as held. */
function readOwner(file: string, label: string): ProcessIdentity | null {
  try {
    const owner = JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity | null
    if (owner === null || (Number.isSafeInteger(owner.pid) && typeof owner.host === 'string')) return owner
  } catch (cause) {
    throw new RunError('locked', `${label}: ${file} cannot be read; remove it if no run holds it.`, { cause })
  }
  throw new RunError('locked', `${label}: ${file} names no owner; remove it if no run holds it.`)
}

/** False if the name is taken. `link` creates a file with its content in one step, on every file system. */
function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Sends heartbeats until the release. The highest number stays, so that no number is reused. */
function hold(folder: string, number: number): Lock {
  const file = join(folder, String(number))
  for (const name of readdirSync(folder)) {
    if (/^\d+$/.test(name) && Number(name) < number) rmSync(join(folder, name), { force: true })
  }
  const timer = setInterval(() => showLife(file), SIGN_MS).unref()
  return {
    release() {
      clearInterval(timer)
      const released = join(folder, `.${number}.released`)
      try {
        writeDurably(released, null)
        renameSync(released, file)
      } catch {
        // The disk is full or gone. The lock then ends with this process: a dead owner holds nothing.
      }
    },
  }
}

/** Rewrites what is there: the change time then comes from the file system's clock, which other hosts see too. */
function showLife(file: string): void {
  // Where the file system is away for a while, the next heartbeat may reach it.
  orElse(undefined, () => withFile(file, 'r+', (descriptor) => writeSync(descriptor, '{', 0)))
}

function writeDurably(file: string, content: ProcessIdentity | null): void {
  writeFileSync(file, JSON.stringify(content), { flag: 'wx', mode: 0o600, flush: true })
}
