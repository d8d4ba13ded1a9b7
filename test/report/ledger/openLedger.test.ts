import { appendFileSync, chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { RunError } from '../../../src/contracts/errors.ts'
import type { LedgerLimit } from '../../../src/contracts/settings.ts'
import { ownIdentity } from '../../../src/lib/process/processIdentity.ts'
import { counted } from '../../../src/lib/text/words.ts'
import { describeLimit, type LedgerOptions, openLedger } from '../../../src/report/ledger/openLedger.ts'
import { readLedger } from '../../../src/report/ledger/readLedger.ts'
import { acquireLock } from '../../../src/run/resume/acquireLock.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

function start(folder: string, run: string, limits: readonly LedgerLimit[], more: Partial<LedgerOptions> = {}) {
  const usual = {
    repository: 'r',
    workflow: 'w',
    wanted: { usd: 1, tokens: null },
    until: new Date(Date.now() + 60_000),
  }
  return openLedger({ folder, run, limits, signal: new AbortController().signal, acquireLock, ...usual, ...more })
}

function answer(usd: number, at = '2026-03-31T00:00:00.000Z') {
  return { type: 'answer', at, n: 1, model: 'm', usd, tokens: 10, partial: false } as const
}

it('gives runs that start together no more than the limit', async () => {
  const folder = makeFolder()
  const limits = [{ usd: 3.5, every: 'day' }] as const
  const started = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => start(folder, `run-${n}`, limits)))
  const granted = started.flatMap((each) => (each.status === 'fulfilled' ? (each.value.granted.usd ?? 0) : []))
  expect(granted.toSorted()).toEqual([0.5, 1, 1, 1])
  expect((await readLedger(folder)).runs).toHaveLength(4)
})

const MANY_PIDS = 2 ** 22 + 1
const [HERE, LATER, PAST] = [ownIdentity(), '2026-03-31T13:00:00.000Z', '2026-03-31T11:00:00.000Z']

/** The files of runs, by what is special about each. */
const GONE = { process: { ...HERE, pid: MANY_PIDS } }
const ELSEWHERE = { process: { ...HERE, host: 'elsewhere' } }
const UNPRICED = { ...answer(0), usd: null, tokens: 4_000 }
const FILES: Readonly<Record<string, readonly object[] | string>> = {
  '2026-02-28-ended': run({ repository: 'a', ...GONE }, answer(1, '2026-02-28T10:00:00.000Z')),
  '2026-03-30-closed': run({ repository: 'a' }, answer(2, '2026-03-30T01:00:00.000Z'), { type: 'close', at: PAST }),
  '2026-03-31-going': run({ repository: 'a', workflow: 'v', ...ELSEWHERE }, answer(0.5), ask(2)),
  '2026-03-31-cut': run({ repository: 'a', until: PAST, ...ELSEWHERE }, ask(1), answer(0.25), ask(2)),
  '2026-03-31-other': run({ repository: 'b', workflow: 'v', ...GONE }, answer(8)),
  '2026-03-31-unpriced': run({ repository: 'b', reserved: { usd: null, tokens: 5_000 } }, UNPRICED),
  '2026-03-31-partial': run(GONE, ask(1), { ...answer(0.1), partial: true }),
  '2026-03-31-twice': run(GONE, ...run({ repository: 'c' })),
  '2026-03-31-damaged': '{"type":"answer","usd":-5}\n\n{"type":"ans',
  '2026-03-31-empty': '',
}

function run(opening: object, ...rest: readonly object[]): readonly object[] {
  const about = { repository: 'r', workflow: 'w', until: LATER, reserved: { usd: 2, tokens: null }, process: HERE }
  return [{ type: 'open', v: 1, at: PAST, run: 'x', ...about, ...opening }, ...rest]
}

function ask(n: number): object {
  return { type: 'ask', at: PAST, n, model: 'm' }
}

const LIMITS: readonly LedgerLimit[] = [
  ...[{ usd: 14 }, { usd: 11, every: 'day' }, { usd: 13, every: 'month' }, { usd: 0.5, every: 'month' }, { usd: 1 }],
  ...[
    { usd: 2, every: 'day' },
    { usd: 6, per: 'repository' },
    { usd: 3, every: 'day', per: 'repository' },
  ],
  ...[{ usd: 0.5, every: 'day', per: 'workflow' }, { tokens: 5_060, every: 'day' }, { tokens: 5_081 }],
  { tokens: 9_000 },
] as const

/** A ledger with these files. */
function filledLedger(): string {
  const folder = makeFolder()
  for (const [name, lines] of Object.entries(FILES)) writeFileSync(join(folder, `${name}.jsonl`), textOf(lines))
  return folder
}

// A clock that stands still, at noon on the last day of March.
it('says what each limit leaves, when it renews, and what a file of a run says', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-31T12:00:00.000Z') })
  onTestFinished(() => void vi.useRealTimers())
  const told: string[] = []
  for (const limit of LIMITS) {
    const folder = filledLedger()
    const opened = await start(folder, 'new', [limit], { wanted: { usd: 1, tokens: 50 }, repository: 'a' }).then(
      ({ granted, narrowedBy }) => [`grants ${JSON.stringify(granted)}`, ...narrowedBy].join('\n  '),
      (error: RunError) => `${error.reason}: ${error.message}`,
    )
    told.push(`${describeLimit(limit)}\n  ${opened.replaceAll(folder, 'FOLDER')}`)
  }
  const folder = filledLedger()
  writeFileSync(join(folder, 'notes.txt'), 'hello')
  const { runs, problems } = await readLedger(folder)
  told.push(
    ...runs.map(({ answers, ...about }) => `${JSON.stringify(about)} with ${counted(answers.length, 'answer')}`),
  )
  told.push(...problems.map((problem) => problem.replaceAll(folder, 'FOLDER')))
  await expect(told.join('\n')).toMatchFileSnapshot('golden/limits.txt')
})

function textOf(lines: readonly object[] | string): string {
  return typeof lines === 'string' ? lines : lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

it('is no file that something else writes to', async () => {
  const folder = makeFolder()
  const mine = await start(folder, 'one', [])
  mine.append(answer(1))
  const [name = ''] = readdirSync(folder).filter((each) => each.endsWith('.jsonl'))
  appendFileSync(join(folder, name), 'x')
  expect(() => mine.append(answer(1))).toThrow(/cannot be written.*something else wrote to it/)
})

it('leaves no file for a run that asked nothing', async () => {
  const folder = makeFolder()
  const run = await start(folder, 'one', [])
  run.close()
  expect(readdirSync(folder)).toEqual(['lock'])
})

it.runIf(process.getuid?.() !== 0)('ends the run where a file cannot be read (not as root)', async () => {
  const folder = makeFolder()
  await start(folder, 'one', [])
  const [name = ''] = readdirSync(folder).filter((each) => each.endsWith('.jsonl'))
  chmodSync(join(folder, name), 0)
  await expect(start(folder, 'two', [])).rejects.toMatchObject({ reason: 'io_error' })
})

it('ends the run where a folder is in the place of a file', async () => {
  const folder = makeFolder()
  mkdirSync(join(folder, '2026-01-01-x.jsonl'))
  const message = expect.stringContaining('2026-01-01-x.jsonl')
  await expect(start(folder, 'two', [])).rejects.toMatchObject({ reason: 'io_error', message })
})
