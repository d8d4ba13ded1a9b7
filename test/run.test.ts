import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { EXIT_CODES, type ExitReason } from '../src/contracts/errors.ts'
import { renderTurn, type Turn } from '../src/model/replay/renderTurn.ts'
import { type Step, startMessagesServer } from './helpers/model/messagesServer.ts'
import { CLI_TEST_KEY, type CliOptions, runCli, startCli } from './helpers/runs/cliRun.ts'
import { commandLines } from './helpers/runs/commandLines.ts'
import { sampled } from './helpers/sampled.ts'

const READ_ONLY = 'version: 1\npermissions: { presets: [read-only] }\n'

async function serve(...steps: readonly (Step | Turn)[]) {
  const server = await startMessagesServer(
    steps.map((step) => ('say' in step || 'tools' in step || 'stop' in step ? { turn: step as Turn } : (step as Step))),
    {
      canaries: [CLI_TEST_KEY],
    },
  )
  onTestFinished(() => server.close())
  return server
}

function call(name: string, input: Record<string, unknown>): Turn {
  return { tools: [{ name, input }] }
}

const finish = (status: string, more = {}) => call('Finish', { status, summary: `it is ${status}`, ...more })
const bash = (command: string, more = {}) => call('Bash', { command, ...more })

/** One row per way to end that one process can show: the answers, the flags and policy, and the reason. */
const ENDS: readonly {
  readonly reason: ExitReason
  readonly name: string
  readonly steps: readonly (Step | Turn)[]
  readonly args?: readonly string[]
  readonly options?: CliOptions
}[] = [
  { reason: 'completed', name: 'a plain end of turn', steps: [{ say: 'done' }] },
  { reason: 'completed', name: 'Finish', steps: [finish('completed')] },
  { reason: 'task_failed', name: 'Finish: failed', steps: [finish('failed')] },
  { reason: 'blocked', name: 'Finish: blocked', steps: [finish('blocked')] },
  {
    reason: 'blocked',
    name: '--fail-on-denied',
    steps: [bash('touch x'), finish('completed')],
    args: ['--fail-on-denied'],
  },
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
    steps: [
      { say: ' ', stop: 'end_turn' },
      { say: '', stop: 'end_turn' },
    ],
  },
  {
    reason: 'auth',
    name: '401',
    steps: [{ status: 401, errorType: 'authentication_error', errorMessage: 'invalid x-api-key' }],
  },
  {
    reason: 'billing',
    name: 'no credit',
    steps: [{ status: 400, errorType: 'invalid_request_error', errorMessage: 'Your credit balance is too low' }],
  },
  {
    reason: 'config',
    name: 'an unknown model',
    steps: [{ status: 404, errorType: 'not_found_error', errorMessage: 'model: nope' }],
  },
  {
    reason: 'rate_limited',
    name: 'a retry-after beyond patience',
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
    steps: [1, 2, 3].map(() => finish('completed', { output: { n: 'x' } })),
    args: ['--json-schema', '{"type":"object","properties":{"n":{"type":"number"}},"required":["n"]}'],
  },
  {
    reason: 'task_failed',
    name: 'run.requireFinish and no Finish',
    steps: [1, 2, 3].map(() => ({ say: 'done' })),
    options: { policy: `${READ_ONLY}run: { requireFinish: true }\n` },
  },
  {
    reason: 'deadline',
    name: '--timeout',
    steps: [bash('sleep 60')],
    args: ['--timeout', '5s'],
    options: { policy: 'version: 1\npermissions: { allow: ["Bash(sleep *)"] }\n' },
  },
]

/** No other run of these tests has a command of these words. */
const LONG_SLEEP = `sleep 9${process.pid}`

/** `npm test` plays the first row of each exit code, `npm run test:all` every row. */
const codes = ENDS.map(({ reason }) => EXIT_CODES[reason].code)

