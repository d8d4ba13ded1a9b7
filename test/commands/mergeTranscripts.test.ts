import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Parser } from 'htmlparser2'
import { expect, it } from 'vitest'
import type { TranscriptRecord } from '../../src/contracts/events.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { sampleRun, stamp } from '../helpers/runs/events.ts'
import { kodeRun } from '../helpers/runs/kodeRun.ts'

type Merged = { readonly runs: readonly Record<string, unknown>[] } & Record<string, unknown>

const HOSTILE = '<img src=x onerror=alert(1)>'
const textOf = (records: readonly TranscriptRecord[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')
const runOf = (run: string, ending: Parameters<typeof sampleRun>[0] = {}, repository?: string) =>
  stamp(
    sampleRun(ending).map((event) =>
      repository !== undefined && event.type === 'system' && event.subtype === 'init'
        ? { ...event, repository }
        : event,
    ),
    run,
  )

/** Transcripts of every kind, some of them deep in folders. */
function makeFleet(): string {
  const folder = makeFolder()
  const good = textOf(runOf('good', {}, 'example.com/shop'))
  const files = {
    'a/good.jsonl': good,
    'a/copy.jsonl': good,
    'a/blobs/0000': 'a text of a record',
    'b/c/failed.jsonl': textOf(runOf('failed', { exit_reason: 'checks_failed', detail: HOSTILE }, HOSTILE)),
    'b/blocked.jsonl': textOf(runOf('blocked', { exit_reason: 'blocked', detail: 'No git push.' })),
    'b/limited.jsonl': textOf(runOf('limited', { exit_reason: 'max_turns', detail: '50 turns.' })),
    'killed.jsonl': `${textOf(runOf('killed').slice(0, 9))}{"v":1,"run":"kil`,
    'changed.jsonl': textOf(runOf('changed')).replace('Make the failing test pass.', 'Something else.'),
    'foreign.jsonl': '{"hello":1}\n',
    'empty.jsonl': '',
    'notes.txt': 'notes',
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, 'all', name)), { recursive: true })
    writeFileSync(join(folder, 'all', name), text)
  }
  symlinkSync('killed.jsonl', join(folder, 'all', 'link.jsonl'))
  return folder
}

const merge = (cwd: string, ...words: string[]) => kodeRun(['report', '--merge', ...words], { cwd })

it('has one row for each transcript, failures first, and the sums', async () => {
  const cwd = makeFleet()
  const { code, stdout, stderr } = await merge(cwd, 'all', 'all/a/good.jsonl', '--format', 'json')
  const { runs, ...sums }: Merged = JSON.parse(stdout)
  expect(code).toBe(0)
  const unfinished = ['all/empty.jsonl', 'all/foreign.jsonl', 'all/changed.jsonl', 'all/killed.jsonl']
  expect(runs.map(({ outcome, file }) => `${outcome} ${file}`)).toEqual([
    'failed all/b/c/failed.jsonl',
    ...unfinished.map((file) => `unfinished ${file}`),
    'blocked all/b/blocked.jsonl',
    'limited all/b/limited.jsonl',
    'good all/a/copy.jsonl',
  ])
  expect(sums).toMatchObject({
    outcomes: { failed: 1, unfinished: 4, blocked: 1, limited: 1, good: 1 },
    cost_is_lower_bound: true,
  })
  const costs = runs.map(({ cost_usd }) => (cost_usd ?? 0) as number)
  expect(sums['cost_usd']).toBeCloseTo(costs.reduce((sum, cost) => sum + cost, 0))
  expect(runs[0]).toMatchObject({ repository: HOSTILE, exit_code: 1, exit_reason: 'checks_failed', run: 'failed' })
  expect(runs.find(({ run }) => run === 'changed')).toMatchObject({ detail: expect.stringMatching(/^Not intact from/) })
  expect(runs.at(-1)).toMatchObject({ repository: 'example.com/shop', exit_code: 0, denials: 1 })
  expect(stderr.trimEnd().split('\n').toSorted()).toEqual([
    'all/a/good.jsonl: a copy of all/a/copy.jsonl; it is counted once.',
    'all/link.jsonl: not a transcript (*.jsonl); it is not read.',
    'all/notes.txt: not a transcript (*.jsonl); it is not read.',
  ])
})

