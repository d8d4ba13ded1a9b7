import { describe, expect, it } from 'vitest'
import { runCli } from '../helpers/runs/cliRun.ts'
import { FINISH, type Played, type PlayOptions, playRun, startPlay } from '../helpers/runs/playRun.ts'
import { sampled } from '../helpers/sampled.ts'

/**
 * How runs end that people reported of other agents as "green, but nothing happened" or as hanging. Each is played
 * anew as a small input; the address names the report.
 */
const policy = JSON.stringify({
  version: 1,
  sandbox: { mode: 'off' },
  permissions: { allow: ['Bash(echo *)', 'Bash(sleep *)', 'Edit(./**)', 'TodoWrite'] },
})
const refused = (status: number, errorType: string, errorMessage: string): Played => ({
  step: { status, errorType, errorMessage },
})
const bash = (command: string) => ({ name: 'Bash', input: { command } })
const todos = { todos: [{ content: 'check the settings', status: 'pending', activeForm: 'checking' }] }
const finished = (output: unknown) => ({ name: 'Finish', input: { status: 'completed', summary: 's', output } })
const schema = JSON.stringify({
  type: 'object',
  properties: { items: { type: 'array', items: { type: 'string' } }, note: { type: 'string' } },
  required: ['items', 'note'],
})
const readOnly = JSON.stringify({ version: 1, permissions: { presets: ['read-only'] }, sandbox: { mode: 'off' } })

describe('the end of a run is what happened', () => {
  type Row = [report: string, answers: readonly Played[], end: readonly [number, string], said: string, PlayOptions?]
  it.each<Row>(
    sampled<Row>(
      [
        [
          'anthropics/claude-code-action/issues/1495',
          [refused(400, 'invalid_request_error', 'Your credit balance is too low to access the API.')],
          [77, 'billing'],
          'The account has no credit',
        ],
        [
          'anthropics/claude-code-action/issues/776',
          [refused(404, 'not_found_error', 'model: claude-nonesuch')],
          [78, 'config'],
          'model: claude-nonesuch',
        ],
        [
          'aaif-goose/goose/issues/4612',
          [refused(400, 'invalid_request_error', 'temperature: only the default is supported')],
          [5, 'bad_request'],
          'temperature: only the default is supported',
        ],
        [
          'amElnagdy/delegate-skills/issues/66',
          [refused(401, 'authentication_error', 'invalid x-api-key')],
          [77, 'auth'],
          'invalid x-api-key',
        ],
        [
          'OpenHands/OpenHands/issues/6692',
          [{ step: { status: 429, errorType: 'rate_limit_error', headers: { 'retry-after': '7200' } } }],
          [75, 'rate_limited'],
          'the API asks to wait 2 h 0 min',
        ],
        [
          'vanillagreencom/kendex/issues/525',
          [bash('gh pr review 5 --approve')],
          [0, 'completed'],
          'Completed: The agent finished the task. One call was denied.',
          { policy: readOnly },
        ],
        [
          'google-gemini/gemini-cli/issues/12337',
          [bash('make target')],
          [3, 'blocked'],
          '1 of 2 calls were denied and no file was changed.',
        ],
        [
          'Aider-AI/aider/issues/427',
          [
            { name: 'Read', input: { file_path: 'a.txt' } },
            { name: 'Edit', input: { file_path: 'a.txt', old_string: 'not there', new_string: 'x' } },
          ],
          [1, 'task_failed'],
          'Completed, says the agent; its one edit failed and no file was changed.',
          { files: { 'a.txt': 'one\n' } },
        ],
        [
          'anomalyco/opencode/issues/44267',
          [bash('gh x')],
          [1, 'empty_answer'],
          'The model gave an empty answer twice.',
          { last: { say: '' } },
        ],
        [
          'Gitlawb/zero/pull/325',
          [{ name: 'TodoWrite', input: todos }],
          [0, 'completed'],
          'The agent ended its turn; one of its steps is open.',
          { last: { say: 'Let me check the settings:' } },
        ],
        [
          'anthropics/claude-code/issues/36033',
          [],
          [0, 'completed'],
          'The agent finished the task.',
          { args: ['--json-schema', schema], last: { tools: [finished({ items: ['a'], note: 'n' })] } },
        ],
        [
          'anthropics/claude-code/issues/77026',
          [finished({ note: '<items><i>a</i></items>' }), finished({ note: '<items>a</items>' })],
          [1, 'schema_failed'],
          "output must have required property 'items'",
          { args: ['--json-schema', schema], last: { tools: [finished({ note: 'placeholder' })] } },
        ],
        [
          'anthropics/claude-code/issues/18536',
          [
            { step: { turn: { say: '```json\n{"items": []}\n```' } } },
            { step: { turn: { say: 'The JSON is above.' } } },
          ],
          [1, 'task_failed'],
          'The agent did not call Finish',
          { args: ['--json-schema', schema], last: { say: 'It is above.' } },
        ],
        ['anthropics/claude-code/issues/85040', [], [0, 'completed'], 'The agent finished the task.', { args: ['--'] }],
      ],
      4,
    ),
  )('github.com/%s', async (_, answers, end, said, options = {}) => {
    const run = await playRun(answers, { policy, ...options })
    expect([run.code, run.result().exit_reason], run.stderr).toEqual(end)
    expect(run.stderr).toContain(said)
    expect(run.result().is_error).toBe(end[0] !== 0)
    const [first] = run.api.requests
    if (first !== undefined) expect(JSON.stringify(first.body.messages)).toContain('do it')
  })

  it('github.com/Gitlawb/zero/pull/325: the agent hears of its open steps once', async () => {
    const run = await playRun([{ name: 'TodoWrite', input: todos }, { step: { turn: { say: 'Let me check:' } } }], {
      policy,
    })
    expect(JSON.stringify(run.api.requests.at(-1)?.body.messages)).toContain(
      'Steps of your list are open: check the settings.',
    )
  })

  it('github.com/anthropics/claude-code/issues/38706: the result is the text of the answer', async () => {
    const run = await playRun([], { policy, last: { say: '4' }, args: ['--output-format', 'json'] })
    expect(JSON.parse(run.stdout)).toMatchObject({ subtype: 'success', result: '4' })
  })

  it('github.com/openai/codex/issues/4721: an interrupt is no success', { tags: 'long' }, async () => {
    const run = await startPlay([bash('sleep 60')], { policy, args: ['--output-format', 'stream-json'] })
    await run.saw('"tool_input":{"command":"sleep 60"}')
    run.child.kill('SIGINT')
    expect((await run.ended()).code).toBe(130)
  })
})

