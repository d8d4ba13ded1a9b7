import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ResumedEvent } from '../../../src/contracts/events.ts'
import { ownedFolder } from '../../../src/lib/fs/ownedFolder.ts'
import { ownIdentity } from '../../../src/lib/process/processIdentity.ts'
import { verifyTranscript } from '../../../src/report/transcript/verifyTranscript.ts'
import { bash, playRun } from '../../helpers/runs/playRun.ts'
import { killedRun, killRun, POLICY, resume } from '../../helpers/runs/resumedRuns.ts'

describe('a killed run', () => {
  it('continues; a call with an unknown outcome is not repeated, and the model is told so', async () => {
    const run = await killedRun()
    const ended = await resume(run, {}, bash('echo two >> log.txt'))
    expect(ended.code, ended.stderr).toBe(0)
    const { messages } = ended.api.requests[0]?.body ?? {}
    expect(messages).toHaveLength(5)
    expect(messages[0].content[0].text).toBe('write the log')
    const [unknown, never, words] = messages[4].content
    expect(unknown).toMatchObject({ is_error: true, content: expect.stringMatching(/^Interrupted, outcome unknown/) })
    expect(never).toMatchObject({ is_error: true, content: 'Not run: the run ended before this call started.' })
    expect(words.text).toContain('killed, without a last record')
    expect(readFileSync(join(run.project, 'log.txt'), 'utf8')).toBe('one\ntwo\n')
    const [init, resumed] = ended.records
    expect(init).toMatchObject({ resumed_from: { run: expect.any(String), seq: expect.any(Number) } })
    expect(resumed).toMatchObject({ subtype: 'resumed', used: { turns: 2, tool_calls: 3 } })
    expect(await verifyTranscript(ended.transcript)).toMatchObject({ isIntact: true })
  })

  it('continues again from the record of its resume alone, with its additions', { tags: 'long' }, async () => {
    const run = await killedRun()
    const first = await resume(run, { args: ['--max-turns', '3'] }, bash('echo two >> log.txt'))
    const again = { ...run, transcript: join(run.base, 'moved', 'second.jsonl') }
    cpSync(first.transcript, again.transcript, { recursive: true })
    writeFileSync(run.transcript, '')
    const ended = await playRun([], { args: ['--resume', again.transcript], prompt: 'and now sing', policy: POLICY })
    expect(ended.code).toBe(0)
    const text = JSON.stringify(ended.api.requests[0]?.body.messages)
    expect(text).toMatch(/write the log.*echo one.*outcome unknown.*echo two.*max_turns.*and now sing/)
    const resumed = ended.records[1] as ResumedEvent
    expect(resumed.used).toMatchObject({ turns: 3, tool_calls: 4 })
  })
})

describe.runIf(process.platform === 'linux')('what a killed run left (needs Linux)', () => {
  it('running is ended before the new run starts, and the model is told', { tags: 'long' }, async () => {
    const markerOf = (transcript: string) => {
      const [first = '{}'] = readFileSync(transcript, 'utf8').split('\n')
      return `KODE_RUN_ID=${JSON.parse(first).run}`
    }
    const run = await killRun({
      more: 'sandbox: { mode: off }\n',
      until: (transcript) => expect.poll(() => bearers(markerOf(transcript)), { timeout: 20_000 }).not.toEqual([]),
    })
    const marker = markerOf(run.transcript)
    expect(bearers(marker)).not.toEqual([])
    const ended = await resume(run, { args: ['--accept-policy-change'] })
    expect([ended.code, bearers(marker)]).toEqual([0, []])
    const text = JSON.stringify(ended.api.requests[0]?.body.messages.at(-1))
    expect(text).toMatch(/An earlier process was still running: .*sleep 60.*, ended now/)
    expect(ended.records).toContainEqual(
      expect.objectContaining({ code: 'start', message: expect.stringMatching(/left a process: .*sleep 60/) }),
    )
  })

  it('as temporary folders is removed by the next run', { tags: 'long' }, async () => {
    const run = await killedRun()
    const tmp = mkdtempSync(join(run.base, 'tmp-'))
    const dead = { ...ownIdentity(), pid: run.child.pid ?? 0 }
    for (const name of ['account', 'hooks', 'base']) {
      mkdirSync(join(tmp, `kode-run-${name}-x`, 'deep'), { recursive: true })
      writeFileSync(join(tmp, `kode-run-${name}-x`, '.owner'), JSON.stringify(dead))
    }
    const living = ownedFolder(tmp, 'kode-run-account-')
    const ended = await resume(run, { env: { TMPDIR: tmp } })
    expect([ended.code, readdirSync(tmp)]).toEqual([0, [basename(living)]])
  })
})

/** The processes that bear this variable. */
function bearers(marker: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(marker)
    } catch {
      return false
    }
  })
}
