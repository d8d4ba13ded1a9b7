import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { messageOf, RunError } from '../../contracts/errors.ts'
import { processSchema } from '../../contracts/events/itemShapes.ts'
import { READ } from '../../lib/fs/diskPath.ts'
import { orElse } from '../../lib/orElse.ts'
import { processState } from '../../lib/process/processIdentity.ts'

const count = z.int().nonnegative()
const at = z.iso.datetime()

/** One line of a ledger file. A run writes `open` first, `ask` before each request, `answer` after it, `close` last. */
const ledgerEntrySchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('open'),
    v: z.literal(1),
    at,
    /** The run has ended by then, whatever happened to it: its time limit. */
    until: at,
    run: z.string(),
    repository: z.string(),
    workflow: z.string(),
    /** What the run may spend at most. Null: not limited, so nothing is reserved. */
    reserved: z.object({ usd: z.number().nonnegative().nullable(), tokens: count.nullable() }),
    process: processSchema,
  }),
  z.object({ type: z.literal('ask'), at, n: count, model: z.string() }),
  z.object({
    type: z.literal('answer'),
    at,
    /** The request that it answers. */
    n: count,
    model: z.string(),
    /** Null for a model without a price. */
    usd: z.number().nonnegative().nullable(),
    tokens: count,
    /** True for an answer that broke off: the request goes on, and its usage is a lower bound. */
    partial: z.boolean(),
  }),
  z.object({ type: z.literal('close'), at }),
])

export type LedgerEntry = z.infer<typeof ledgerEntrySchema>
export type LedgerOpening = Extract<LedgerEntry, { type: 'open' }>
type LedgerAnswer = Extract<LedgerEntry, { type: 'answer' }>

/** What one run wrote into a ledger. */
export type LedgerRun = Pick<LedgerOpening, 'run' | 'repository' | 'workflow' | 'reserved'> & {
  readonly answers: readonly LedgerAnswer[]
  /** True while it may still spend: it is not closed, and it is not known to have ended. */
  readonly isGoing: boolean
  /** True if an answer is missing whose cost is therefore unknown: the run was killed or cut while it waited. */
  readonly isLowerBound: boolean
}

/** The folder of the lock, which is no entry. */
export const LEDGER_LOCK = 'lock'

const OWN_NAME = /^\d{4}-\d\d-\d\d-[\w-]+\.jsonl$/
const MAX_BYTES = 64 * 1024 * 1024
const AT_ONCE = 32
/** Clocks of hosts differ, and the last record of a run takes a moment. */
const SLACK_MS = 60_000

/**
 * The runs of a ledger, and its problems: damaged entries and files that no run wrote, one sentence each. They count for
 * nothing but what can be read. Throws `io_error` if the folder or one of its files cannot be read.
 */
export async function readLedger(folder: string, now = new Date()) {
  const names = (await readdir(folder).catch((error: unknown) => unreadable(folder, error))).toSorted()
  const runs: LedgerRun[] = []
  const problems: string[] = []
  for (let start = 0; start < names.length; start += AT_ONCE) {
    const files = names.slice(start, start + AT_ONCE).filter((name) => name !== LEDGER_LOCK && !name.startsWith('.'))
    const read = await Promise.all(files.map((name) => readRun(folder, name, now)))
    for (const { run, found } of read) {
      if (run !== undefined) runs.push(run)
      problems.push(...found)
    }
  }
  return { runs, problems }
}

type ReadRun = { readonly run: LedgerRun | undefined; readonly found: readonly string[] }

async function readRun(folder: string, name: string, now: Date): Promise<ReadRun> {
  const path = join(folder, name)
  if (!OWN_NAME.test(name)) return { run: undefined, found: [`${path}: no run wrote this; move it elsewhere.`] }
  const text = await readText(path)
  if (text === undefined) return { run: undefined, found: [] }
  const found: string[] = []
  let opening: LedgerOpening | undefined
  let isClosed = false
  const answers: LedgerAnswer[] = []
  const open = new Set<number>()
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') continue
    const entry = orElse(undefined, () => ledgerEntrySchema.safeParse(JSON.parse(line)).data)
    if (entry === undefined) found.push(`${path}:${index + 1}: a damaged entry; what it says is not counted.`)
    else if (entry.type === 'open') opening ??= entry
    else if (entry.type === 'ask') open.add(entry.n)
    else if (entry.type === 'close') isClosed = true
    else {
      answers.push(entry)
      if (!entry.partial) open.delete(entry.n)
    }
  }
  if (opening === undefined) {
    return { run: undefined, found: [...found, `${path}: its first entry is missing; nothing of it is counted.`] }
  }
  const { run, repository, workflow, reserved } = opening
  const isGoing = !isClosed && mayBeGoing(opening, now)
  const isLowerBound = (open.size > 0 && !isGoing) || answers.some(({ partial, usd }) => partial || usd === null)
  return { run: { run, repository, workflow, reserved, answers, isGoing, isLowerBound }, found }
}

/** A killed run on another host counts as going until its time limit, because nothing else is known about it. */
function mayBeGoing({ process, until }: LedgerOpening, now: Date): boolean {
  const state = processState(process)
  return state === 'alive' || (state === 'unknown' && now.getTime() < Date.parse(until) + SLACK_MS)
}

/** The text of a regular file; undefined if its run removed it in the meantime. */
async function readText(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, READ)
    try {
      const stat = await file.stat()
      if (!stat.isFile() || stat.size > MAX_BYTES) throw new Error('it is no file of a ledger')
      return await file.readFile('utf8')
    } finally {
      await file.close()
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    return unreadable(path, error)
  }
}

function unreadable(path: string, error: unknown): never {
  throw new RunError('io_error', `The ledger cannot be read: ${path}: ${messageOf(error)}`, { cause: error })
}
