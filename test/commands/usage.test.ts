import { mkdirSync, writeFileSync } from 'node:fs'
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
  mkdirSync(join(folder, 'empty'))
  return folder
}

type Row = readonly [name: string, code: number, words: readonly string[], env?: Record<string, string>]
const ASKED: readonly Row[] = [
  ['by day', 0, ['.']],
  ['by repository', 0, ['.', '--by', 'repository']],
  ['by workflow', 0, ['.', '--by', 'workflow']],
  ['by model', 0, ['.', '--by', 'model']],
  [
    'from a day on, as JSON, of the folder that a variable names',
    0,
    ['--json', '--by', 'repository', '--since', '2026-03-31'],
    { KODE_RUN_LEDGER: '~/' },
  ],
  ['of nobody', 0, ['empty']],
  ['of no folder', 2, []],
  ['of a folder that is not there', 65, ['missing']],
  ['from no day', 2, ['.', '--since', 'yesterday']],
  ['from a day that is none', 2, ['.', '--since', '2026-13-31']],
]

// Read it as somebody who pays: `npx vitest run test/commands/usage.test.ts -u` writes it.
it('shows what is spent, what may still be, and what cannot be read', async () => {
  const cwd = makeLedger()
  const told: string[] = []
  for (const [name, code, words, env = {}] of ASKED) {
    const ended = await kodeRun(['usage', ...words], { cwd, env })
    expect([name, ended.code]).toEqual([name, code])
    told.push(`== ${name}: ${ended.code}`, ended.stdout + ended.stderr)
  }
  // What a run that goes on may still spend is of today.
  const text = told.join('\n').replace(/^\d{4}-\d\d-\d\d(?= .* \d\.\d+ +\d)/gm, 'TODAY     ')
  await expect(text.replaceAll(cwd, 'LEDGER')).toMatchFileSnapshot('golden/usage.txt')
})
