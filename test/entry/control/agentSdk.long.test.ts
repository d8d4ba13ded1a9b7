import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import * as z from 'zod'
import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import type { RecordedRequest, Step } from '../../helpers/model/messagesServer.ts'
import { call, serveTurns } from '../../helpers/model/serveTurns.ts'
import { CLI_TEST_KEY } from '../../helpers/runs/cliRun.ts'
import { stablePath } from '../../helpers/runs/kodeRun.ts'
import { FINISH } from '../../helpers/runs/playRun.ts'
import { manifest, writePlugin } from '../../helpers/runs/plugins.ts'

/*
 * The Agent SDK itself, with kode-run as its executable. Its tarball alone is fetched (1.5 MB): the package as npm installs it
 * brings a binary of hundreds of megabytes for each platform.
 */

const SDK = '@anthropic-ai/claude-agent-sdk'
const VERSION = '0.3.332'
const SHA512 = 'N0ejnrTLMNJYXkvhdmLEy8QSfjym2ljJCkUBCrLKesYNGgqooi8zHDHawNsi+An6zav/ImPnpi27sbRsRjfcOw=='

const folder = makeFolder('kode-run-sdk-')

/** The SDK; undefined if no registry can be reached. */
async function fetchSdk(): Promise<Sdk | undefined> {
  try {
    const pack = ['pack', `${SDK}@${VERSION}`, '--silent', '--pack-destination', folder]
    execFileSync('npm', pack, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 60_000 })
  } catch {
    return undefined
  }
  const tarball = join(folder, `anthropic-ai-claude-agent-sdk-${VERSION}.tgz`)
  expect(createHash('sha512').update(readFileSync(tarball)).digest('base64')).toBe(SHA512)
  const place = join(folder, 'node_modules', SDK)
  mkdirSync(place, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', place, '--strip-components=1'])
  symlinkSync(resolve('node_modules/zod'), join(dirname(dirname(place)), 'zod'))
  return (await import(pathToFileURL(join(place, 'sdk.mjs')).href)) as Sdk
}

// biome-ignore lint/suspicious/noExplicitAny: the SDK's own types are not installed
type Any = any
type Query = AsyncGenerator<Any> & Readonly<Record<string, (...given: Any[]) => Promise<Any>>>
type Sdk = { query(given: { prompt: unknown; options: Any }): Query; createSdkMcpServer: Any; tool: Any }

const sdk = await fetchSdk()
const needed = sdk === undefined ? ' (needs the npm registry)' : ''
const withSdk = it.skipIf(sdk === undefined)

const POLICY = `version: 1
permissions: { allow: [Read, 'Bash(echo allowed *)'], deny: ['Bash(echo secret *)'] }
sandbox: { mode: off }
`

/** A project, the API, and the options that a program gives the SDK. */
async function open(stepFor: (request: RecordedRequest) => Turn | Step) {
  const base = makeFiles({ 'project/': '', 'policy.yml': POLICY })
  const api = await serveTurns(stepFor)
  const options = {
    cwd: join(base, 'project'),
    pathToClaudeCodeExecutable: resolve('dist/cli.js'),
    extraArgs: { policy: join(base, 'policy.yml') },
    env: {
      ...{ PATH: stablePath, HOME: join(base, 'home') },
      ...{ ANTHROPIC_API_KEY: CLI_TEST_KEY, ANTHROPIC_BASE_URL: api.url },
    },
  }
  return { api, options, base }
}

/** The same, for an agent that calls Bash with each of these, and then ends. */
const openWith = (commands: readonly string[], end: Turn = FINISH) =>
  open(({ index }) => (commands[index] === undefined ? end : call('Bash', { command: commands[index] })))

async function collect(query: Query, onMessage?: (message: Any) => unknown): Promise<Any[]> {
  const messages: Any[] = []
  for await (const message of query) {
    messages.push(message)
    await onMessage?.(message)
  }
  return messages
}

