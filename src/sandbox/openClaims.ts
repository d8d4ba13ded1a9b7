import { randomBytes } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ProcessIdentity } from '../contracts/events.ts'
import { isWithin } from '../lib/isWithin.ts'
import { lifeOf, ownIdentity } from '../lib/processIdentity.ts'

/** What the runs of this user agree on by files, where several work in one checkout. */
export interface Claims {
  /** Where these files are. Children must not reach it. */
  readonly folder: string
  /** From its return on no other run removes the paths, until `give`. */
  take(): void
  /** Calls `remove` while no other run can take the paths; `isTaken` is true for a path that another run needs. */
  give(remove: (isTaken: (path: string) => boolean) => void): void
  /** Calls `remove` for the folder of every run that was killed, and forgets the run when that is gone. */
  forgetKilled(remove: (scratch: string) => Promise<void>): void
  close(): void
}

const STATES = ['idle', 'held', 'leaving'] as const

type Claim = { readonly owner: ProcessIdentity; readonly paths: readonly string[]; readonly scratch: string }
type State = (typeof STATES)[number]
type Found = { readonly file: string; readonly claim: Claim }

/** Longer than any removal takes. */
const MOST_WAIT_MS = 2_000
const DAY_MS = 86_400_000

/**
 * Every run has a file, whose name says what it does. Who wants the paths says so and then looks whether someone is
 * removing; who removes says so and then looks whether someone wants them. One of the two sees the other, whatever comes
 * first; and the file of a dead process counts for nothing.
 */
export function openClaims(paths: readonly string[], scratch: string): Claims {
  const folder = openOwnFolder()
  const id = `${process.pid}-${randomBytes(6).toString('hex')}`
  const own = JSON.stringify({ owner: ownIdentity(), paths, scratch } satisfies Claim)
  let file = join(folder, `${id}.idle`)
  writeFileSync(file, own, { mode: 0o600 })

  const become = (state: State) => {
    const next = join(folder, `${id}.${state}`)
    try {
      renameSync(file, next)
    } catch {
      // Somebody cleaned the folder for temporary files.
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(next, own, { mode: 0o600 })
    }
    file = next
  }
  const others = (state: State) => claimsIn(folder, state).filter((found) => found.file !== file && isAlive(found))
  const isAnyLeaving = () => others('leaving').some(({ claim }) => claim.paths.some((path) => paths.includes(path)))
  return {
    folder,
    take() {
      become('held')
      const end = performance.now() + MOST_WAIT_MS
      while (isAnyLeaving() && performance.now() < end) pause()
    },
    give(remove) {
      become('leaving')
      const taken = others('held').flatMap(({ claim }) => claim.paths)
      remove((path) => taken.some((other) => isWithin(other, path)))
      become('idle')
    },
    forgetKilled(remove) {
      const all = STATES.flatMap((state) => claimsIn(folder, state))
      for (const { file: dead, claim } of all.filter((found) => lifeOf(found.claim.owner) === 'dead')) {
        const isOurs = claim.scratch !== '' && dirname(claim.scratch) === dirname(scratch)
        void (isOurs ? remove(claim.scratch) : Promise.resolve()).then(() => rmSync(dead, { force: true }))
      }
    },
    close: () => rmSync(file, { force: true }),
  }
}

/** A folder that only this user can write. If another user was there first, the run is by itself. */
function openOwnFolder(): string {
  const uid = process.getuid?.() ?? 0
  const folder = join(tmpdir(), `kode-run-claims-${uid}`)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch {
    // It is there, from a run before.
  }
  const stat = lstatSync(folder, { throwIfNoEntry: false })
  const isOwn = stat?.isDirectory() === true && stat.uid === uid && (stat.mode & 0o077) === 0
  return isOwn ? folder : mkdtempSync(`${folder}-`)
}

function claimsIn(folder: string, state: State): Found[] {
  return readFolder(folder)
    .filter((name) => name.endsWith(`.${state}`))
    .flatMap((name) => {
      const claim = readClaim(join(folder, name))
      return claim === undefined ? [] : [{ file: join(folder, name), claim }]
    })
}

function readFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Undefined where it has gone over to another state, or is none. */
function readClaim(file: string): Claim | undefined {
  try {
    const { owner, paths, scratch } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Claim>
    const isClaim = typeof owner?.pid === 'number' && Array.isArray(paths) && typeof scratch === 'string'
    return isClaim ? { owner, paths: paths.map(String), scratch } : undefined
  } catch {
    return undefined
  }
}

/** A process of another container is not seen from here: its word holds for a day. */
function isAlive({ file, claim }: Found): boolean {
  const life = lifeOf(claim.owner)
  if (life !== 'unknown') return life === 'alive'
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat !== undefined && Date.now() - stat.ctimeMs < DAY_MS
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
}
