import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { TranscriptRecord } from '../../src/contracts/events.ts'
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
  return kodeRun(['verify', 't.jsonl', ...flags], { cwd: folder })
}

describe('kode-run verify says', () => {
  it('that a record is whole, of which run, and its head', async () => {
    expect(await said(RECORDS)).toEqual({
      ...{ code: 0, stderr: '' },
      stdout: `t.jsonl: intact, ${RECORDS.length} records of run run-1, head ${HEAD}\n`,
    })
    expect(await said(RECORDS, '', '--head', HEAD)).toMatchObject({ code: 0 })
  })

  it('that a noted head is not in it: 65', async () => {
    const noted = 'f'.repeat(64)
    expect(await said(RECORDS, '', '--head', noted)).toMatchObject({
      code: 65,
      stdout: [
        `t.jsonl: not intact from record ${RECORDS.length + 1} on, ${RECORDS.length} records of run run-1, head ${HEAD}`,
        `  line ${RECORDS.length + 1}, record ${RECORDS.length + 1}: no record has the noted head ${noted}: the file was cut or changed\n`,
      ].join('\n'),
    })
  })

  it('after which call a run was killed, with a line for each thing that is missing: 65', async () => {
    const cut = RECORDS.slice(0, RESULT + 2)
    const facts = `${cut.length} records of run run-1, head ${headOf(cut)}`
    const [line, record] = [cut.length + 1, cut.length + 1]
    expect(await said(cut, '{"v":1,"ru')).toMatchObject({
      code: 65,
      stdout: [
        `t.jsonl: intact but unfinished: killed after call 2, or still running. ${facts}`,
        `  line ${line}, record ${record}: the line is not whole JSON`,
        `  line ${line}, record ${record}: the end record is missing`,
        `  line ${line}, record ${record}: the call toolu_3 has no result`,
        'See what it did: kode-run report t.jsonl',
        'If it was killed, continue it: kode-run --resume t.jsonl\n',
      ].join('\n'),
    })
    const [first] = RECORDS
    const begun = await said(first === undefined ? [] : [first])
    expect(begun.stdout).toMatch(/^t\.jsonl: intact but unfinished: killed before its first call ended, or still/)
  })

  it.each([
    ['', 'the end record is missing', 1],
    ['{"v":1,"ru', 'the line is not whole JSON', 2],
  ])('that nothing was done where there is %j: 65', async (text, reason, problems) => {
    const seen = await said([], text)
    const [first, ...lines] = seen.stdout.trimEnd().split('\n')
    expect([seen.code, first]).toEqual([
      65,
      't.jsonl: nothing was done: killed before the first record, or still starting.',
    ])
    expect(lines).toHaveLength(problems)
    expect(lines[0]).toBe(`  line 1, record 1: ${reason}`)
  })

  it('that a file has no run: 65', async () => {
    const seen = await said([], 'my notes\nof today\n')
    expect(seen.stdout).toMatch(
      /^t\.jsonl: not intact from record 1 on, 0 records of run \(none\), head 0{64}\n {2}line 1/,
    )
  })

  it('all of it to programs, with --json', async () => {
    expect(JSON.parse((await said(RECORDS, '', '--json')).stdout)).toEqual({
      ...{ isIntact: true, isUnfinished: false, hasEnd: true, problems: [], run: 'run-1', head: HEAD },
      ...{ records: RECORDS.length, calls: 5 },
    })
  })

  it('nothing that a runner of jobs takes for a command, whoever forged the record', async () => {
    const run = 'r\n::add-mask::a\r\n  ::warning::b\u001b[2J'
    const [own, forged] = [RECORDS.slice(0, -1), stamp(sampleRun(), run).slice(-1)]
    const { stdout } = await said([...own, ...forged])
    const { stderr } = await kodeRun(['report', 't.jsonl'], { cwd: folder })
    for (const text of [stdout, stderr]) {
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
    const seen = await kodeRun(['verify', 'deadbeef'], { cwd: folder, env })
    expect([seen.code, seen.stderr]).toEqual([
      2,
      expect.stringContaining('verify deadbeef: there is no run with this id'),
    ])
  })
})
