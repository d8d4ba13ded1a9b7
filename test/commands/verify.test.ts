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
})
