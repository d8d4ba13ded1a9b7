import { call } from '../../helpers/model/serveTurns.ts'
import type { Caller } from '../../helpers/runs/cliRun.ts'
import type { GoldenRuns } from '../../helpers/runs/playGolden.ts'

const READS = { permissions: { allow: ['Read'] } }
const look = call('Read', { file_path: 'a.txt' })
const LOOKS = { policy: READS, files: { 'a.txt': 'hello\n' }, answers: [look] }
const FINDING = call('ReportFinding', {
  ...{ path: 'a.txt', line: 1, severity: 'warning', title: 'No: a, b', message: '100 % wrong\nSee b.' },
})
const user = (content: string | readonly object[]) => ({
  ...{ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null },
})
const control = (id: string, request: object) => ({ type: 'control_request', request_id: id, request })
const lines = (...messages: readonly object[]) => messages.map((each) => `${JSON.stringify(each)}\n`).join('')
const answer = (request_id: unknown, response: object) => ({
  ...{ type: 'control_response', response: { subtype: 'success', request_id, response } },
})
const STREAMS = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose', '-p']

type Fields = Readonly<Record<string, unknown>>

/** What the caller of the SDK says to its server's connection. */
function answerOfCalc({ id, method }: Fields) {
  const about = {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'calc', version: '1' },
  }
  const tools = [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }]
  const result =
    method === 'initialize'
      ? about
      : method === 'tools/list'
        ? { tools }
        : { content: [{ type: 'text', text: 'five' }] }
  return { mcp_response: { jsonrpc: '2.0', id, result } }
}

/** Answers what it is asked, changes the mode during the start and a hook, interrupts the second message, and sends a third. */
const caller: Caller = (message) => {
  const { type, request_id, request = {}, exit_reason } = message as Asked
  const { subtype, input = {} } = request
  if (subtype === 'hook_callback')
    return [control('mode', { subtype: 'set_permission_mode', mode: 'acceptEdits' }), answer(request_id, {})]
  if (subtype === 'mcp_message') {
    const early = request.message?.['method'] === 'initialize'
    return [
      ...(early ? [control('early', { subtype: 'set_permission_mode', mode: 'default' })] : []),
      answer(request_id, answerOfCalc(request.message ?? {})),
    ]
  }
  if (subtype === 'can_use_tool') {
    if (input['command'] === 'echo stop') return [control('stop', { subtype: 'interrupt' })]
    const updatedInput = input['command'] === undefined ? input : { command: 'echo changed > b' }
    const isDenied = input['a'] === 1
    return [
      answer(request_id, isDenied ? { behavior: 'deny', message: 'Not today.' } : { behavior: 'allow', updatedInput }),
    ]
  }
  if (type !== 'result') return []
  if (exit_reason === 'aborted') return [control('own', { subtype: 'set_model', model: 'default' }), user('Third.')]
  if (message['result'] !== 'One.') return null
  return [
    control('servers', { subtype: 'mcp_status' }),
    control('model', { subtype: 'set_model', model: 'haiku' }),
    control('mode', { subtype: 'set_permission_mode', mode: 'default' }),
    user([{ type: 'text', text: 'Second.' }, { type: 'image', source: { type: 'url' } }, { type: 'tool_result' }]),
  ]
}
type Asked = {
  readonly type?: string
  readonly request_id?: string
  readonly exit_reason?: string
  readonly request?: { readonly subtype?: string; readonly input?: Fields; readonly message?: Fields }
}

