import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { EXIT_CODES } from '../../src/contracts/errors.ts'
import { commitAll } from '../helpers/git.ts'
import { startMessagesServer } from '../helpers/model/messagesServer.ts'
import { CLI_TEST_KEY, runCli, startCli } from '../helpers/runs/cliRun.ts'
import { commandLines } from '../helpers/runs/commandLines.ts'
import { bash, playRun, read, startPlay, write } from '../helpers/runs/playRun.ts'

/** No other run of these tests has a command of these words. */
const SLEEPS = { permissions: { allow: ['Bash(sleep *)'] } }
const LONG_SLEEP = `sleep 9${process.pid}`

describe('how a run ends', { tags: 'long' }, () => {
  it('at its time limit, in the middle of a command', async () => {
    const run = await playRun([bash('sleep 60')], { args: ['--timeout', '4s'], policy: SLEEPS })
    expect([run.code, run.result().exit_reason]).toEqual([EXIT_CODES.deadline.code, 'deadline'])
  })

  it('before any request: no folder for temporary files', async () => {
    const run = await playRun([], { env: { TMPDIR: join(import.meta.dirname, 'no/such folder') } })
    expect(run.stderr).toMatch(/no\/such folder.*set TMPDIR/)
    expect([run.code, run.api.requests]).toEqual([73, []])
  })

  it.each([
    ['SIGINT', 130, 'sigint'],
    ['SIGTERM', 143, 'sigterm'],
    ['SIGHUP', 129, 'sighup'],
  ] as const)(
    '%s in the middle of a command: %i, with its end record, and nothing left running',
    async (signal, code, reason) => {
      const run = await startPlay([bash(LONG_SLEEP)], { args: ['--output-format', 'stream-json'], policy: SLEEPS })
      await run.saw(LONG_SLEEP)
      run.child.kill(signal)
      const ended = await run.ended()
      expect([ended.code, ended.result().exit_reason]).toEqual([code, reason])
      expect(commandLines().filter(({ text }) => text === LONG_SLEEP)).toEqual([])
      const types = ended.records.map((record) => ('subtype' in record ? record.subtype : record.type))
      expect(types.filter((type) => type === 'tool_intent').length).toBe(ended.toolResults().length)
    },
  )
})

describe('what a run does', () => {
  it('plays the example through the real SDK: edits, tests, one denial, no key in sight, and the right patch', async () => {
    const example = join(import.meta.dirname, '../../examples/replay/fix-failing-test')
    const [old_string, new_string] = ['cents - cents * percent', 'cents - (cents * percent) / 100']
    const edit = { name: 'Edit', input: { file_path: 'src/price.js', old_string, new_string } }
    const commands = ['npm test', 'git push origin main', 'env'].map((line) => bash(line))
    const run = await playRun([[read('src/price.js'), bash('npm test')], edit, ...commands], {
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
    const run = await playRun([write('../policy.yml', 'version: 1\n'), { say: 'x' }], {
      policy: { permissions: { allow: ['Edit(//**)'] } },
      last: { tools: [{ name: 'Finish', input: { status: 'blocked', summary: 'it is blocked' } }] },
    })
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
