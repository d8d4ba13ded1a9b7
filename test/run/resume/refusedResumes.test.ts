import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { serveTurns } from '../../helpers/model/serveTurns.ts'
import { startCli } from '../../helpers/runs/cliRun.ts'
import { bash } from '../../helpers/runs/playRun.ts'
import { DONE, killedRun, POLICY, resume, SLOW } from '../../helpers/runs/resumedRuns.ts'

describe('reasons not to resume', () => {
  it('another commit: a warning', { tags: 'long' }, async () => {
    const run = await killedRun()
    commitAgain(run.project)
    const ended = await resume(run, [], { server: await serveTurns(DONE) })
    expect(ended.code).toBe(0)
    expect(ended.records).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('is checked out now') }),
    )
  })

  it('its own process, or another resume of it, still alive: 75', { tags: 'long' }, async () => {
    const server = await serveTurns({ tools: [bash(SLOW)] })
    const run = startCli(['x', '--output-format', 'stream-json'], { server, policy: POLICY })
    await run.saw(`"tool_input":{"command":"${SLOW}"}`)
    const early = await resume(run, [], { server: await serveTurns() })
    expect([early.code, early.stderr]).toEqual([75, expect.stringContaining(`pid ${run.child.pid} on `)])
    run.child.kill('SIGKILL')
    await run.ended()
    const own = ['--resume', run.transcript, '--output-format', 'stream-json']
    const first = startCli(own, { after: run, server: await serveTurns({ tools: [bash(SLOW)] }), policy: POLICY })
    await first.saw(`"tool_input":{"command":"${SLOW}"}`)
    const second = await resume(run, [], { server: await serveTurns() })
    expect([second.code, second.stderr]).toEqual([75, expect.stringContaining(`pid ${first.child.pid} on `)])
    first.child.kill('SIGTERM')
    expect((await first.ended()).code).toBe(143)
    expect((await resume(run, [], { server: await serveTurns(DONE) })).code).toBe(0)
  })
})

function commitAgain(project: string): void {
  execFileSync(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'more', '--allow-empty'],
    {
      cwd: project,
    },
  )
}
