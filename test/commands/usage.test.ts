import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ownIdentity } from '../../src/lib/process/processIdentity.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { kodeRun } from '../helpers/runs/kodeRun.ts'

function makeLedger(): string {
  const folder = makeFolder()
  const opening = (repository: string) => ({
    ...{ type: 'open', v: 1, at: '2026-03-30T10:00:00.000Z', until: '2026-03-30T11:00:00.000Z', run: repository },
    ...{ repository, workflow: 'nightly', reserved: { usd: 2, tokens: null }, process: ownIdentity() },
  })
  const answer = (day: string, model: string, usd: number | null) => ({
    ...{ type: 'answer', at: `2026-03-${day}T10:00:00.000Z`, n: 1, model, usd, tokens: 1_000, partial: false },
  })
  const write = (name: string, entries: readonly object[]) =>
    writeFileSync(join(folder, name), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  write('2026-03-30-a.jsonl', [
    opening('shop'),
    answer('30', 'big', 1.5),
    { type: 'close', at: '2026-03-30T10:30:00.000Z' },
  ])
  write('2026-03-30-b.jsonl', [opening('blog'), answer('30', 'big', 0.25), answer('31', 'own', null)])
  writeFileSync(join(folder, 'x.txt'), '')
  return folder
}

it.each([
  ['repository', ['repository', 'shop', 'blog', 'total'], '≥ 1.7500    1.7500'],
  ['model', ['model', 'big', 'own', 'total'], '≥ 1.7500    1.7500'],
  ['workflow', ['workflow', 'nightly', 'total'], '≥ 1.7500    1.7500'],
])('shows what is spent by %s', async (by, first, total) => {
  const folder = makeLedger()
  const { code, stdout, stderr } = await kodeRun(['usage', folder, '--by', by], { cwd: folder })
  expect([code, stderr]).toEqual([0, expect.stringContaining('x.txt: no run wrote this')])
  const lines = stdout.trimEnd().split('\n')
  expect(lines.map((line) => line.split(' ')[0])).toEqual(first)
  expect(lines.at(-1)).toContain(total)
})

it('starts at a day, and prints JSON', async () => {
  const folder = makeLedger()
  const place = { cwd: folder, env: { KODE_RUN_LEDGER: folder } }
  const { stdout } = await kodeRun(['usage', '--json', '--by', 'repository', '--since', '2026-03-31'], place)
  expect(JSON.parse(stdout)).toMatchObject({
    rows: [{ key: 'blog', answers: 1, usd: 0, reserved_usd: 1.75, is_lower_bound: true }],
    problems: [expect.stringContaining('x.txt')],
  })
})

it.each([
  [[], 2, 'KODE_RUN_LEDGER'],
  [['missing'], 65, 'There is no ledger'],
  [['.', '--since', 'yesterday'], 2, '--since: "yesterday" is no date'],
])('refuses %j', async (words, code, why) => {
  const folder = makeLedger()
  const ended = await kodeRun(['usage', ...words], { cwd: folder })
  expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(why)])
})