const ask = (prompt: unknown, options: Any) => (sdk as Sdk).query({ prompt, options })
const resultsOf = (messages: readonly Any[]) => messages.filter(({ type }) => type === 'result')
const say = (text: string) => ({ say: text })
const user = (content: string) => ({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null })

withSdk(`answers a query, with the parts of the answer${needed}`, async () => {
  const { options } = await open(() => say('hello there'))
  const messages = await collect(ask('hi', { ...options, includePartialMessages: true, settingSources: ['project'] }))
  expect(messages[0]).toMatchObject({ type: 'system', subtype: 'init', permissionMode: 'default' })
  expect(resultsOf(messages)).toMatchObject([{ subtype: 'success', result: 'hello there', is_error: false }])
  expect(resultsOf(messages)[0].warnings.join('\n')).toMatch(/--setting-sources has no effect: .*\.claude\/settings/)
  const deltas = messages.flatMap(({ type, event }) => (type === 'stream_event' ? [event.delta?.text ?? ''] : []))
  expect(deltas.join('')).toBe('hello there')
})

withSdk(`takes several messages in one session, with another model and mode in between${needed}`, async () => {
  const { api, options } = await open(({ index }) => say(`answer ${index + 1}`))
  let answered = (): void => undefined
  const wait = () => new Promise<void>((done) => (answered = done))
  const errors: string[] = []
  async function* input() {
    const first = wait()
    yield user('one')
    await first
    await query['setModel']?.('haiku')
    await query['setPermissionMode']?.('acceptEdits')
    await query['setPermissionMode']?.('bypassPermissions').catch((error: Error) => errors.push(error.message))
    const second = wait()
    yield user('two')
    await second
  }
  // The variable that names the id holds for the SDK's `setModel`, too.
  const env = { ...options.env, ANTHROPIC_DEFAULT_HAIKU_MODEL: 'claude-haiku-4-5' }
  const query = ask(input(), { ...options, env })
  const messages = await collect(query, ({ type }) => type === 'result' && answered())
  expect(resultsOf(messages).map(({ result }) => result)).toEqual(['answer 1', 'answer 2'])
  expect(new Set(messages.map(({ session_id }) => session_id)).size).toBe(1)
  const inits = messages.filter(({ subtype }) => subtype === 'init').map(({ permissionMode }) => permissionMode)
  expect(inits).toEqual(['default', 'acceptEdits'])
  expect(errors).toEqual([expect.stringMatching(/no mode skips permissions: allow what the task needs in the policy/)])
  const second = api.requests[1]?.body
  expect(second.model).toBe('claude-haiku-4-5')
  expect(JSON.stringify(second.messages)).toMatch(/one.*answer 1.*two/)
})

withSdk(`asks hooks and canUseTool, which loosen no deny${needed}`, async () => {
  const steps = ['echo allowed a', 'echo asked b', 'echo secret c', 'echo edited d']
  const { options } = await openWith(steps)
  const [seen, asked]: string[][] = [[], []]
  const hook = async (input: Any) => {
    seen?.push(`${input.hook_event_name} ${input.tool_input?.command ?? ''}`.trim())
    return {}
  }
  const messages = await collect(
    ask('go', {
      ...options,
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }], Stop: [{ hooks: [hook] }] },
      canUseTool: async (name: string, input: Any) => {
        asked?.push(`${name} ${input.command}`)
        const isEdited = input.command.includes('edited')
        return { behavior: 'allow', updatedInput: isEdited ? { ...input, command: 'echo secret d' } : input }
      },
    }),
  )
  expect(seen).toEqual([...steps.map((step) => `PreToolUse ${step}`), 'Stop'])
  expect(asked).toEqual(['Bash echo asked b', 'Bash echo edited d'])
  const [result] = resultsOf(messages)
  expect(result.permission_denials.map(({ rule }: Any) => rule)).toEqual(['Bash(echo secret *)', 'Bash(echo secret *)'])
  expect(JSON.stringify(messages)).toContain('asked b')
})

