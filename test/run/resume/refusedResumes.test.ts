import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { serveTurns } from '../../helpers/model/serveTurns.ts'
import { runCli, startCli } from '../../helpers/runs/cliRun.ts'
import { bash, DONE, killedRun, POLICY, resume, SLOW } from '../../helpers/runs/resumedRuns.ts'
import { sampled } from '../../helpers/sampled.ts'

describe('reasons not to resume', () => {
  it('a changed record: 65, unless --repair', { tags: 'long' }, async () => {
    const run = await killedRun()
    const lines = readFileSync(run.transcript, 'utf8').split('\n')
    const line = lines.findIndex((text) => text.includes('echo one'))
    writeFileSync(run.transcript, lines.with(line, lines[line]?.replace('one', 'ten') ?? '').join('\n'))
    const refused = await resume(run, [], { server: await serveTurns() })
    expect([refused.code, refused.stderr]).toEqual([
      65,
      expect.stringMatching(/line \d+: it does not follow.*--repair/),
    ])
    const server = await serveTurns(DONE)
    expect((await resume(run, ['--repair'], { server })).code).toBe(0)
  })

  it('missing lines: 65, and with --repair every call still has a result', { tags: 'long' }, async () => {
    const run = await killedRun()
    const lines = readFileSync(run.transcript, 'utf8').split('\n')
    const result = lines.findIndex((line) => line.includes('"tool_result"'))
    writeFileSync(run.transcript, lines.toSpliced(result, 1).join('\n'))
    expect((await resume(run, [], { server: await serveTurns() })).code).toBe(65)
    const server = await serveTurns(DONE)
    expect((await resume(run, ['--repair'], { server })).code).toBe(0)
    expect(JSON.stringify(server.requests[0]?.body.messages)).toContain('Interrupted, outcome unknown')
  })

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

  it.each(
    sampled(
      [
        [['--apply-patch'], '--apply-patch needs --resume'],
        [['--lock-stale', '1h'], '--lock-stale needs --lock'],
        [['--lock', '../x'], '--lock: "../x" is not a name'],
      ],
      1,
    ),
  )('%j alone: 2', async (args, words) => {
    const ended = await runCli([...args, 'x'], { server: await serveTurns() })
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(words)])
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
