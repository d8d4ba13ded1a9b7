import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { assert, expect, it } from 'vitest'
import * as z from 'zod'
import type { ResultEvent, TranscriptRecord } from '../../src/contracts/events.ts'
import { type RunOptions, run } from '../../src/entry/index.ts'
import { makeFiles } from '../helpers/effects/makeFiles.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import type { Step } from '../helpers/model/messagesServer.ts'
import { serveTurns } from '../helpers/model/serveTurns.ts'
import { CLI_TEST_KEY } from '../helpers/runs/cliRun.ts'
import { stablePath } from '../helpers/runs/kodeRun.ts'
import { FINISH } from '../helpers/runs/playRun.ts'
import { sampled } from '../helpers/sampled.ts'
import { stubServer } from '../helpers/tools/testMcp.ts'

/** A folder with a file, and the defaults that a program in it would have. */
function place() {
  const base = makeFiles({ 'project/a.txt': 'hello\n' })
  return { cwd: join(base, 'project'), home: join(base, 'home') }
}

async function play(steps: readonly Step[], options: Partial<RunOptions>, where = place()) {
  const api = await serveTurns(...steps)
  const events: TranscriptRecord[] = []
  const environment = { PATH: stablePath, ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: CLI_TEST_KEY }
  for await (const event of run({ prompt: 'do it', environment, ...where, ...options })) events.push(event)
  const result = events.at(-1) as ResultEvent & TranscriptRecord
  return { api, events, result, where }
}

const call = (name: string, input: Readonly<Record<string, unknown>>): Step => ({ turn: { tools: [{ name, input }] } })
const DONE: Step = { turn: { say: 'done' } }
const FINISHED: Step = { turn: FINISH }
const modelOf = (stream: () => never) => ({ name: 'replay', host: null, stream, close: async () => undefined }) as const
const ALLOWS = { version: 1, permissions: { presets: ['read-only'], allow: ['Bash(echo *)'] } } as const
const ASKS = { version: 1, permissions: { allow: ['Read'], deny: ['Bash(echo secret *)'] } } as const
const ECHO = call('Bash', { command: 'echo hi' })

it('connects no server of another kind', async () => {
  const mcpServers = { far: { type: 'http', url: 'http://127.0.0.1:1' } } as never
  const cwd = makeFolder()
  await expect(run({ prompt: 'x', cwd, home: cwd, environment: {}, mcpServers }).next()).rejects.toMatchObject({
    ...{ reason: 'config', message: 'mcpServers.far: only type sdk is in this process. Name others in the policy.' },
  })
})

it('needs a prompt and a policy only', async () => {
  const { result, api } = await play([ECHO, DONE], { policy: ALLOWS })
  expect(result).toMatchObject({ exit_reason: 'completed', result: 'done', permission_denials: [] })
  expect(api.requests).toHaveLength(2)
})

it('ends with the stack trace of a defect among its warnings', async () => {
  const stream = () => {
    throw new TypeError('a defect')
  }
  const { result } = await play([], { model: modelOf(stream) })
  expect(result).toMatchObject({ exit_reason: 'internal', detail: 'a defect' })
  expect(result.warnings).toEqual([expect.stringMatching(/^TypeError: a defect\n +at Object\.stream .*run\.test\.ts/)])
})

it('ends by a full disk as what it is', async () => {
  const stream = () => {
    throw Object.assign(new Error('ENOSPC: write'), { code: 'ENOSPC' })
  }
  const { result } = await play([], { model: modelOf(stream) })
  expect(result).toMatchObject({ exit_reason: 'io_error', detail: expect.stringMatching(/^ENOSPC: write\. Make room/) })
})

