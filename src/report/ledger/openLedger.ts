import { constants, fstatSync, fsyncSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { orFail, RunError } from '../../contracts/errors.ts'
import type { LedgerLimit } from '../../contracts/settings.ts'
import { withFile } from '../../lib/fs/diskPath.ts'
import { orElse } from '../../lib/orElse.ts'
import { ownIdentity } from '../../lib/process/processIdentity.ts'
import { counted, formatNumber } from '../../lib/text/words.ts'
import { LEDGER_LOCK, type LedgerEntry, type LedgerOpening, type LedgerRun, readLedger } from './readLedger.ts'

/** Amounts of money and tokens; null: not limited. */
export type Amounts = LedgerOpening['reserved']

export type LedgerOptions = Pick<LedgerOpening, 'run' | 'repository' | 'workflow'> & {
  readonly folder: string
  readonly limits: readonly LedgerLimit[]
  /** What the run may spend at most by its own limits. */
  readonly wanted: Amounts
  /** When the run has ended, whatever happens. */
  readonly until: Date
  readonly signal: AbortSignal
  /** The start of a run has it loaded already. */
  readonly acquireLock: (folder: string, options: { label: string; staleMs: number }) => Lock
}

type Lock = { release(): void }

/** A run's own file in the ledger. */
export type OpenLedger = Awaited<ReturnType<typeof openLedger>>

const LOCK_MS = 60_000

/**
 * Reserves what the run may spend, before its first request. One run at a time reads the ledger and adds its file, so
 * runs in parallel never reserve more than the limits together. Throws `max_budget` with one sentence if a limit leaves
 * nothing, `io_error` if the ledger cannot be read, `locked` if other runs hold it for a minute.
 */
export async function openLedger(options: LedgerOptions) {
  const { folder, limits, wanted } = options
  const lock = await takeLock(options)
  try {
    const now = new Date()
    const { runs, problems } = await readLedger(folder, now)
    const left = limits.map((limit) => usageUnder(limit, runs, { ...options, now }))
    for (const each of left) if (leftOf(each) <= 0) throw new RunError('max_budget', refusal(each, folder, now))
    /** What this run may spend: what it wanted, or what the limits leave. */
    const granted: Amounts = { usd: least('usd', wanted.usd, left), tokens: least('tokens', wanted.tokens, left) }
    const narrow = left.filter((each) => leftOf(each) < (wanted[unitOf(each.limit)] ?? Number.POSITIVE_INFINITY))
    const file = createFile(options, granted, now)
    /** The limits that leave less than the run wanted, in words. */
    const narrowedBy = narrow.map(describeUsage)
    return { granted, problems, narrowedBy, ...file }
  } finally {
    lock.release()
  }
}

/** What runs have spent and reserved under one limit. Pure, but for the state of other processes in `runs`. */
function usageUnder(
  limit: LedgerLimit,
  runs: readonly LedgerRun[],
  { now, ...about }: Pick<LedgerOpening, 'repository' | 'workflow'> & { readonly now: Date },
) {
  const unit = unitOf(limit)
  const window = now.toISOString().slice(0, WINDOWS[limit.every ?? 'ever'])
  const counted = runs.filter((run) => limit.per === undefined || run[limit.per] === about[limit.per])
  const spentBy = ({ answers }: LedgerRun, start: string) =>
    answers.filter(({ at }) => at.startsWith(start)).reduce((sum, answer) => sum + (answer[unit] ?? 0), 0)
  const going = counted.filter(({ isGoing, reserved }) => isGoing && reserved[unit] !== null)
  return {
    limit,
    spent: counted.reduce((sum, run) => sum + spentBy(run, window), 0),
    reserved: going.reduce((sum, run) => sum + Math.max(0, (run.reserved[unit] ?? 0) - spentBy(run, '')), 0),
    going: going.length,
  }
}

/** How much of an ISO time names the window. */
const WINDOWS = { day: 10, month: 7, ever: 0 }

type Used = ReturnType<typeof usageUnder>

function unitOf({ usd }: LedgerLimit): 'usd' | 'tokens' {
  return usd === undefined ? 'tokens' : 'usd'
}

function leftOf({ limit, spent, reserved }: Used): number {
  return (limit.usd ?? limit.tokens ?? 0) - spent - reserved
}

function least(unit: 'usd' | 'tokens', wanted: number | null, left: readonly Used[]): number | null {
  const bounds = left.filter(({ limit }) => unitOf(limit) === unit).map(leftOf)
  return bounds.length === 0 ? wanted : Math.min(wanted ?? Number.POSITIVE_INFINITY, ...bounds)
}

/** `50 USD a day for each repository`. */
export function describeLimit(limit: LedgerLimit): string {
  const every = limit.every === undefined ? ' in all' : ` a ${limit.every}`
  return `${amount(limit, limit.usd ?? limit.tokens ?? 0)}${every}${limit.per === undefined ? '' : ` for each ${limit.per}`}`
}

function amount(limit: LedgerLimit, value: number): string {
  return unitOf(limit) === 'usd' ? `${Number(value.toFixed(4))} USD` : `${formatNumber(Math.round(value))} tokens`
}

/** `of 50 USD a day 48 USD are spent, and 1 run that goes on has reserved 2 USD`. */
function describeUsage(used: Used): string {
  const { limit, spent, reserved, going } = used
  const others =
    reserved === 0
      ? ''
      : `, and ${counted(going, 'run')} that ${going === 1 ? 'goes on has' : 'go on have'} reserved ${amount(limit, reserved)}`
  return `of ${describeLimit(limit)} ${amount(limit, spent)} are spent${others}`
}

function refusal(used: Used, folder: string, now: Date): string {
  const { limit, reserved } = used
  const renewal = limit.every === undefined ? 'It never renews' : `It renews at ${renewsAt(limit.every, now)}`
  const wait = reserved > 0 ? ', or start again when those runs have ended' : ''
  return `The budget across runs is used up: ${describeUsage(used)} (ledger ${folder}). ${renewal}; raise this limit in \`run.ledger.limits\` of the policy${wait}.`
}

function renewsAt(every: 'day' | 'month', now: Date): string {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const next = every === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1)
  return `${new Date(next).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Waits for other runs that are reading the ledger. */
async function takeLock({ folder, signal, acquireLock }: LedgerOptions): Promise<Lock> {
  for (const end = performance.now() + LOCK_MS; ; ) {
    try {
      return acquireLock(join(folder, LEDGER_LOCK), { label: `the ledger ${folder}`, staleMs: LOCK_MS })
    } catch (error) {
      if (!(error instanceof RunError) || error.reason !== 'locked' || performance.now() > end) throw error
      await sleep(10 + Math.random() * 90, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
}

/** The file appears as a whole, so no run reads half of the reservation. */
function createFile(options: LedgerOptions, reserved: Amounts, now: Date) {
  const { folder, run, repository, workflow, until } = options
  const name = `${now.toISOString().slice(0, 10)}-${run}.jsonl`
  const path = join(folder, name)
  let size = 0
  let hasAsked = false
  const write = (entry: LedgerEntry, target: string, flags: number) => {
    const line = `${JSON.stringify(entry)}\n`
    const end = size + Buffer.byteLength(line)
    const add = (file: number) => {
      if (fstatSync(file).size !== size) throw new Error('something else wrote to it')
      size += writeSync(file, line)
      if (size !== end) throw new Error('the disk is full')
      // Closed each time: that is when other hosts see it on a network file system.
      fsyncSync(file)
    }
    withFile(target, flags, add, 0o640)
  }
  const fault = `The ledger cannot be written: ${path}`
  const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  const times = { at: now.toISOString(), until: until.toISOString() }
  const about = { ...times, run, repository, workflow, reserved, process: ownIdentity() }
  orFail('io_error', fault, () => {
    const staged = join(folder, `.${name}`)
    write({ type: 'open', v: 1, ...about }, staged, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
    renameSync(staged, path)
  })
  /** Survives the end of the process when it returns. Throws `io_error`. */
  const append = (entry: LedgerEntry) => {
    hasAsked = true
    orFail('io_error', fault, () => write(entry, path, O_WRONLY | O_APPEND | O_NOFOLLOW))
  }
  return {
    append,
    /** Ends the reservation, or leaves it to the end of this process. No file if nothing was asked. Never throws. */
    close: () =>
      orElse(undefined, () =>
        hasAsked ? append({ type: 'close', at: new Date().toISOString() }) : rmSync(path, { force: true }),
      ),
  }
}