/** What a run prints, and in which form. */
export const outputs: GoldenRuns = {
  'the result as JSON': { ...LOOKS, args: ['--output-format', 'json', '--quiet'] },
  'events as JSON': { ...LOOKS, args: ['--output-format', 'stream-json'] },
  'parts of answers as they come': {
    policy: READS,
    args: ['--output-format', 'stream-json', '--include-partial-messages'],
    answers: [{ say: 'Done.' }],
  },
  'a log with all details': { ...LOOKS, args: ['--verbose'] },
  'a log on GitHub': {
    ...LOOKS,
    env: { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: '/' },
    answers: [look, FINDING],
  },
  'the last message in a file': {
    ...LOOKS,
    args: ['--output-last-message', '../last.txt', '--attest', '../statement.json'],
    shows: ['../last.txt', '../statement.json'],
  },
  'a file that cannot be written': {
    ...LOOKS,
    args: ['--output-last-message', 'a.txt/last.txt'],
    ends: 'cannot_create',
  },
  'a file whose folder is gone in the end': {
    policy: { permissions: { allow: ['Bash', 'Edit(../out)'] } },
    args: ['--output-last-message', '../out/last.txt', '--output-format', 'json'],
    files: { '../out/here': '' },
    answers: [call('Bash', { command: 'rm -r ../out && touch ../out' })],
    ends: 'io_error',
  },
  'a summary that a call would write': {
    policy: { permissions: { allow: ['Edit(../summary.md)'] } },
    answers: [call('Write', { file_path: '../summary.md', content: 'All well.' })],
    ends: 'blocked',
  },
  'telemetry that is switched off': {
    ...{ policy: READS, answers: [{ say: 'Done.' }] },
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:3', OTEL_SDK_DISABLED: 'TRUE' },
  },
  'a summary that cannot be written': { ...LOOKS, args: ['--summary', 'a.txt/summary.md'], ends: 'cannot_create' },
  'a summary on GitHub that cannot be written': {
    ...{ ...LOOKS, hasSummary: false, answers: [FINDING] },
    env: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: '/nowhere/summary.md', GITHUB_WORKSPACE: '/nowhere' },
  },
  'a log in a file, beside a console that is quiet': {
    ...{ ...LOOKS, args: ['--quiet', '--debug-file', '../debug.log'] },
    shows: ['../debug.log'],
  },
  'a prompt beside a conversation on stdin': { policy: READS, args: STREAMS, ends: 'usage' },
  'a conversation on stdin': {
    policy: READS,
    args: [...STREAMS, '--max-turns', '1'],
    prompt: '',
    stdin: lines(control('1', { subtype: 'initialize' }), user('First.'), user('Second.')),
    answers: [{ say: 'One.' }, { say: 'Two.' }],
  },
  'a caller that is asked': {
    policy: READS,
    args: [...STREAMS, '--permission-prompt-tool', 'stdio', '--permission-mode', 'plan', '--model', 'opus'],
    prompt: '',
    stdin: lines(
      control('1', {
        ...{ subtype: 'initialize', systemPrompt: 'Be brief.', budget: 1, sdkMcpServers: ['calc'] },
        hooks: { PreToolUse: [{ matcher: 'Write', hookCallbackIds: ['h1'] }] },
      }),
      user('First.'),
    ),
    caller,
    answers: [
      call('Bash', { command: 'echo hi > b' }),
      call('Write', { file_path: 'c', content: 'c' }),
      call('ToolSearch', { query: 'select:mcp__calc__add' }),
      call('mcp__calc__add', { a: 1 }),
      call('mcp__calc__add', { a: 2 }),
      call('Finish', { status: 'completed', summary: 'One.' }),
      call('Bash', { command: 'echo stop' }),
      { say: 'Three.' },
    ],
  },
  'a message that is only an image and a document': {
    policy: READS,
    args: STREAMS,
    prompt: '',
    stdin: lines(
      user([
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } },
      ]),
    ),
    answers: [{ say: 'A picture.' }],
  },
  'requests on stdin that are refused': {
    policy: READS,
    args: STREAMS,
    prompt: '',
    stdin: lines(
      control('1', { subtype: 'nonsense' }),
      control('2', { subtype: 'set_permission_mode', mode: 'bypassPermissions' }),
      control('2', { subtype: 'set_permission_mode', mode: 'loose' }),
      control('2', { subtype: 'mcp_message', server_name: 'none', message: {} }),
      control('2', { subtype: 'interrupt' }),
      control('3', { subtype: 'set_permission_mode', mode: 'plan' }),
      control('4', { subtype: 'set_model', model: 'opus' }),
      { type: 'nonsense' },
      user(''),
      user('Go.'),
    ),
    answers: [{ say: 'One.' }],
  },
  'stdin that is not JSON': { policy: READS, args: STREAMS, prompt: '', stdin: 'hello\n', ends: 'bad_input' },
}
