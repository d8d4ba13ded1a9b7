import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { RunError } from '../contracts/errors.ts'
import type { ProcessIo } from '../contracts/processIo.ts'
import { groupBy } from '../lib/groupBy.ts'
import { formatNumber, oneLine } from '../lib/text/words.ts'
import { type LedgerRun, readLedger } from '../report/ledger/readLedger.ts'
import { escapeWorkflowCommands } from '../report/markdown/encodeUntrusted.ts'
import type { CommandLine } from './runCommandLine.ts'

type Row = ReturnType<typeof rowOf>

/**
 * `kode-run usage [LEDGER]`: what the runs of a ledger have spent, by day (UTC), repository, workflow or model, as a
 * table or as JSON. Damaged entries and foreign files are named on stderr, and in the JSON.
 */
export async function usage(io: ProcessIo, { positionals, flags }: CommandLine): Promise<number> {
  const named = positionals[0] ?? io.environment['KODE_RUN_LEDGER']
  if (!named) throw new RunError('usage', 'Name the folder of the ledger, or set KODE_RUN_LEDGER.')
  const folder = resolve(io.cwd, named.startsWith('~/') ? `${io.home}${named.slice(1)}` : named)
  if (!existsSync(folder)) throw new RunError('bad_input', `There is no ledger ${folder}.`)
  const by = (flags['by'] as keyof typeof KEYS | undefined) ?? 'day'
  const since = readSince(flags['since'] as string | undefined)
  const { runs, problems } = await readLedger(folder)
  const entries = runs.flatMap((run) => entriesOf(run, KEYS[by], since))
  const rows = [...groupBy(entries, ({ key }) => key)].map(([key, group]) => ({ key, ...rowOf(group) }))
  const sorted = rows.toSorted((a, b) => (by === 'day' ? a.key.localeCompare(b.key) : b.usd - a.usd))
  const total = rowOf(entries)
  for (const problem of problems) io.warn(escapeWorkflowCommands(`${problem}\n`))
  io.print(
    flags['json'] === true
      ? `${JSON.stringify({ v: 1, ledger: folder, by, rows: sorted, total, problems }, null, 2)}\n`
      : escapeWorkflowCommands(table(by, sorted, total)),
  )
  return 0
}

type Answer = LedgerRun['answers'][number]
/** One answer, or what a run that goes on may still spend. */
type Entry = { readonly key: string; readonly run: LedgerRun; readonly answer?: Answer; readonly reserved: number }
type KeyOf = (run: LedgerRun, answer: Pick<Answer, 'at' | 'model'>) => string

const KEYS = {
  day: (_, { at }) => at.slice(0, 10),
  repository: ({ repository }) => repository,
  workflow: ({ workflow }) => workflow,
  model: (_, { model }) => model,
} satisfies Record<string, KeyOf>

function entriesOf(run: LedgerRun, keyOf: KeyOf, since: string): Entry[] {
  const spent = run.answers.reduce((sum, { usd }) => sum + (usd ?? 0), 0)
  const rest = { at: new Date().toISOString(), model: run.answers.at(-1)?.model ?? 'not asked yet' }
  return [
    ...run.answers
      .filter(({ at }) => at >= since)
      .map((answer) => ({ key: keyOf(run, answer), run, answer, reserved: 0 })),
    ...(run.isGoing ? [{ key: keyOf(run, rest), run, reserved: Math.max(0, (run.reserved.usd ?? 0) - spent) }] : []),
  ]
}

function rowOf(entries: readonly Entry[]) {
  const answers = entries.flatMap(({ answer }) => answer ?? [])
  return {
    runs: new Set(entries.map(({ run }) => run)).size,
    answers: answers.filter(({ partial }) => !partial).length,
    tokens: answers.reduce((sum, { tokens }) => sum + tokens, 0),
    usd: answers.reduce((sum, { usd }) => sum + (usd ?? 0), 0),
    /** What runs that go on may still spend. */
    reserved_usd: entries.reduce((sum, { reserved }) => sum + reserved, 0),
    /** True if the cost of an answer is not known. */
    is_lower_bound: entries.some(({ run }) => run.isLowerBound),
  }
}

function readSince(text: string | undefined): string {
  if (text === undefined) return ''
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(Date.parse(text)))
    throw new RunError('usage', `--since: ${JSON.stringify(text)} is no date; write 2026-01-31, or a time of ISO 8601.`)
  return new Date(text).toISOString()
}

function table(by: string, rows: readonly (Row & { readonly key: string })[], total: Row): string {
  if (rows.length === 0) return 'Nothing is spent.\n'
  const head = [by, 'runs', 'answers', 'tokens', 'USD', 'reserved']
  const cells = [...rows, { key: 'total', ...total }].map((row) => [
    oneLine(row.key, 80),
    ...[row.runs, row.answers, row.tokens].map(formatNumber),
    `${row.is_lower_bound ? '≥ ' : ''}${row.usd.toFixed(4)}`,
    row.reserved_usd === 0 ? '' : row.reserved_usd.toFixed(4),
  ])
  const widths = head.map((name, column) => Math.max(name.length, ...cells.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) =>
    `${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ')}`.trimEnd()
  return `${[head, ...cells].map(line).join('\n')}\n`
}