describe('how a run ends', () => {
  for (const [index, { reason, name, steps, args = [], options = {} }] of ENDS.entries()) {
    const tags = codes.indexOf(EXIT_CODES[reason].code) === index ? [] : ['long']
    it(`${reason}: ${name}`, { tags }, async () => {
      const server = await serve(...steps)
      const run = await runCli([...args, 'do it'], { server, policy: READ_ONLY, ...options })
      const result = run.result()
      expect([result.exit_reason, result.exit_code, run.code, run.stderr]).toEqual([
        reason,
        EXIT_CODES[reason].code,
        EXIT_CODES[reason].code,
        expect.any(String),
      ])
      expect(result.subtype === 'success').toBe(result.exit_code === 0)
      expect(server.requests.length).toBe(steps.length)
      expect(readFileSync(run.summary, 'utf8')).toContain(`exit code ${result.exit_code}`)
    })
  }

  it('before any request: no key, a bad policy, a bad flag', async () => {
    const server = await serve()
    const noKey = await runCli(['x'], { server, hasKey: false })
    const badPolicy = await runCli(['x'], { server, policy: 'version: 1\npermisions: {}\n' })
    const badFlag = await runCli(['--max-turns', 'many', 'x'], { server })
    expect([noKey.code, badPolicy.code, badFlag.code]).toEqual([77, 78, 2])
    expect(badPolicy.stderr).toContain('policy.yml:2:1 unknown key "permisions" (did you mean "permissions"?)')
    expect(badFlag.stderr).toContain('--max-turns')
    expect(server.requests).toEqual([])
    expect([noKey.records, badPolicy.records, badFlag.records]).toEqual([[], [], []])
  })

  it('before any request: a machine without a place for temporary files', async () => {
    const server = await serve()
    const noTemporary = await runCli(['x'], { server, env: { TMPDIR: '/nonexistent/tmp' } })
    expect([noTemporary.code, noTemporary.stderr]).toEqual([
      73,
      expect.stringMatching(/\/nonexistent\/tmp.*set TMPDIR/),
    ])
    expect(server.requests).toEqual([])
  })

  const signals = [
    ['SIGINT', 130, 'sigint'],
    ['SIGTERM', 143, 'sigterm'],
    ['SIGHUP', 129, 'sighup'],
  ] as const
  for (const [signal, code, reason] of sampled(signals, 1)) {
    it(`${signal} in the middle of a command: ${code}, with its end record, and nothing left running`, async () => {
      const server = await serve(bash(LONG_SLEEP))
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
  it('plays the example through the real SDK: edits, tests, is denied once, shows no key, and leaves the right patch', async () => {
    const example = join(import.meta.dirname, '../examples/replay/fix-failing-test')
    const server = await serve(
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
        const git = (...args: string[]) =>
          execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: project })
        git('init', '-q')
        git('add', '-A')
        git('commit', '-qm', 'start')
      },
    })
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('git push')])
    const result = run.result()
    expect(result.patch).toContain('+  return Math.max(0, Math.round(cents - (cents * percent) / 100))')
    expect(result.changes).toEqual([
      { path: 'src/price.js', status: 'modified', added: 1, removed: 1, by: ['toolu_test_2_1'] },
    ])
    expect(result.checks).toEqual([{ command: 'npm test', ok: true, exit_code: 0, attempts: 1 }])
    expect(result.permission_denials).toMatchObject([
      { tool_name: 'Bash', rule: 'Bash(git push *)', line: 10, tool_input: { command: 'git push origin main' } },
    ])
    expect(JSON.stringify(run.records)).not.toContain(CLI_TEST_KEY)
    expect(run.toolResults()[5]).not.toMatch(/ANTHROPIC|API_KEY|TOKEN/)
    expect(run.toolResults()[5]).toContain('PATH=')
  })

  it('sends the same bytes before the new messages, turn after turn', async () => {
    const server = await serve(call('LS', { path: '.' }), call('Glob', { pattern: '*' }), { say: 'done' })
    await runCli(['look'], { server, policy: READ_ONLY, files: { 'a.txt': 'a' } })
    const bodies = server.requests.map((request) => request.body)
    for (const body of bodies)
      expect(JSON.stringify([body.system, body.tools])).toBe(JSON.stringify([bodies[0].system, bodies[0].tools]))
    const bare = (messages: unknown) =>
      JSON.stringify(messages, (key, value) => (key === 'cache_control' ? undefined : value))
    expect(bare(bodies[2].messages.slice(0, 3))).toBe(bare(bodies[1].messages))
    expect(Buffer.byteLength(JSON.stringify([bodies[0].system, bodies[0].tools]))).toBeLessThan(12_000)
  })

  it('runs reading calls of one message together and answers in their order; one that fails does not stop the others', async () => {
    const reads = ['a.txt', 'none.txt', 'b.txt'].map((file_path) => ({ name: 'Read', input: { file_path } }))
    const server = await serve({ tools: reads }, { say: 'done' })
    const run = await runCli(['look'], { server, policy: READ_ONLY, files: { 'a.txt': 'AAA', 'b.txt': 'BBB' } })
    expect(run.code).toBe(0)
    const [a, none, b] = run.toolResults()
    expect([a, b]).toEqual([expect.stringContaining('AAA'), expect.stringContaining('BBB')])
    expect(none).toMatch(/none\.txt/)
    const content = server.requests[1]?.body.messages.at(-1).content
    expect(content.map((block: { is_error?: boolean }) => block.is_error ?? false)).toEqual([false, true, false])
  })

  it('answers an unknown tool, a wrong input and a doubled id with words the model can act on', {
    tags: 'long',
  }, async () => {
    const server = await serve(
      {
        tools: [
          { name: 'Raed', input: {} },
          { name: 'str_replace_editor', input: {} },
          { name: 'Read', input: { file_path: ['a.txt'] } },
          { name: 'Read', input: { file_path: 'a.txt', bogus: 1 } },
        ],
      },
      { say: 'done' },
    )
    const run = await runCli(['look'], { server, policy: READ_ONLY, files: { 'a.txt': 'AAA' } })
    const [unknown, foreign, wrong, extra] = run.toolResults()
    expect(foreign).toMatch(/Tools: .*Read.*\. ToolSearch loads more\.$/)
    expect(unknown).toContain('Did you mean Read?')
    expect(wrong).toContain('file_path')
    expect(extra).toContain('AAA')
    expect(extra).toMatch(/\(Ignored: Read has no field bogus\.\)$/)
    expect(run.records).toContainEqual(expect.objectContaining({ subtype: 'warning', code: 'unknown_fields' }))
  })

  it('refuses a call with effects that has a field its tool does not know, and drops it from a call that reads', {
    tags: 'long',
  }, async () => {
    const policy = 'version: 1\npermissions: { presets: [read-only], allow: [Bash, Edit] }\n'
    const server = await serve(
      {
        tools: [
          { name: 'Bash', input: { command: 'touch made', cwd: 'sub' } },
          { name: 'Write', input: { file_path: 'written', content: 'x', mode: '755' } },
          { name: 'Bash', input: { command: 'ls', cwd: 'sub' } },
        ],
      },
      { say: 'done' },
    )
    const run = await runCli(['look'], { server, policy, files: { 'a.txt': 'AAA' } })
    const [bashed, written, listed] = run.toolResults()
    expect(bashed).toBe(
      'Not run: Bash has no field cwd. Its fields: command, timeout, description, run_in_background. Send the call again without what it does not know.',
    )
    expect(written).toMatch(/^Not run: Write has no field mode\. Its fields: file_path, content\./)
    expect(listed).toMatch(/^a\.txt[\s\S]*\(Ignored: Bash has no field cwd\.\)$/)
    expect(JSON.stringify(run.records.at(-1))).not.toContain('made')
  })

  it('never runs a call of a message that the output limit cut, and asks again with more room', {
    tags: 'long',
  }, async () => {
    const policy = 'version: 1\npermissions: { allow: ["Bash(touch *)", "Edit(whole)"] }\n'
    const server = await serve(
      { tools: [{ name: 'Bash', input: { command: 'touch cut' } }], stop: 'max_tokens' } as Turn,
      bash('touch whole'),
      { say: 'done' },
    )
    const run = await runCli(['x'], { server, policy })
    expect(run.code).toBe(0)
    expect(run.records.filter((record) => 'subtype' in record && record.subtype === 'tool_intent')).toHaveLength(1)
    expect(server.requests[1]?.body.max_tokens).toBeGreaterThan(server.requests[0]?.body.max_tokens)
    expect(execFileSync('ls', [run.project], { encoding: 'utf8' })).toBe('whole\n')
  })

  it('gives a failing check back to the agent, and is green once it passes', { tags: 'long' }, async () => {
    const server = await serve({ say: 'done' }, bash('touch made'), { say: 'now it is' })
    const policy =
      'version: 1\npermissions: { allow: ["Bash(touch made)", "Edit(made)"] }\nchecks: { commands: ["test -e made"] }\n'
    const run = await runCli(['x'], { server, policy })
    expect([run.code, run.result().checks]).toEqual([
      0,
      [{ command: 'test -e made', ok: true, exit_code: 0, attempts: 2 }],
    ])
    expect(JSON.stringify(server.requests[1]?.body.messages.at(-1))).toContain('test -e made')
  })

  it('is not green when the run changed what its checks depend on', { tags: 'long' }, async () => {
    const server = await serve(
      call('Read', { file_path: 'check.sh' }),
      call('Write', { file_path: 'check.sh', content: 'exit 0\n' }),
      finish('completed'),
    )
    const policy =
      'version: 1\npermissions: { presets: [read-only], allow: ["Edit(*.sh)"] }\nchecks: { commands: ["bash check.sh"], attempts: 1 }\n'
    const run = await runCli(['x'], {
      server,
      policy,
      files: { 'check.sh': 'exit 1\n' },
      prepare: (project) => void execFileSync('git', ['init', '-q'], { cwd: project }),
    })
    expect([run.code, run.result().detail]).toEqual([1, expect.stringContaining('check.sh')])
    expect(readFileSync(run.summary, 'utf8')).toContain('check.sh')
  })

  it('takes the prompt from argument and stdin, and fills parameters in the argument only', async () => {
    const server = await serve({ say: 'done' })
    await runCli(['look at ${{ params.what }}', '--param', 'what=this'], { server, stdin: 'piped ${{ params.what }}' })
    const [text] = server.requests[0]?.body.messages[0].content ?? []
    expect(text.text).toBe('look at this\n\n<stdin>\npiped ${{ params.what }}\n</stdin>')
  })

  it('is not green where a file that was asked for cannot be written', { tags: 'long' }, async () => {
    const server = await serve({ say: 'done' })
    const run = await runCli(['x', '-o', '/dev/full'], { server })
    expect([run.code, run.stderr]).toEqual([74, expect.stringContaining('--output-last-message /dev/full')])
  })

  it.each([
    [
      'a folder that is not there',
      ['-o', '/nonexistent/folder/answer.txt'],
      /--output-last-message .* there is no folder/,
    ],
    ['a folder in its place', ['-o', '/tmp'], /--output-last-message \/tmp: it is a folder/],
    ['a file for a folder', ['-o', '/dev/null/answer.txt'], /--output-last-message \/dev\/null\/answer\.txt/],
  ])('does not start where a file that was asked for has no place: %s', async (_, flags, message) => {
    const server = await serve()
    const run = await runCli(['x', ...flags], { server })
    expect([run.code, run.stderr, server.requests]).toEqual([73, expect.stringMatching(message), []])
  })

  it('is not green where stdout takes no more: the answer was not delivered', { tags: 'long' }, async () => {
    const server = await serve({ say: 'done' }, { say: 'done' })
    const full = await runCli(['x'], { server, through: ['sh', '-c', 'exec "$@" > /dev/full', 'sh'] })
    expect([full.code, full.stderr]).toEqual([74, expect.stringContaining('stdout cannot be written: ENOSPC')])
    const silent = await runCli(['x'], { server, through: ['sh', '-c', 'exec "$@" 2> /dev/full', 'sh'] })
    expect([silent.code, silent.stdout]).toEqual([0, 'done\n'])
  })

  it('lets a run that used all its calls, and no more, come to a good end', { tags: 'long' }, async () => {
    const server = await serve(call('LS', { path: '.' }), { say: 'done' })
    const run = await runCli(['x', '--max-tool-calls', '1'], { server, policy: READ_ONLY })
    expect([run.code, run.result().exit_reason]).toEqual([0, 'completed'])
  })

  it('does not wait for a pipe that stays open and silent', { tags: 'long' }, async () => {
    const server = await serve({ say: 'done' })
    const run = startCli(['x'], { server, keepStdinOpen: true })
    expect((await run.ended()).code).toBe(0)
  })

  it('prints the result in each format, and survives a reader that leaves', { tags: 'long' }, async () => {
    const server = await serve({ say: 'done' }, { say: 'done' }, { say: 'done' })
    const text = await runCli(['x'], { server })
    const json = await runCli(['x', '--output-format', 'json'], { server })
    const stream = await runCli(['x', '--output-format', 'stream-json'], { server })
    expect(text.stdout).toBe('done\n')
    expect(JSON.parse(json.stdout)).toMatchObject({ type: 'result', subtype: 'success', result: 'done' })
    const lines = stream.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect([lines[0].subtype, lines.at(-1).type]).toEqual(['init', 'result'])
  })

  it('ends calmly when stdout is closed', { tags: 'long' }, async () => {
    const server = await serve(call('LS', { path: '.' }), { say: 'done' })
    const run = startCli(['x', '--output-format', 'stream-json'], { server, policy: READ_ONLY })
    run.child.stdout?.destroy()
    expect((await run.ended()).code).toBe(0)
  })

  it('counts money by the price table, and refuses a money limit for a model without a price', {
    tags: 'long',
  }, async () => {
    const server = await serve({ say: 'done', usage: { input_tokens: 1_000_000, output_tokens: 0 } })
    const priced = await runCli(['x'], { server })
    const unpriced = await runCli(['x', '--model', 'my-model', '--max-budget-usd', '1'], { server })
    expect(priced.result().total_cost_usd).toBeGreaterThan(0)
    expect([unpriced.code, unpriced.stderr]).toEqual([78, expect.stringContaining('pricing:')])
  })

  it('counts answers that break off, and asks no more once they have used up the budget', {
    tags: 'long',
  }, async () => {
    const turn = { say: 'x'.repeat(5_000), usage: { input_tokens: 300_000, output_tokens: 0 } }
    const whole = renderTurn(turn, { id: 'cut', model: 'claude-sonnet-5-5' })
    const cut: Step = { sse: whole.slice(0, -2) }
    const server = await serve(cut, cut, cut, cut)
    const run = await runCli(['x', '--max-budget-usd', '1'], { server })
    expect([run.code, server.requests.length]).toEqual([4, 2])
    expect(run.result()).toMatchObject({
      exit_reason: 'max_budget',
      total_cost_usd: expect.closeTo(1.22),
      cost_is_lower_bound: true,
      usage: { input_tokens: 600_000, output_tokens: 2_000 },
    })
    expect(run.stderr).toContain('cost at least $1.22')
    expect(readFileSync(run.summary, 'utf8')).toContain('cost at least $1.22')
    const resumed = await runCli(['--resume', run.transcript, '--max-budget-usd', '1'], { server, after: run })
    expect([resumed.result().exit_reason, server.requests.length]).toEqual(['max_budget', 2])
  })

  it('counts an answer that the end of the run cuts', { tags: 'long' }, async () => {
    const turn = { say: 'x', usage: { input_tokens: 300_000 } }
    const sse = renderTurn(turn, { id: 'cut', model: 'claude-sonnet-5-5' })
    const server = await serve({ sse, stallAfter: Buffer.byteLength(sse[0] ?? '') })
    const run = await runCli(['x', '--timeout', '8s'], { server })
    expect(run.result()).toMatchObject({ exit_reason: 'deadline', usage: { input_tokens: 300_000 } })
  })

  it('counts a request beside the loop that breaks off', { tags: 'long' }, async () => {
    const page = { tools: [{ name: 'AskExpertModel', input: { question: 'why?' } }] }
    const usage = { input_tokens: 300_000, output_tokens: 0 }
    const sse = renderTurn({ say: 'x', usage }, { id: 'cut', model: 'claude-sonnet-5-5' }).slice(0, -1)
    const server = await serve(page, { sse }, { say: 'because' }, { say: 'done' })
    const policy = 'version: 1\npermissions: { allow: [AskExpertModel] }\n'
    const run = await runCli(['x', '--tools', 'AskExpertModel'], { server, policy })
    const calls = run.records.filter((record) => record.type === 'system' && record.subtype === 'model_call')
    expect(calls).toMatchObject([{ is_lower_bound: true, usage: { input_tokens: 300_000 } }, { answer: 'because' }])
    expect(run.result()).toMatchObject({ exit_code: 0, cost_is_lower_bound: true })
  })

  it.each(
    sampled(
      [
        ['--summary', 'pipe', 73, 'a pipe that nobody reads'],
        ['--output-last-message', 'pipe', 73, 'a pipe that nobody reads'],
        ['GITHUB_STEP_SUMMARY', 'pipe', 0, 'a pipe that nobody reads; the run has no summary there'],
        ['GITHUB_STEP_SUMMARY', 'none/summary.md', 0, 'there is no folder'],
      ],
      1,
    ),
  )('%s at %s ends with %i', async (name, place, code, words) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-odd-')))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    execFileSync('mkfifo', [join(folder, 'pipe')])
    const server = code === 0 ? await serve({ say: 'done' }) : await serve()
    const path = join(folder, place)
    const run = await (name.startsWith('--')
      ? runCli(['x', name, path], { server })
      : runCli(['x'], { server, env: { [name]: path }, hasSummary: false }))
    expect([run.code, run.stderr]).toEqual([code, expect.stringContaining(words)])
  })

  it('adds nothing to a summary that is full, and keeps its code', { tags: 'long' }, async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-odd-')))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'summary.md')
    writeFileSync(path, 'x'.repeat(1_048_576))
    const server = await serve({ say: 'done' })
    const run = await runCli(['x'], { server, env: { GITHUB_STEP_SUMMARY: path }, hasSummary: false })
    expect([run.code, readFileSync(path, 'utf8').length]).toEqual([0, 1_048_576])
    expect(run.stderr).toContain('full')
  })

  it('keeps its state in the folder for temporary files where the home takes none', { tags: 'long' }, async () => {
    const server = await serve({ say: 'done' })
    const run = await runCli(['x', '--lock', 'one'], { server, env: { HOME: '/proc' } })
    expect([run.code, run.result().warnings]).toEqual([
      0,
      expect.arrayContaining([expect.stringContaining('the state folder /proc/')]),
    ])
  })

  it('says that it waits for stdin, and ends at the time limit', { tags: 'long' }, async () => {
    const started = startCli(['--timeout', '5s'], { keepStdinOpen: true })
    await started.saw('waiting for stdin to end')
    const run = await started.ended()
    expect([run.code, run.stderr]).toEqual([124, expect.stringContaining('stdin did not end within')])
  })

  it('ends where a prompt comes in drops and never ends', { tags: 'long' }, async () => {
    const started = startCli(['--timeout', '2s'], { keepStdinOpen: true })
    const drops = setInterval(() => started.child.stdin?.write('x'), 100)
    onTestFinished(() => clearInterval(drops))
    expect((await started.ended()).code).toBe(124)
  })

  it('tells the model that the input of a call could not be read, and goes on', { tags: 'long' }, async () => {
    const inputs = ['null', '[1]', '{"path": ', `${'['.repeat(10_000)}${']'.repeat(10_000)}`]
    const tools = [{ name: 'LS', input: { path: '.' } }, ...inputs.map((input) => ({ name: 'LS', input }))]
    const server = await serve({ tools }, { say: 'I see' })
    const run = await runCli(['x'], { server, policy: READ_ONLY })
    expect([run.code, server.requests.length]).toEqual([0, 2])
    const results = run.toolResults()
    expect(results[0]).toContain('(nothing to show)')
    expect(results.slice(1)).toEqual(
      ['is not a JSON object', 'is not a JSON object', 'is not JSON', 'is nested more than'].map((words) =>
        expect.stringContaining(`The input of this call ${words}`),
      ),
    )
  })

  it('counts pauses in a row, not in all', { tags: 'long' }, async () => {
    const pauses = Array.from({ length: 10 }, () => ({ say: 'wait', stop: 'pause_turn' }))
    const server = await serve(...pauses, call('LS', { path: '.' }), ...pauses, { say: 'done' })
    expect((await runCli(['x'], { server, policy: READ_ONLY })).result().exit_reason).toBe('completed')
  })

  it('uses a policy it was given, not one it can change', { tags: 'long' }, async () => {
    const server = await serve(
      call('Write', { file_path: '../policy.yml', content: 'version: 1\n' }),
      { say: 'x' },
      finish('blocked'),
    )
    const run = await runCli(['x'], { server, policy: 'version: 1\npermissions: { allow: ["Edit(//**)"] }\n' })
    expect(run.code).toBe(3)
    expect(readFileSync(join(run.base, 'policy.yml'), 'utf8')).toContain('Edit(//**)')
  })

  it('lets two runs in one project be', { tags: 'long' }, async () => {
    const server = await startMessagesServer(() => ({ turn: { say: 'done' } }))
    onTestFinished(() => server.close())
    const first = startCli(['x'], { server })
    writeFileSync(join(first.project, 'a'), 'a')
    const runs = await Promise.all([first.ended(), ...[1, 2, 3].map(() => runCli(['x'], { server }))])
    expect(runs.map((run) => run.code)).toEqual([0, 0, 0, 0])
  })
})