it('is Markdown with totals and a table for each outcome', async () => {
  const { stdout } = await merge(makeFleet(), 'all')
  expect(stdout).toMatch(/^## 8 runs: 1 failed, 4 unfinished, 1 blocked, 1 limited, 1 good\n\nat least \$/)
  expect(stdout.match(/<details.*?<\/summary>/g)).toEqual([
    ...['1 failed', '4 unfinished', '1 blocked', '1 limited'].map(
      (words) => `<details open><summary><b>${words}</b></summary>`,
    ),
    '<details><summary><b>1 good</b></summary>',
  ])
  expect(stdout).not.toContain('<img')
})

it('is a page whose texts are texts, with no script but its own', async () => {
  const cwd = makeFleet()
  expect(await merge(cwd, 'all', '--format', 'html', '--output', 'fleet.html')).toMatchObject({ code: 0, stdout: '' })
  const page = readFileSync(join(cwd, 'fleet.html'), 'utf8')
  const seen: string[] = []
  const parser = new Parser({
    onopentag: (name, { src, href }) => void seen.push(name, ...[src, href].filter((link) => link !== undefined)),
  })
  parser.end(page)
  expect(seen.filter((name) => name === 'script')).toHaveLength(1)
  expect(seen.filter((name) => name === 'tr')).toHaveLength(9)
  expect(seen.filter((name) => /^(img|link|iframe|a)$|:/.test(name))).toEqual([])
  expect(page).toContain("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-")
})

it('names a transcript that was expected and is not there', async () => {
  const { stdout } = await merge(makeFleet(), 'all/a/good.jsonl', 'all/late.jsonl', '--format', 'json')
  const { runs }: Merged = JSON.parse(stdout)
  expect(runs).toMatchObject([
    { file: 'all/late.jsonl', outcome: 'unfinished', detail: 'There is no transcript.' },
    { file: 'all/a/good.jsonl', outcome: 'good' },
  ])
})

it('counts the attempts of one task as one run, as the last one ended', async () => {
  const cwd = makeFleet()
  const [failed, good, lost] = [
    textOf(runOf('first', { exit_reason: 'checks_failed' }, 'shop')),
    textOf(runOf('second', {}, 'shop')),
    textOf(runOf('third', { exit_reason: 'checks_failed' }, 'lost')),
  ]
  mkdirSync(join(cwd, 'again'))
  for (const [name, text] of Object.entries({ 'shop.attempt-1': failed, shop: good, 'lost.attempt-1': lost }))
    writeFileSync(join(cwd, 'again', `${name}.jsonl`), text)
  const { stdout } = await merge(cwd, 'again', '--format', 'json')
  const { runs, outcomes, turns }: Merged = JSON.parse(stdout)
  expect(outcomes).toMatchObject({ failed: 1, good: 1 })
  expect(runs).toMatchObject([
    { file: 'again/lost.attempt-1.jsonl', attempts: 1 },
    { file: 'again/shop.jsonl', repository: 'shop', outcome: 'good', attempts: 2 },
  ])
  const single = JSON.parse((await merge(cwd, 'again/shop.jsonl', '--format', 'json')).stdout)
  const [alone, , both] = [single.runs[0], ...runs] as Record<string, number>[]
  expect([both?.['turns'], both?.['cost_usd']]).toEqual([2 * (alone?.['turns'] ?? 0), 2 * (alone?.['cost_usd'] ?? 0)])
  expect(turns).toBe(3 * (alone?.['turns'] ?? 0))
  const table = await merge(cwd, 'again')
  expect(table.stdout).toContain('completed, attempt 2: ')
})

it.each([
  [['absent.jsonl'], 65, 'there are no transcripts'],
  [['all', '--format', 'sarif'], 2, '--merge: write --format markdown, html or json.'],
  [['all/a/blobs'], 65, 'there are no transcripts'],
  [['missing'], 65, 'there is no missing'],
])('refuses %j', async (words, code, why) => {
  const ended = await merge(makeFleet(), ...words)
  expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(why)])
})
