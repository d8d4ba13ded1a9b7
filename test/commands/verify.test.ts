import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startMessagesServer } from '../helpers/model/messagesServer.ts'
import { runCli } from '../helpers/runs/cliRun.ts'
import { kodeRun } from '../helpers/runs/kodeRun.ts'

/** A run of a few records, and what stderr said of its head. */
async function recordedRun() {
  const server = await startMessagesServer([
    { turn: { tools: [{ name: 'LS', input: { path: '.' } }] } },
    { turn: { say: 'done' } },
  ])
  onTestFinished(() => server.close())
  const run = await runCli(['look'], { server })
  return { ...run, head: /\bhead ([0-9a-f]{64})/.exec(run.stderr)?.[1] ?? '' }
}

function verify(...args: string[]) {
  return kodeRun(['verify', ...args], { cwd: '/' })
}

describe('kode-run verify', () => {
  it('reports an unchanged record as intact, with the head that the console showed', async () => {
    const run = await recordedRun()
    const seen = await verify(run.transcript)
    expect([seen.code, seen.stdout]).toEqual([0, expect.stringContaining(`intact, ${run.records.length} records`)])
    expect(seen.stdout).toContain(`head ${run.head}`)
    expect((await verify(run.transcript, '--head', run.head)).code).toBe(0)
    expect(JSON.parse((await verify(run.transcript, '--json')).stdout)).toMatchObject({
      isIntact: true,
      head: run.head,
    })
  })

  it('report says where a record was changed, and shows it all the same', async () => {
    const run = await recordedRun()
    const path = join(run.base, 'changed.jsonl')
    writeFileSync(path, readFileSync(run.transcript, 'utf8').replaceAll('"done"', '"fine"'))
    const report = (file: string) => kodeRun(['report', file], { cwd: '/' })
    expect(await report(run.transcript)).toMatchObject({ stderr: '', code: 0 })
    const changed = await report(path)
    expect(changed.stderr).toMatch(
      /changed\.jsonl:\d+: not intact from record \d+ on \(.+\): do not trust this report\.\n$/,
    )
    expect(changed.stdout).toContain('fine')
  })

  it('names the first bad record: 65', { tags: 'long' }, async () => {
    const run = await recordedRun()
    const lines = readFileSync(run.transcript, 'utf8').split('\n')
    const line = lines.findIndex((text) => text.includes('"assistant"'))
    const path = join(run.base, 'changed.jsonl')
    writeFileSync(path, lines.with(line, lines[line]?.replace('"LS"', '"Rm"') ?? '').join('\n'))
    const seen = await verify(path)
    expect([seen.code, seen.stdout]).toEqual([65, expect.stringContaining(`not intact from record ${line + 2} on`)])
  })

  it('reports a record without an end as unfinished, with its last call: 65', { tags: 'long' }, async () => {
    const run = await recordedRun()
    const lines = readFileSync(run.transcript, 'utf8').split('\n')
    const result = lines.findIndex((text) => text.includes('"tool_result"'))
    const path = join(run.base, 'killed.jsonl')
    const write = (text: string) => writeFileSync(path, text)
    write(`${lines.slice(0, result + 1).join('\n')}\n{"v":1,"ru`)
    const seen = await verify(path)
    expect([seen.code, seen.stdout]).toEqual([
      65,
      expect.stringContaining(': intact but unfinished: killed after call 1,'),
    ])
    write(`${lines.slice(0, result).join('\n')}\n`)
    expect((await verify(path)).stdout).toContain(': intact but unfinished: killed before its first call ended')
    write(`${lines.slice(1, result).join('\n')}\n`)
    expect((await verify(path)).stdout).toContain(': not intact from record 2 on')
  })

  it.each([
    ['an empty file', ''],
    ['a torn first record', '{"v":1,"ru'],
  ])('says that a run did nothing that was killed before its first record (%s): 65', async (_, text) => {
    const path = join(mkdtempSync(join(tmpdir(), 'kode-run-verify-')), 'killed.jsonl')
    onTestFinished(() => rmSync(dirname(path), { recursive: true }))
    writeFileSync(path, text)
    const seen = await verify(path)
    expect([seen.code, seen.stdout]).toEqual([
      65,
      expect.stringContaining(': nothing was done: killed before the first record'),
    ])
  })

  it('detects a truncated record with a forged end by a saved head', { tags: 'long' }, async () => {
    const run = await recordedRun()
    const path = join(run.base, 'cut.jsonl')
    writeFileSync(path, readFileSync(run.transcript, 'utf8').split('\n').slice(0, 3).join('\n'))
    const seen = await verify(path, '--head', run.head)
    expect([seen.code, seen.stdout]).toEqual([65, expect.stringMatching(/end record is missing[\s\S]*noted head/)])
  })

  it('refuses a file that is not a transcript: 65', async () => {
    expect((await verify('/nowhere')).code).toBe(65)
  })
})
