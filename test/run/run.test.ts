import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { EXIT_CODES } from '../../src/contracts/errors.ts'
import { commitAll } from '../helpers/git.ts'
import { startMessagesServer } from '../helpers/model/messagesServer.ts'
import { call, serveTurns } from '../helpers/model/serveTurns.ts'
import { CLI_TEST_KEY, runCli, startCli } from '../helpers/runs/cliRun.ts'
import { commandLines } from '../helpers/runs/commandLines.ts'

const finish = (status: string, more = {}) => call('Finish', { status, summary: `it is ${status}`, ...more })
const bash = (command: string, more = {}) => call('Bash', { command, ...more })

/** No other run of these tests has a command of these words. */
const LONG_SLEEP = `sleep 9${process.pid}`

describe('how a run ends', () => {
  it('at its time limit, in the middle of a command', { tags: 'long' }, async () => {
    const server = await serveTurns(bash('sleep 60'))
    const run = await runCli(['--timeout', '4s', 'do it'], {
      server,
      policy: 'version: 1\npermissions: { allow: ["Bash(sleep *)"] }\n',
    })
    expect([run.code, run.result().exit_reason]).toEqual([EXIT_CODES.deadline.code, 'deadline'])
  })

  it('before any request: no folder for temporary files', { tags: 'long' }, async () => {
    const server = await serveTurns()
    const missing = join(import.meta.dirname, 'no/such folder')
    const noTemporary = await runCli(['x'], { server, env: { TMPDIR: missing } })
    expect(noTemporary.stderr).toMatch(/no\/such folder.*set TMPDIR/)
    expect(noTemporary.code).toBe(73)
    expect(server.requests).toEqual([])
  })

  const signals = [
    ['SIGINT', 130, 'sigint'],
    ['SIGTERM', 143, 'sigterm'],
    ['SIGHUP', 129, 'sighup'],
  ] as const
  for (const [signal, code, reason] of signals) {
    it(`${signal} in the middle of a command: ${code}, with its end record, and nothing left running`, {
      tags: 'long',
    }, async () => {
      const server = await serveTurns(bash(LONG_SLEEP))
      const run = startCli(['x', '--output-format', 'stream-json'], {
        server,
        policy: 'version: 1\npermissions: { allow: ["Bash(sleep *)"] }\n',
      })
      await run.saw(LONG_SLEEP)
      run.child.kill(signal)
      const ended = await run.ended()
      expect([ended.code, ended.result().exit_reason]).toEqual([code, reason])
      expect(commandLines().filter(({ text }) => text === LONG_SLEEP)).toEqual([])
      const types = ended.records.map((record) => ('subtype' in record ? record.subtype : record.type))
      expect(types.filter((type) => type === 'tool_intent').length).toBe(ended.toolResults().length)
    })
  }
})

describe('what a run does', () => {
  it('plays the example through the real SDK: edits, tests, one denial, no key in sight, and the right patch', async () => {
    const example = join(import.meta.dirname, '../../examples/replay/fix-failing-test')
    const server = await serveTurns(
      {
        tools: [
          { name: 'Read', input: { file_path: 'src/price.js' } },
          { name: 'Bash', input: { command: 'npm test' } },
        ],
      },
      call('Edit', {
        file_path: 'src/price.js',
        old_string: 'cents - cents * percent',
        new_string: 'cents - (cents * percent) / 100',
      }),
      bash('npm test'),
      bash('git push origin main'),
      bash('env'),
      finish('completed'),
    )
    const run = await runCli(['mend it'], {
      server,
      policy: readFileSync(join(example, 'policy.yml'), 'utf8'),
      prepare: (project) => {
        execFileSync('cp', ['-r', `${example}/repo/.`, project])
        commitAll(project)
      },
    })
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('git push')])
    const result = run.result()
    expect(result.patch).toContain('+  return Math.max(0, Math.round(cents - (cents * percent) / 100))')
    expect(result.changes).toEqual([
      { path: 'src/price.js', status: 'modified', added: 1, removed: 1, by: ['toolu_test_2_1'] },
    ])
    expect(result.checks).toMatchObject([{ command: 'npm test', ok: true, exit_code: 0, attempts: 1 }])
    expect(result.permission_denials).toMatchObject([
      { tool_name: 'Bash', rule: 'Bash(git push *)', line: 10, tool_input: { command: 'git push origin main' } },
    ])
    expect(JSON.stringify(run.records)).not.toContain(CLI_TEST_KEY)
    expect(run.toolResults()[5]).not.toMatch(/ANTHROPIC|API_KEY|TOKEN/)
    expect(run.toolResults()[5]).toContain('PATH=')
  })

  it('uses the policy from its start, even if a call changes the file', { tags: 'long' }, async () => {
    const server = await serveTurns(
      call('Write', { file_path: '../policy.yml', content: 'version: 1\n' }),
      { say: 'x' },
      finish('blocked'),
    )
    const run = await runCli(['x'], { server, policy: 'version: 1\npermissions: { allow: ["Edit(//**)"] }\n' })
    expect(run.code).toBe(3)
    expect(readFileSync(join(run.base, 'policy.yml'), 'utf8')).toContain('Edit(//**)')
  })

  it('supports two runs in one project', { tags: 'long' }, async () => {
    const server = await startMessagesServer(() => ({ turn: { say: 'done' } }))
    onTestFinished(() => server.close())
    const first = startCli(['x'], { server })
    writeFileSync(join(first.project, 'a'), 'a')
    const runs = await Promise.all([first.ended(), ...[1, 2, 3].map(() => runCli(['x'], { server }))])
    expect(runs.map((run) => run.code)).toEqual([0, 0, 0, 0])
  })
})
