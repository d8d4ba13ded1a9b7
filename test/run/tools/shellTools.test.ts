import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { commandLines } from '../../helpers/runs/commandLines.ts'
import { bash, playRun, startPlay, write } from '../../helpers/runs/playRun.ts'

const POLICY = 'version: 1\npermissions: { allow: [Bash, "Edit(out/**)", "Edit(./pid)"] }\n'

function isRunning(words: string): boolean {
  return commandLines().some(({ text }) => text.includes(words))
}

describe('a command in the background', { tags: 'long' }, () => {
  const server = (seconds: number) => `echo up; echo $$ > pid; exec sleep ${seconds}`

  it('is read and ended by its id, and leaves nothing', async () => {
    const run = await playRun(
      [
        bash(server(3471), { run_in_background: true }),
        { name: 'BashOutput', input: { bash_id: 'bash_1', block: true, timeout: 3000 } },
        { name: 'TaskStop', input: { task_id: 'bash_1' } },
        { name: 'AgentOutputTool', input: { task_id: 'bash_1' } },
      ],
      { policy: POLICY, args: ['--tools', 'Bash,BashOutput,KillShell'] },
    )
    expect(existsSync(join(run.project, 'pid'))).toBe(true)
    expect(run.told[1]).toMatch(/^bash_1: running\nup$/)
    expect(run.told.slice(2)).toEqual(['bash_1 was ended.', expect.stringContaining('bash_1: killed')])
    expect(isRunning('sleep 3471')).toBe(false)
    expect(run.code).toBe(0)
  })

  it('sees what the tools write; a command that waits in its own view is told why it waited in vain', async () => {
    const forever = bash('sleep 3474', { timeout: 200 })
    const run = await playRun(
      [
        forever,
        bash('until test -e out/made; do sleep 0.05; done; echo seen', { run_in_background: true }),
        forever,
        write('out/made'),
        { name: 'BashOutput', input: { bash_id: 'bash_1', block: true, timeout: 60_000 } },
      ],
      { policy: POLICY, args: ['--tools', 'Bash,BashOutput,Write'] },
    )
    expect(run.told[0]).toMatch(/it reached its time limit\. Use a larger timeout, or run_in_background\.$/)
    expect(run.told[2]).toMatch(
      /\nA command works on the files as they are when it starts, and may never see what others write meanwhile\./,
    )
    expect(run.told[4]).toBe('bash_1: exited, exit code 0\nseen')
  })

  it('runs beside the agent and ends with the run', async () => {
    const run = await startPlay([bash(server(3472), { run_in_background: true }), bash('sleep 3473')], {
      policy: POLICY,
    })
    await run.saw('sleep 3472')
    while (!isRunning('sleep 3473')) await new Promise(setImmediate)
    expect(isRunning('sleep 3472')).toBe(true)
    run.child.kill('SIGTERM')
    expect((await run.ended()).code).toBe(143)
    expect([isRunning('sleep 3472'), isRunning('sleep 3473')]).toEqual([false, false])
  })
})

describe('PowerShell', () => {
  /** Stands where a real `pwsh` would: writes down what it was asked. */
  const STUB = '#!/bin/sh\nfor last; do :; done\necho "$last" > asked.txt\necho ran\n'
  const call = { name: 'PowerShell', input: { command: 'Get-ChildItem | Remove-Item' } }

  function play(policy: string, hasProgram = true) {
    const folder = makeFolder()
    if (hasProgram) writeFileSync(join(folder, 'pwsh'), STUB, { mode: 0o755 })
    const env = { PATH: `${folder}:${process.env['PATH']}` }
    return playRun([call], { policy, env, args: ['--tools', 'PowerShell'] })
  }

  it('runs if a bare rule allows it', { tags: 'long' }, async () => {
    const run = await play('version: 1\npermissions: { allow: [PowerShell, Edit] }\nsandbox: { mode: off }\n')
    expect(readFileSync(join(run.project, 'asked.txt'), 'utf8')).toBe('Get-ChildItem | Remove-Item\n')
    expect(run.told[0]).toContain('ran')
  })

  it('never runs if any rule checks commands or paths, because it is not analyzed', async () => {
    const run = await play(
      'version: 1\npermissions: { allow: [PowerShell], deny: ["Bash(rm *)"] }\nsandbox: { mode: off }\n',
    )
    expect(existsSync(join(run.project, 'asked.txt'))).toBe(false)
    expect(run.result().permission_denials).toMatchObject([{ tool_name: 'PowerShell' }])
  })

  it('is not offered without a rule or without the program', { tags: 'long' }, async () => {
    for (const run of [
      await play('version: 1\npermissions: { allow: [Bash] }\n'),
      await play('version: 1\npermissions: { allow: [PowerShell] }\n', false),
    ]) {
      expect(run.told[0]).toMatch(/^PowerShell is not offered in this run: /)
      expect(run.records[0]).toMatchObject({ subtype: 'init', tools: ['Finish'] })
    }
  })
})
