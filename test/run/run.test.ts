import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { EXIT_CODES, type ExitReason } from '../../src/contracts/errors.ts'
import type { Turn } from '../../src/model/replay/renderTurn.ts'
import { commitAll } from '../helpers/git.ts'
import { type Step, startMessagesServer } from '../helpers/model/messagesServer.ts'
import { call, serveTurns } from '../helpers/model/serveTurns.ts'
import { CLI_TEST_KEY, type CliOptions, runCli, startCli } from '../helpers/runs/cliRun.ts'
import { commandLines } from '../helpers/runs/commandLines.ts'

const READ_ONLY = 'version: 1\npermissions: { presets: [read-only] }\n'

const finish = (status: string, more = {}) => call('Finish', { status, summary: `it is ${status}`, ...more })
const bash = (command: string, more = {}) => call('Bash', { command, ...more })

/** One row per way to end that one process can show: the answers, the flags and policy, the reason, and the log's words. */
const ENDS: readonly {
  readonly reason: ExitReason
  readonly name: string
  readonly said?: string
  readonly steps: readonly (Step | Turn)[]
  readonly args?: readonly string[]
  readonly options?: CliOptions
}[] = [
  { reason: 'completed', name: 'a plain end of turn', steps: [{ say: 'done' }] },
  { reason: 'completed', name: 'Finish', said: 'The agent finished the task.', steps: [finish('completed')] },
  {
    reason: 'completed',
    name: 'a step of the list is open, which the agent hears once',
    said: 'The agent ended its turn; one of its steps is open.',
    steps: [
      call('TodoWrite', { todos: [{ content: 'look', status: 'pending', activeForm: 'looking' }] }),
      { say: 'Let me look:' },
      { say: 'Let me look:' },
    ],
  },
  {
    reason: 'completed',
    name: 'a denial where the policy lets nothing be changed',
    said: 'Completed: The agent finished the task. One call was denied.',
    steps: [bash('gh pr review 5 --approve'), finish('completed')],
  },
  { reason: 'task_failed', name: 'Finish: failed', steps: [finish('failed')] },
  {
    reason: 'blocked',
    name: '--fail-on-denied, at the first denial, though work was done',
    steps: [call('Write', { file_path: 'note', content: 'x' }), bash('touch x'), finish('completed')],
    args: ['--fail-on-denied'],
    options: { policy: READ_ONLY.replace('] }', '], allow: ["Edit(note)"] }') },
  },
  { reason: 'blocked', name: 'Finish: blocked', steps: [finish('blocked')] },
  {
    reason: 'blocked',
    name: 'a denial, and no Finish when asked for it',
    steps: [bash('touch x'), { say: 'well' }, { say: 'hm' }, { say: 'no' }],
  },
  {
    reason: 'completed',
    name: 'a denial, and Finish when asked for it',
    steps: [bash('touch x'), { say: 'well' }, finish('completed')],
  },
  { reason: 'max_turns', name: '--max-turns', steps: [call('LS', { path: '.' })], args: ['--max-turns', '1'] },
  {
    reason: 'max_tool_calls',
    name: '--max-tool-calls',
    steps: [{ tools: [1, 2, 3].map(() => ({ name: 'LS', input: { path: '.' } })) }],
    args: ['--max-tool-calls', '2'],
  },
  {
    reason: 'max_budget',
    name: '--max-budget-usd',
    steps: [{ ...call('LS', { path: '.' }), usage: { input_tokens: 1_000_000 } }],
    args: ['--max-budget-usd', '0.5'],
  },
  {
    reason: 'max_budget',
    name: '--max-tokens-total',
    steps: [{ ...call('LS', { path: '.' }), usage: { input_tokens: 900 } }],
    args: ['--max-tokens-total', '500'],
  },
  {
    reason: 'denial_limit',
    name: '--max-denials',
    steps: [bash('touch a'), bash('touch b')],
    args: ['--max-denials', '2'],
  },
  {
    reason: 'loop',
    name: 'the same failing call again and again',
    steps: Array.from({ length: 6 }, () => call('Read', { file_path: 'none' })),
  },
  {
    reason: 'loop',
    name: 'pause_turn for ever',
    steps: Array.from({ length: 11 }, () => ({ say: 'wait', stop: 'pause_turn' })),
  },
  { reason: 'max_tokens', name: 'three cut answers', steps: [1, 2, 3].map(() => ({ say: 'and', stop: 'max_tokens' })) },
  { reason: 'refusal', name: 'refusal', steps: [{ say: 'I will not', stop: 'refusal' }] },
  { reason: 'bad_stop_reason', name: 'an unknown stop reason', steps: [{ say: 'x', stop: 'coffee_break' }] },
  {
    reason: 'empty_answer',
    name: 'nothing, twice',
    said: 'The model gave an empty answer twice.',
    steps: [
      { say: ' ', stop: 'end_turn' },
      { say: '', stop: 'end_turn' },
    ],
  },
  {
    reason: 'auth',
    name: '401',
    said: 'invalid x-api-key',
    steps: [{ status: 401, errorType: 'authentication_error', errorMessage: 'invalid x-api-key' }],
  },
  {
    reason: 'billing',
    name: 'no credit',
    said: 'The account has no credit',
    steps: [{ status: 400, errorType: 'invalid_request_error', errorMessage: 'Your credit balance is too low' }],
  },
  {
    reason: 'config',
    name: 'an unknown model',
    said: 'model: nope',
    steps: [{ status: 404, errorType: 'not_found_error', errorMessage: 'model: nope' }],
  },
  {
    reason: 'bad_request',
    name: '400',
    said: 'temperature: only the default is supported',
    steps: [
      { status: 400, errorType: 'invalid_request_error', errorMessage: 'temperature: only the default is supported' },
    ],
  },
  {
    reason: 'rate_limited',
    name: 'a retry-after beyond patience',
    said: 'the API asks to wait 27 h 46 min',
    steps: [{ status: 429, headers: { 'retry-after': '100000' } }],
  },
  {
    reason: 'checks_failed',
    name: 'a check that keeps failing',
    steps: [{ say: 'done' }, { say: 'done again' }],
    options: { policy: `${READ_ONLY}checks: { commands: ["false"] }\n` },
  },
  {
    reason: 'schema_failed',
    name: 'output that never fits',
    said: '/n must be number',
    steps: [1, 2, 3].map(() => finish('completed', { output: { n: 'x' } })),
    args: ['--json-schema', '{"type":"object","properties":{"n":{"type":"number"}},"required":["n"]}'],
  },
  {
    reason: 'task_failed',
    name: 'run.requireFinish and no Finish',
    said: 'The agent did not call Finish',
    steps: [1, 2, 3].map(() => ({ say: 'done' })),
    options: { policy: `${READ_ONLY}run: { requireFinish: true }\n` },
  },
  {
    reason: 'deadline',
    name: '--timeout',
    steps: [bash('sleep 60')],
    args: ['--timeout', '4s'],
    options: { policy: 'version: 1\npermissions: { allow: ["Bash(sleep *)"] }\n' },
  },
]

