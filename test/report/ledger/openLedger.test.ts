import { appendFileSync, chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { LedgerLimit } from '../../../src/contracts/settings.ts'
import { ownIdentity } from '../../../src/lib/process/processIdentity.ts'
import { describeLimit, type OpenLedger, openLedger, usageUnder } from '../../../src/report/ledger/openLedger.ts'
import { type LedgerRun, readLedger } from '../../../src/report/ledger/readLedger.ts'
import { acquireLock } from '../../../src/run/resume/acquireLock.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

function makeLedger(): string {
  const folder = makeFolder()
  return folder
}

function start(
  folder: string,
  run: string,
  limits: readonly LedgerLimit[],
  usd: number | null = 1,
): Promise<OpenLedger> {
  const { signal } = new AbortController()
  const until = new Date(Date.now() + 60_000)
  const wanted = { usd, tokens: null }
  return openLedger({ folder, run, limits, wanted, until, signal, acquireLock, repository: 'r', workflow: 'w' })
}

const answer = (usd: number, at = new Date().toISOString()) =>
  ({ type: 'answer', at, n: 1, model: 'm', usd, tokens: 10, partial: false }) as const

it('gives runs that start together no more than the limit', async () => {
  const folder = makeLedger()
  const limits = [{ usd: 3.5, every: 'day' }] as const
  const started = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => start(folder, `run-${n}`, limits)))
  const granted = started.flatMap((each) => (each.status === 'fulfilled' ? (each.value.granted.usd ?? 0) : []))
  expect(granted.toSorted()).toEqual([0.5, 1, 1, 1])
  expect((await readLedger(folder)).runs).toHaveLength(4)
})

it('says what is used up, when it renews and what helps', async () => {
  const folder = makeLedger()
  const first = await start(folder, 'one', [], 2)
  first.append(answer(1.5))
  const refusal = start(folder, 'two', [{ usd: 2, every: 'day' }])
  await expect(refusal).rejects.toMatchObject({
    reason: 'max_budget',
    message: expect.stringMatching(
      /of 2 USD a day 1\.5 USD are spent, and 1 run that goes on has reserved 0\.5 USD .*renews at \d{4}-\d\d-\d\d 00:00 UTC; raise this limit in `run\.ledger\.limits`.*or start again when those runs have ended/,
    ),
  })
  first.close()
  expect((await start(folder, 'two', [{ usd: 2, every: 'day' }])).granted.usd).toBe(0.5)
})

it('counts what a killed run has spent, and its reservation only while it may go on', async () => {
  const folder = makeLedger()
  const run = await start(folder, 'one', [], 2)
  run.append({ type: 'ask', at: new Date().toISOString(), n: 1, model: 'm' })
  run.append(answer(0.25))
  run.append({ type: 'ask', at: new Date().toISOString(), n: 2, model: 'm' })
  const [name = ''] = readdirSync(folder).filter((each) => each.endsWith('.jsonl'))
  const text = readFileSync(join(folder, name), 'utf8')
  const rewrite = (process: object, until: number) => {
    const [opening = '', ...rest] = text.split('\n')
    const changed = { ...JSON.parse(opening), process, until: new Date(until).toISOString() }
    writeFileSync(join(folder, name), [JSON.stringify(changed), ...rest].join('\n'))
  }
  const used = async () => {
    const { runs } = await readLedger(folder)
    return usageUnder({ usd: 9 }, runs, { repository: 'r', workflow: 'w', now: new Date() })
  }
  rewrite({ ...ownIdentity(), pid: 2 ** 22 + 1 }, Date.now() + 60_000)
  expect(await used()).toEqual({ spent: 0.25, reserved: 0, going: 0 })
  expect((await readLedger(folder)).runs[0]?.isLowerBound).toBe(true)
  rewrite({ ...ownIdentity(), host: 'elsewhere' }, Date.now() + 60_000)
  expect(await used()).toEqual({ spent: 0.25, reserved: 1.75, going: 1 })
  rewrite({ ...ownIdentity(), host: 'elsewhere' }, Date.now() - 120_000)
  expect(await used()).toEqual({ spent: 0.25, reserved: 0, going: 0 })
})

it.each<[LedgerLimit, number, string]>([
  [{ usd: 1 }, 15, '1 USD in all'],
  [{ usd: 1, every: 'day' }, 12, '1 USD a day'],
  [{ usd: 0.5, every: 'month' }, 14, '0.5 USD a month'],
  [{ usd: 1, per: 'repository' }, 7, '1 USD in all for each repository'],
  [{ usd: 1, every: 'day', per: 'workflow' }, 8, '1 USD a day for each workflow'],
  [{ tokens: 5_000, every: 'day' }, 20, '5,000 tokens a day'],
])('counts under %j', (limit, spent, words) => {
  const run = (repository: string, workflow: string, ...answers: LedgerRun['answers']): LedgerRun => ({
    ...{ run: 'x', repository, workflow, answers, isGoing: false, isLowerBound: false },
    reserved: { usd: 1, tokens: null },
  })
  const runs = [
    run('a', 'v', answer(4, '2026-03-31T23:59:59.999Z')),
    run('a', 'w', answer(1, '2026-02-28T10:00:00.000Z'), answer(2, '2026-03-30T01:00:00.000Z')),
    run('b', 'w', answer(8, '2026-03-31T00:00:00.000Z')),
  ]
  const now = new Date('2026-03-31T12:00:00.000Z')
  expect(usageUnder(limit, runs, { repository: 'a', workflow: 'w', now }).spent).toBe(spent)
  expect(describeLimit(limit)).toBe(words)
})

it('leaves no file for a run that asked nothing', async () => {
  const folder = makeLedger()
  const run = await start(folder, 'one', [])
  run.close()
  expect(readdirSync(folder)).toEqual(['lock'])
})

it('names damaged entries and foreign files, and counts the rest', async () => {
  const folder = makeLedger()
  const run = await start(folder, 'one', [])
  run.append(answer(1))
  const [name = ''] = readdirSync(folder).filter((each) => each.endsWith('.jsonl'))
  appendFileSync(join(folder, name), '{"type":"answer","usd":-5}\n{"type":"ans')
  writeFileSync(join(folder, 'notes.txt'), 'hello')
  writeFileSync(join(folder, '2026-01-01-other.jsonl'), '')
  const { runs, problems } = await readLedger(folder)
  expect(runs.map(({ answers }) => answers.length)).toEqual([1])
  expect(problems).toEqual([
    expect.stringMatching(/2026-01-01-other\.jsonl: its first entry is missing/),
    expect.stringMatching(/-one\.jsonl:3: a damaged entry/),
    expect.stringMatching(/-one\.jsonl:4: a damaged entry/),
    expect.stringMatching(/notes\.txt: no run wrote this/),
  ])
  expect(() => run.append(answer(1))).toThrow(/cannot be written.*something else wrote to it/)
})

it.runIf(process.getuid?.() !== 0)('ends the run where a file cannot be read (not as root)', async () => {
  const folder = makeLedger()
  await start(folder, 'one', [])
  const [name = ''] = readdirSync(folder).filter((each) => each.endsWith('.jsonl'))
  chmodSync(join(folder, name), 0)
  await expect(start(folder, 'two', [])).rejects.toMatchObject({ reason: 'io_error' })
})

it('ends the run where a folder is in the place of a file', async () => {
  const folder = makeLedger()
  mkdirSync(join(folder, '2026-01-01-x.jsonl'))
  await expect(start(folder, 'two', [])).rejects.toMatchObject({
    reason: 'io_error',
    message: expect.stringContaining('2026-01-01-x.jsonl'),
  })
})
