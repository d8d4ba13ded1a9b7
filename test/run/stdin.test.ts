import { describe, expect, it, onTestFinished } from 'vitest'
import { serveTurns } from '../helpers/model/serveTurns.ts'
import { startCli } from '../helpers/runs/cliRun.ts'

describe('the prompt on stdin', () => {
  it('does not wait for a pipe that stays open and silent', { tags: 'long' }, async () => {
    const server = await serveTurns({ say: 'done' })
    const run = startCli(['x'], { server, keepStdinOpen: true })
    expect((await run.ended()).code).toBe(0)
  })

  it('says that it waits for stdin, and ends at the time limit', { tags: 'long' }, async () => {
    const started = startCli(['--timeout', '5s'], { keepStdinOpen: true })
    await started.saw('waiting for stdin to end')
    const run = await started.ended()
    expect([run.code, run.stderr]).toEqual([124, expect.stringContaining('stdin did not end within')])
  })

  it('times out if a prompt arrives slowly and never ends', { tags: 'long' }, async () => {
    const started = startCli(['--timeout', '2s'], { keepStdinOpen: true })
    const drops = setInterval(() => started.child.stdin?.write('x'), 100)
    onTestFinished(() => clearInterval(drops))
    expect((await started.ended()).code).toBe(124)
  })
})