/** No other run of these tests has a command of these words. */
const LONG_SLEEP = `sleep 9${process.pid}`

/** `npm test` plays the first row of each exit code, `npm run test:all` every row. */
const codes = ENDS.map(({ reason }) => EXIT_CODES[reason].code)

describe('how a run ends', () => {
  for (const [index, { reason, name, said = '', steps, args = [], options = {} }] of ENDS.entries()) {
    const tags = codes.indexOf(EXIT_CODES[reason].code) === index ? [] : ['long']
    it(`${reason}: ${name}`, { tags }, async () => {
      const server = await serveTurns(...steps)
      const run = await runCli([...args, 'do it'], { server, policy: READ_ONLY, ...options })
      const result = run.result()
      expect([result.exit_reason, result.exit_code, run.code, run.stderr]).toEqual([
        reason,
        EXIT_CODES[reason].code,
        EXIT_CODES[reason].code,
        expect.stringContaining(said),
      ])
      expect([result.subtype === 'success', result.is_error]).toEqual([result.exit_code === 0, result.exit_code !== 0])
      // On a busy machine the time limit may come before the first request.
      const least = reason === 'deadline' ? 0 : steps.length
      expect(server.requests.length).toBeGreaterThanOrEqual(least)
      expect(server.requests.length).toBeLessThanOrEqual(steps.length)
      expect(readFileSync(run.summary, 'utf8')).toContain(`exit code ${result.exit_code}`)
    })
  }

  it('a replay with answers left is not green', { tags: 'long' }, async () => {
    const run = await runCli(['--replay', 'script.yml', 'do it'], {
      files: { 'script.yml': JSON.stringify([{ say: 'done' }, { say: 'never asked for' }]) },
    })
    expect([run.code, run.result().exit_reason]).toEqual([EXIT_CODES.replay_mismatch.code, 'replay_mismatch'])
    expect(run.stderr).toContain('1 turns of the script were not used')
  })

  it('before any request: no key, a bad policy, a bad flag', async () => {
    const server = await serveTurns()
    const noKey = await runCli(['x'], { server, hasKey: false })
    const badPolicy = await runCli(['x'], { server, policy: 'version: 1\npermisions: {}\n' })
    const badFlag = await runCli(['--max-turns', 'many', 'x'], { server })
    expect([noKey.code, badPolicy.code, badFlag.code]).toEqual([77, 78, 2])
    expect(badPolicy.stderr).toContain('policy.yml:2:1 unknown key "permisions" (did you mean "permissions"?)')
    expect(badFlag.stderr).toContain('--max-turns')
    expect(server.requests).toEqual([])
    expect([noKey.records, badPolicy.records, badFlag.records]).toEqual([[], [], []])
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
