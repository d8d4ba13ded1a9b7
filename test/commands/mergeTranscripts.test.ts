import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Parser } from 'htmlparser2'
import { expect, it } from 'vitest'
import type { TranscriptRecord } from '../../src/contracts/events.ts'
import { writeFiles } from '../helpers/effects/makeFiles.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { sampleRun, stamp } from '../helpers/runs/events.ts'
import { kodeRun } from '../helpers/runs/kodeRun.ts'

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
  const good = textOf(runOf('good', {}, 'example.com/shop'))
  const files = {
    'a/good.jsonl': good,
    'a/copy.jsonl': good,
    'a/blobs/0000': 'a text of a record',
    'a/5f0c8a52-1d3e-4b7a-9c6f-2e8d7b1a0f34-outputs.jsonl': '{"kind":"comment","body":"A proposal."}\n',
    'b/c/failed.jsonl': textOf(runOf('failed', { exit_reason: 'checks_failed', detail: HOSTILE }, HOSTILE)),
    'b/blocked.jsonl': textOf(runOf('blocked', { exit_reason: 'blocked', detail: 'No git push.' })),
    'b/limited.jsonl': textOf(runOf('limited', { exit_reason: 'max_turns', detail: '50 turns.' })),
    'killed.jsonl': `${textOf(runOf('killed').slice(0, 9))}{"v":1,"run":"kil`,
    'changed.jsonl': textOf(runOf('changed')).replace('Make the failing test pass.', 'Something else.'),
    'foreign.jsonl': '{"hello":1}\n',
    'empty.jsonl': '',
    'notes.txt': 'notes',
    'link.jsonl': '-> killed.jsonl',
    '../again/shop.attempt-1.jsonl': textOf(runOf('first', { exit_reason: 'checks_failed' }, 'shop')),
    '../again/shop.jsonl': textOf(runOf('second', {}, 'shop')),
    '../again/lost.attempt-1.jsonl': textOf(runOf('third', { exit_reason: 'checks_failed' }, 'lost')),
  }
  const folder = makeFolder()
  writeFiles(join(folder, 'all'), files)
  return folder
}

const merge = (cwd: string, ...words: string[]) => kodeRun(['report', '--merge', ...words], { cwd })

const MERGES: readonly (readonly [name: string, code: number, words: readonly string[]])[] = [
  ['all, one of them twice', 0, ['all', 'all/a/good.jsonl']],
  ['one that was expected and is not there', 0, ['all/a/good.jsonl', 'all/late.jsonl']],
  // The attempts of one task are one run, as the last one ended.
  ['attempts', 0, ['again']],
  ['attempts, as JSON', 0, ['again', '--format', 'json']],
  ['good ones alone', 0, ['all/a', 'again/shop.jsonl']],
  ['nothing that is there', 65, ['absent.jsonl']],
  ['a format that shows one run', 2, ['all', '--format', 'sarif']],
  ['a folder of other files', 65, ['all/a/blobs']],
  ['a folder that is not there', 65, ['missing']],
]

// Read it as somebody who started a fleet: `npx vitest run test/commands/mergeTranscripts.test.ts -u` writes it.
it('has one row for each run, failures first, and the sums', async () => {
  const cwd = makeFleet()
  const told: string[] = []
  for (const [name, code, words] of MERGES) {
    const { code: ended, stdout, stderr } = await merge(cwd, ...words)
    expect([name, ended]).toEqual([name, code])
    expect(stdout).not.toContain('<img')
    told.push(`== ${name}: ${ended}`, stdout + stderr)
  }
  await expect(told.join('\n')).toMatchFileSnapshot('golden/merge.txt')
})

const REPORTS: readonly (readonly [name: string, code: number, words: readonly string[]])[] = [
  ['one that is whole', 0, ['all/a/good.jsonl']],
  ['one that was killed, and one that was changed', 0, ['all/killed.jsonl', 'all/changed.jsonl']],
  ['one of something else', 65, ['all/foreign.jsonl']],
  ['one without a record', 65, ['all/empty.jsonl']],
  ['one that is not there', 65, ['all/late.jsonl']],
  ['a folder', 65, ['all']],
  ['a place that cannot be written', 73, ['all/a/good.jsonl', '--output', 'all']],
]

it.each([
  [
    'markdown',
    /^## ❔ The record is not intact\n\nThe transcript is not intact from record 2 on \(.*Its end says: Completed\./,
  ],
  ['html', /class="run unknown".*The record is not intact/s],
  ['junit', /<failure message="The record is not intact: The transcript is not intact from record 2 on/],
])('shows no verdict of a record that was changed: %s', async (format, shown) => {
  const words = ['report', '--format', format, 'all/changed.jsonl']
  expect((await kodeRun(words, { cwd: makeFleet() })).stdout).toMatch(shown)
})

it('says of a report what it stands on', async () => {
  const cwd = makeFleet()
  const told: string[] = []
  for (const [name, code, words] of REPORTS) {
    const { code: ended, stdout, stderr } = await kodeRun(['report', '--format', 'code-quality', ...words], { cwd })
    told.push(`== ${name}: ${ended}`, (stdout + stderr).replaceAll(cwd, 'FLEET'))
    expect([name, ended]).toEqual([name, code])
  }
  await expect(told.join('\n')).toMatchFileSnapshot('golden/report.txt')
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