it('gives an event that is not trusted no network, and without a sandbox only what reads', async () => {
  const where = place()
  writeFileSync(join(where.cwd, 'guard.sh'), 'true\n')
  const policy = {
    version: 1,
    sandbox: { mode: 'off' },
    mcpServers: { stub: { ...stubServer('few'), required: false } },
    permissions: { allow: ['Read', 'Bash', 'Edit', 'WebFetch', 'mcp__stub'] },
    hooks: { PreToolUse: [{ matcher: 'Read', hooks: [{ type: 'command', command: 'sh guard.sh' }] }] },
  } as const
  const look = call('Read', { file_path: 'a.txt' })
  const of = (trust: 'semi' | 'untrusted') => play([look, FINISHED], { policy, trust }, where)
  const [semi, strange] = [await of('semi'), await of('untrusted')]
  const offered = ({ events }: typeof semi) => {
    const [init] = events
    const tools = init?.type === 'system' && init.subtype === 'init' ? init.tools : []
    return ['Read', 'Bash', 'Edit', 'WebFetch', 'mcp__stub__echo'].filter((name) => tools.includes(name))
  }
  expect(offered(semi)).toEqual(['Read', 'Bash', 'Edit', 'WebFetch', 'mcp__stub__echo'])
  expect(offered(strange)).toEqual(['Read'])
  expect([semi.result.permission_denials.length, semi.result.warnings.join()]).toEqual([
    0,
    expect.not.stringContaining('not trusted'),
  ])
  expect(strange.result).toMatchObject({
    permission_denials: [{ tool_name: 'Read', reason: expect.stringContaining('sandbox') }],
    warnings: expect.arrayContaining([
      'stub was not started: the event is not trusted, and there is no sandbox to start it in',
    ]),
  })
  await expect(play([], { policy, trust: 'untrusted', flags: { audit: true } }, where)).rejects.toMatchObject({
    ...{ reason: 'untrusted_event', message: expect.stringContaining('--audit') },
  })
})

it('names the key of a policy object that is wrong', async () => {
  const { cwd, home } = place()
  const events = run({ prompt: 'go', cwd, home, policy: { version: 1, permission: {} }, environment: {} })
  await expect(events.next()).rejects.toThrow(/^\(policy object\):1:\d+ .*permission/)
})

it('asks hooks that are functions, with the matcher and the answers of settings', async () => {
  const seen: unknown[] = []
  const { result } = await play([ECHO, call('Read', { file_path: 'a.txt' }), FINISHED], {
    policy: ALLOWS,
    hooks: {
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: [
            (input, id) => {
              seen.push([input.hook_event_name, input.tool_name, input.tool_input, typeof id])
              const decided = { permissionDecision: 'deny', permissionDecisionReason: 'not today' } as const
              return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decided } }
            },
          ],
        },
      ],
      Stop: [{ hooks: [async () => void seen.push('stop')] }],
    },
  })
  expect(seen).toEqual([['PreToolUse', 'Bash', { command: 'echo hi' }, 'string'], 'stop'])
  expect(result.permission_denials).toMatchObject([
    { tool_name: 'Bash', reason: 'PreToolUse hook function for PreToolUse: not today' },
  ])
})

it.each(
  sampled(
    [
      ['throws', () => assert.fail('oh'), /it threw: oh/],
      ['hangs', () => new Promise<never>(() => undefined), /no answer within 0\.05 s/],
      ['answers nonsense', () => ({ decision: 'maybe' }) as never, /the answer is not valid/],
      ['answers a text', () => 'deny' as never, /its answer is no object: "deny"/],
      ['answers true', async () => true as never, /its answer is no object: true/],
      ['answers a function', () => (() => 'deny') as never, /its answer is no object/],
    ],
    1,
  ),
)('denies if a function %s', async (_, hook, why) => {
  const { result } = await play([ECHO, FINISHED], {
    policy: ALLOWS,
    hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook], timeout: 0.05 }] },
  })
  expect(result.permission_denials.map(({ reason }) => reason)).toEqual([expect.stringMatching(why)])
})

it('asks canUseTool about what would be denied because nobody answers, and about nothing else', async () => {
  const asked: string[] = []
  const steps = [ECHO, call('Read', { file_path: 'a.txt' }), call('Bash', { command: 'echo secret x' }), FINISHED]
  const { result } = await play(steps, {
    policy: ASKS,
    canUseTool: (name, input) => {
      asked.push(`${name} ${input['command']}`)
      return { behavior: 'allow', updatedInput: input }
    },
  })
  expect(asked).toEqual(['Bash echo hi'])
  expect(result.permission_denials).toMatchObject([{ rule: 'Bash(echo secret *)' }])
})