withSdk(`denies if a hook of the caller throws${needed}`, async () => {
  const { options } = await openWith(['echo allowed a'])
  const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [() => Promise.reject(new Error('the hook is broken'))] }] }
  const messages = await collect(ask('go', { ...options, hooks }))
  expect(resultsOf(messages)[0].permission_denials[0].reason).toContain('the hook is broken')
})

withSdk(`calls tools of createSdkMcpServer under the mcp rules${needed}`, async () => {
  const { createSdkMcpServer, tool } = sdk as Sdk
  const add = tool('add', 'Adds.', { a: z.number(), b: z.number() }, async ({ a, b }: Any) => ({
    content: [{ type: 'text', text: `the sum is ${a + b}` }],
  }))
  const erase = tool('erase', 'Erases.', {}, async () => ({ content: [{ type: 'text', text: 'all gone' }] }))
  const steps = [
    call('ToolSearch', { query: 'select:mcp__calc__add,mcp__calc__erase' }),
    call('mcp__calc__add', { a: 2, b: 3 }),
    call('mcp__calc__erase', {}),
  ]
  const { api, options } = await open(({ index }) => steps[index] ?? FINISH)
  const calc = createSdkMcpServer({ name: 'calc', version: '1.0.0', tools: [add, erase] })
  const messages = await collect(ask('go', { ...options, mcpServers: { calc }, allowedTools: ['mcp__calc__add'] }))
  const sent = JSON.stringify(api.requests.at(-1)?.body.messages)
  expect([sent.includes('the sum is 5'), sent.includes('all gone')]).toEqual([true, false])
  expect(resultsOf(messages)[0].permission_denials).toMatchObject([{ tool_name: 'mcp__calc__erase' }])
})

withSdk(`resumes a session, forks it, and takes an id for it${needed}`, async () => {
  const { api, options } = await open(({ index }) => say(`answer ${index + 1}`))
  const sessionId = '11111111-2222-4333-8444-555555555555'
  const idOf = async (prompt: string, more: Any) =>
    resultsOf(await collect(ask(prompt, { ...options, ...more })))[0].session_id
  expect(await idOf('one', { sessionId })).toBe(sessionId)
  expect(await idOf('two', { resume: sessionId })).toBe(sessionId)
  expect(await idOf('three', { resume: sessionId, forkSession: true })).not.toBe(sessionId)
  expect(JSON.stringify(api.requests[2]?.body.messages)).toMatch(/one.*answer 1.*two.*answer 2.*three/)
})

withSdk(`interrupts a message, and goes on with the next${needed}`, async () => {
  let answered = (): void => undefined
  let interrupt = (): void => undefined
  const { options } = await open(({ index }) => {
    if (index > 0) return say('here again')
    interrupt()
    return { before: 'silent' }
  })
  async function* input() {
    const first = new Promise<void>((done) => (answered = done))
    yield user('think long')
    await first
    yield user('are you there?')
  }
  const query = ask(input(), { ...options, canUseTool: async () => ({ behavior: 'deny', message: 'no' }) })
  interrupt = () => void query['interrupt']?.()
  const messages = await collect(query, ({ type }) => type === 'result' && answered())
  expect(resultsOf(messages)).toMatchObject([
    { subtype: 'error_during_execution', exit_reason: 'aborted', errors: ['The caller interrupted the run.'] },
    { subtype: 'success', result: 'here again' },
  ])
})

withSdk(`says in a result why a run cannot start${needed}`, async () => {
  const { options, base } = await open(() => say('never'))
  const env = { ...options.env, ANTHROPIC_API_KEY: '' }
  const messages: Any[] = []
  const query = collect(ask('hi', { ...options, env }), (message) => messages.push(message))
  await expect(query).rejects.toThrow(/no API key/)
  expect(resultsOf(messages)).toMatchObject([{ is_error: true, exit_reason: 'auth' }])
  expect(existsSync(join(base, 'home'))).toBe(true)
})

