import { describe, expect, it } from 'vitest'
import { gitAt } from '../../helpers/git.ts'
import { bash, startPlay } from '../../helpers/runs/playRun.ts'
import { killedRun, POLICY, resume, SLOW } from '../../helpers/runs/resumedRuns.ts'

describe('reasons not to resume', () => {
  it('another commit: a warning', { tags: 'long' }, async () => {
    const run = await killedRun()
    gitAt(run.project)('commit', '-qm', 'more', '--allow-empty')
    const ended = await resume(run)
    expect(ended.code).toBe(0)
    const message = expect.stringContaining('is checked out now')
    expect(ended.records).toContainEqual(expect.objectContaining({ message }))
  })

  it('its own process, or another resume of it, still alive: 75', { tags: 'long' }, async () => {
    const args = ['--output-format', 'stream-json']
    const run = await startPlay([bash(SLOW)], { args, policy: POLICY })
    await run.saw(`"tool_input":{"command":"${SLOW}"}`)
    const early = await resume(run)
    expect([early.code, early.stderr]).toEqual([75, expect.stringContaining(`pid ${run.child.pid} on `)])
    run.child.kill('SIGKILL')
    await run.ended()
    const again = { prompt: null, args: ['--resume', run.transcript, ...args], after: run, policy: POLICY }
    const first = await startPlay([bash(SLOW)], again)
    await first.saw(`"tool_input":{"command":"${SLOW}"}`)
    const second = await resume(run)
    expect([second.code, second.stderr]).toEqual([75, expect.stringContaining(`pid ${first.child.pid} on `)])
    first.child.kill('SIGTERM')
    expect((await first.ended()).code).toBe(143)
    expect((await resume(run)).code).toBe(0)
  })
})