it('judges an input that canUseTool gives anew', { tags: 'long' }, async () => {
  const { result, events } = await play([ECHO, FINISHED], {
    policy: ASKS,
    canUseTool: () => ({ behavior: 'allow', updatedInput: { command: 'echo secret x' } }),
  })
  expect(result.permission_denials).toMatchObject([{ rule: 'Bash(echo secret *)' }])
  const started = events.flatMap((event) =>
    event.type === 'system' && event.subtype === 'tool_intent' ? [event.tool_name] : [],
  )
  expect(started).not.toContain('Bash')
})

it('ends the run where canUseTool interrupts', { tags: 'long' }, async () => {
  const { result } = await play([ECHO], {
    policy: ASKS,
    canUseTool: async () => ({ behavior: 'deny', message: 'stop here', interrupt: true }),
  })
  expect(result).toMatchObject({ exit_reason: 'stopped_by_hook', detail: 'stop here' })
})

function calculator() {
  const server = new McpServer({ name: 'calculator', version: '1.0.0' })
  const inputSchema = { a: z.number(), b: z.number() }
  server.registerTool('add', { description: 'Adds.', inputSchema }, ({ a, b }) => ({
    content: [{ type: 'text', text: `the sum is ${a + b}` }],
  }))
  server.registerTool('erase', { description: 'Erases.' }, () => ({ content: [{ type: 'text', text: 'gone' }] }))
  return server
}

it('connects MCP servers of the process, and judges their calls by the mcp rules', { tags: 'long' }, async () => {
  const instance = calculator()
  const load = call('ToolSearch', { query: 'select:mcp__calc__add,mcp__calc__erase' })
  const options = {
    policy: { version: 1, permissions: { allow: ['mcp__calc__add'] } },
    mcpServers: { calc: { type: 'sdk', instance } },
  } as const
  const steps = [load, call('mcp__calc__add', { a: 1, b: 2 }), call('mcp__calc__erase', {}), FINISHED]
  const { api, result } = await play(steps, options)
  expect(JSON.stringify(api.requests[2]?.body.messages)).toContain('the sum is 3')
  expect(result.permission_denials).toMatchObject([{ tool_name: 'mcp__calc__erase' }])
  // The same instance serves the next run.
  expect((await play([DONE], options)).result.exit_reason).toBe('completed')
})

it('yields the parts of an answer, without secrets that are split between them', { tags: 'long' }, async () => {
  const say = `the word is ${CLI_TEST_KEY} and more`
  const { events, result } = await play([{ turn: { say }, chunkBytes: 200 }], { includePartialMessages: true })
  const parts = events.flatMap((event) => (event.type === 'stream_event' ? [event.event] : []))
  const text = parts
    .map((part) => (part.type === 'content_block_delta' ? (part['delta'] as { text?: string }).text : ''))
    .join('')
  expect(parts.map(({ type }) => type)).toContain('message_stop')
  expect(text).toBe(result.result)
  expect(text).toContain('[REDACTED:')
})

it('continues a session under its id, and forks it under another', { tags: 'long' }, async () => {
  const first = await play([DONE], { sessionId: '11111111-2222-4333-8444-555555555555' })
  const { session_id, transcript_path } = first.result
  expect(session_id).toBe('11111111-2222-4333-8444-555555555555')
  const second = await play([DONE], { resume: session_id, prompt: 'and now' }, first.where)
  expect(second.result.session_id).toBe(session_id)
  expect(second.result.transcript_path).not.toBe(transcript_path)
  const fork = await play([DONE], { resume: session_id, forkSession: true, prompt: 'or else' }, first.where)
  expect(fork.result.session_id).not.toBe(session_id)
  const texts = JSON.stringify(fork.api.requests[0]?.body.messages)
  expect(['do it', 'and now', 'or else'].map((text) => texts.includes(text))).toEqual([true, true, true])
  const again = play([], { sessionId: session_id }, first.where)
  await expect(again).rejects.toThrow(/there is a session .* Continue it with --resume/)
})

it('ends with a reason of its own when the caller aborts', { tags: 'long' }, async () => {
  const controller = new AbortController()
  const { result } = await play([{ before: 'silent' }], {
    signal: controller.signal,
    hooks: { UserPromptSubmit: [{ hooks: [() => void setImmediate(() => controller.abort())] }] },
  })
  expect(result).toMatchObject({ exit_reason: 'aborted', exit_code: 130, detail: 'The caller ended the run.' })
})
