import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { TranscriptRecord } from '../../src/contracts/events.ts'
import { foldReport } from '../../src/report/fold/foldReport.ts'
import { createStatement } from '../../src/report/formats/attestation.ts'
import { hashOfLine } from '../../src/report/transcript/hashOfLine.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { sampleRun, stamp } from '../helpers/runs/events.ts'
import { kodeRun } from '../helpers/runs/kodeRun.ts'

const RECORDS = stamp(sampleRun())
const HEAD = headOf(RECORDS)
/** Where the second call, an error, has its result. */
const RESULT = RECORDS.findIndex((record) => JSON.stringify(record).includes('# fail 1')) + 1

let folder: string
beforeEach(() => {
  folder = makeFolder()
})

function headOf(records: readonly TranscriptRecord[]): string {
  return hashOfLine(JSON.stringify(records.at(-1)))
}

/** What is said of a transcript of these records, and of what stands behind them. */
async function said(records: readonly TranscriptRecord[], more = '', ...flags: string[]) {
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('')
  writeFileSync(join(folder, 't.jsonl'), `${text}${more}`)
  writeFileSync(join(folder, 'none.json'), '{}')
  for (const [name, seen] of [['own', records] as const, ['other', KILLED] as const]) {
    const transcript = createHash('sha256').update(`${text}${more}`).digest('hex')
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(createStatement(foldReport(seen), { transcript })))
  }
  return kodeRun(['verify', 't.jsonl', ...flags], { cwd: folder })
}

const [FIRST] = RECORDS
const KILLED = RECORDS.slice(0, RESULT + 2)

const FULL = stamp([...sampleRun().slice(0, RESULT - 1), ...sampleRun({ exit_reason: 'io_error' }).slice(-1)])

type Row = readonly [name: string, code: number, records: readonly TranscriptRecord[], more?: string, flags?: string[]]
const SEEN: readonly Row[] = [
  ['a whole record', 0, RECORDS],
  ['as JSON', 0, RECORDS, '', ['--json']],
  ['with the noted head', 0, RECORDS, '', ['--head', HEAD]],
  ['with another head', 65, RECORDS, '', ['--head', 'f'.repeat(64)]],
  ['with a head that is none', 2, RECORDS, '', ['--head', HEAD.slice(0, 12)]],
  ['with a longer head', 2, RECORDS, '', ['--head', `${HEAD}0`]],
  ['with its statement', 0, RECORDS, '', ['--attestation', 'own.json']],
  ['with the statement of another', 65, RECORDS, '', ['--attestation', 'other.json']],
  ['with the statement of another, as JSON', 65, RECORDS, '', ['--attestation', 'other.json', '--json']],
  ['with no statement', 65, RECORDS, '', ['--attestation', 'none.json']],
  ['of a run that was killed', 65, KILLED, '{"v":1,"ru'],
  ['of a run whose disk was full', 65, FULL],
  ['of a run that was killed before its first call', 65, FIRST === undefined ? [] : [FIRST]],
  ['of nothing', 65, []],
  ['of half a line', 65, [], '{"v":1,"ru'],
  ['of notes', 65, [], 'my notes\nof today\n'],
  ['with a record that was changed', 65, RECORDS.with(3, { ...RECORDS[3], seq: 4, v: 1, n: 1 } as never)],
  ['without one in the middle', 65, RECORDS.toSpliced(4, 1)],
]

describe('kode-run verify says', () => {
  // Read it as somebody who has to trust a record: `npx vitest run test/commands/verifyWords.test.ts -u` writes it.
  it('what a record is, and what is wrong with it', async () => {
    const told: string[] = []
    for (const [name, code, records, more, flags = []] of SEEN) {
      const { code: ended, stdout, stderr } = await said(records, more, ...flags)
      expect([name, ended]).toEqual([name, code])
      told.push(`== ${name}: ${ended}`, (stdout + stderr).replaceAll(folder, 'FOLDER'))
    }
    await expect(told.join('\n')).toMatchFileSnapshot('golden/verify.txt')
  })

  it('nothing that a runner of jobs takes for a command, whoever forged the record', async () => {
    const run = 'r\n::add-mask::a\r\n  ::warning::b\u001b[2J'
    const [own, forged] = [RECORDS.slice(0, -1), stamp(sampleRun(), run).slice(-1)]
    const { stdout } = await said([...own, ...forged])
    const { stderr } = await kodeRun(['report', 't.jsonl'], { cwd: folder })
    const judged = await kodeRun(['policy', 'suggest', 't.jsonl'], { cwd: folder })
    for (const text of [stdout, stderr, judged.stderr]) {
      expect(text).toContain('a record of another run, r\n')
      expect(text).not.toMatch(/^\s*::/m)
      expect(text).not.toContain('\u001b')
    }
  })

  it('where it looked, for a run that it was told by its id or as the last one', async () => {
    const id = '0190a1b2-0000-7000-8000-000000000001'
    const state = join(folder, 'state/kode-run')
    mkdirSync(state, { recursive: true, mode: 0o700 })
    const path = join(state, `${id}.jsonl`)
    const records = stamp(sampleRun().with(0, { ...(RECORDS[0] as TranscriptRecord), cwd: folder } as never))
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    const env = { XDG_STATE_HOME: join(folder, 'state') }
    for (const name of [id, id.slice(0, 8), 'last']) {
      const seen = await kodeRun(['verify', name], { cwd: folder, env })
      expect(seen.stdout + seen.stderr).toMatch(/^\/.*0190a1b2-.*: intact/)
      expect(seen.stdout.startsWith(path)).toBe(true)
    }
    expect((await kodeRun(['verify', 'gone.jsonl'], { cwd: folder })).code).toBe(65)
    const seen = await kodeRun(['verify', 'deadbeef'], { cwd: folder, env })
    const words = 'verify deadbeef: there is no run with this id'
    expect([seen.code, seen.stderr]).toEqual([2, expect.stringContaining(words)])
  })
})