describe('a start without a task is no run', () => {
  it.each([
    ['lhpaul/ai-dev-framework-template/issues/866', ['-p', ''], 2, 'The prompt is empty.'],
    ['google-gemini/gemini-cli/issues/16025', ['polcy'], 2, 'Did you mean kode-run policy?'],
  ])('github.com/%s', async (_, args, code, said) => {
    const run = await runCli(args, { policy })
    expect([run.code, run.stderr]).toEqual([code, expect.stringContaining(said)])
  })

  it('github.com/google-gemini/gemini-cli/issues/5382: a prompt on stdin may use tools', { tags: 'long' }, async () => {
    const run = await playRun([bash('echo hi')], { policy, stdin: 'make the plan' })
    expect([run.code, run.told]).toEqual([0, ['hi']])
  })
})

describe('what is sent and counted', () => {
  it('github.com/anthropics/claude-code/issues/49637: no schema of a tool has an invalid list', async () => {
    const run = await playRun([], { policy, last: FINISH })
    const lists = run.api.requests[0]?.body.tools.map(
      (tool: { input_schema: { required?: unknown } }) => tool.input_schema.required ?? [],
    )
    expect(lists.length).toBeGreaterThan(5)
    expect(lists.every(Array.isArray)).toBe(true)
  })

  it.each(
    sampled(
      [
        ['6805: the usage of an answer counts once, however many blocks it has', 'claude-sonnet-4-5', 3, 15],
        ['53371: the cost is tokens times price', 'claude-haiku-4-5', 1, 5],
      ],
      1,
    ),
  )('github.com/anthropics/claude-code/issues/%s', async (_, model, input, output) => {
    const usage = { input_tokens: 1000, output_tokens: 100 }
    const turn = { think: 'hm', say: 'now', tools: [bash('echo 1'), bash('echo 2')], usage }
    const run = await playRun([{ step: { turn } }], { policy, args: ['--model', model] })
    expect(run.result().usage).toMatchObject({ input_tokens: 1100, output_tokens: 120 })
    expect(run.result().total_cost_usd).toBeCloseTo((1100 * input + 120 * output) / 1e6, 9)
  })
})