withSdk(`loads plugins of the SDK's options${needed}`, async () => {
  const { api, options, base } = await open(() => say('done'))
  const path = writePlugin(join(base, 'kit'), { ...manifest('kit'), 'commands/go.md': 'Go to $1.' })
  const messages = await collect(ask('/kit:go there', { ...options, plugins: [{ type: 'local', path }] }))
  expect(messages[0]).toMatchObject({ plugins: [{ name: 'kit', path }], slash_commands: ['kit:go'] })
  expect(JSON.stringify(api.requests[0]?.body.messages)).toContain('Go to there.')
  expect(resultsOf(messages)).toMatchObject([{ subtype: 'success', result: 'done', plugins: [{ name: 'kit' }] }])
})

withSdk(`does a run for claude-code-action, whose arguments loosen no deny${needed}`, async () => {
  const commands = ['echo allowed a', 'echo asked b', 'echo secret c']
  const input = { status: 'completed', summary: 'looked', output: { ok: true } }
  const { api, options, base } = await openWith(commands, call('Finish', input))
  // The action runs by bun, where the SDK would start a path with .js by bun, too: so it is given the link of node_modules/.bin.
  const pathToClaudeCodeExecutable = join(base, 'kode-run')
  symlinkSync(options.pathToClaudeCodeExecutable, pathToClaudeCodeExecutable)
  // What its input `settings` leaves in the home folder has no say.
  mkdirSync(join(base, 'home/.claude'), { recursive: true })
  const settings = { permissions: { allow: ['Bash(echo *)'], defaultMode: 'bypassPermissions' } }
  writeFileSync(join(base, 'home/.claude/settings.json'), JSON.stringify(settings))
  const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] }
  const flags = { 'max-turns': '6', model: 'claude-haiku-4-5', 'json-schema': JSON.stringify(schema) }
  async function* prompt() {
    const content = ['the context', 'the request'].map((text) => ({ type: 'text', text }))
    yield { ...user(''), session_id: '', message: { role: 'user', content } }
  }
  const query = ask(prompt(), {
    ...options,
    pathToClaudeCodeExecutable,
    ...{ model: undefined, maxTurns: undefined, fallbackModel: undefined, disallowedTools: undefined },
    allowedTools: ['Read', 'Bash(echo secret *)'],
    systemPrompt: { type: 'preset', preset: 'claude_code' },
    extraArgs: { ...options.extraArgs, ...flags },
    env: { ...options.env, CLAUDE_CODE_ENTRYPOINT: 'claude-code-github-action', CLAUDE_CODE_ACTION: '1' },
    settingSources: ['user', 'project', 'local'],
  })
  const messages: Any[] = []
  for await (const message of query) {
    messages.push(message)
    if (message.type === 'result') break
  }
  const [init, result] = [messages.find(({ subtype }) => subtype === 'init'), messages.at(-1)]
  expect(init).toMatchObject({ session_id: expect.stringMatching(/^[0-9a-f-]{36}$/), model: 'claude-haiku-4-5' })
  expect(result).toMatchObject({ subtype: 'success', is_error: false, num_turns: 4, structured_output: { ok: true } })
  expect(result).toMatchObject({ session_id: init.session_id, duration_ms: expect.any(Number), exit_code: 0 })
  expect(result.permission_denials.map(({ tool_input }: Any) => tool_input.command)).toEqual(commands.slice(1))
  expect(result.warnings.join('\n')).toMatch(/--setting-sources has no effect: .*name one with --settings/)
  const answers = messages.filter(({ type }) => type === 'assistant')
  expect(answers.every(({ message }) => message.usage.input_tokens > 0)).toBe(true)
  expect(JSON.stringify(api.requests[0]?.body.messages)).toMatch(/the context.*the request/)
})
