import { call } from '../../helpers/model/serveTurns.ts'
import type { Caller } from '../../helpers/runs/cliRun.ts'
import type { GoldenRun } from '../../helpers/runs/goldenRun.ts'
import { FINISH } from '../../helpers/runs/playRun.ts'
import { stubTools } from '../../helpers/tools/testMcp.ts'

const agent = (prompt: string) => call('Agent', { subagent_type: 'counter', prompt, description: 'a part' })
const withTools = (...names: readonly string[]) =>
  stubTools(names.map((name) => ({ name, inputSchema: { type: 'object' }, _meta: { 'anthropic/alwaysLoad': true } })))

type Fields = Readonly<Record<string, unknown>>

const control = (id: string, request: object) => ({ type: 'control_request', request_id: id, request })
const user = (content: string | readonly object[]) => ({
  ...{ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null },
})
const answer = (request_id: unknown, response: object) => ({
  ...{ type: 'control_response', response: { subtype: 'success', request_id, response } },
})

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

/** Answers what it is asked, changes the mode at the start and in a hook, interrupts a message, and sends a third. */
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

/** What the runs of these names have besides: their answers depend on what is asked, or are too long to write. */
export const inCode: Readonly<Record<string, Partial<GoldenRun>>> = {
  'an agent that uses up its money, is asked again, and another one': {
    answers: (request) => {
      const { system, messages } = request.body
      if (JSON.stringify(system).includes('You count.'))
        return { ...call('LS', { path: '.' }), usage: { input_tokens: messages.length === 1 ? 1000 : 100_000 } }
      const [id = ''] = /agent_[0-9a-f]{8}/.exec(JSON.stringify(messages)) ?? []
      const turns = [agent('Count.'), call('SendMessage', { to: id, message: 'And now?' }), agent('Count once more.')]
      return turns[(messages.length - 1) / 2] ?? { say: 'Done.' }
    },
  },
  'an agent that is asked again': {
    answers: (request) => {
      const said = JSON.stringify(request.body.messages)
      const [id] = /agent_[0-9a-f]{8}/.exec(said) ?? []
      if (JSON.stringify(request.body.system).includes('You count.'))
        return { say: said.includes('more') ? 'Two.' : 'One.' }
      if (id === undefined) return agent('Count.')
      if (said.includes('agent_gone')) return { say: 'Done.' }
      if (said.includes('Two.')) return call('SendMessage', { to: 'agent_gone', message: 'Hello?' })
      return call('SendMessage', { to: id, message: 'Count once more.' })
    },
  },
  'inputs that are no objects': {
    answers: [
      {
        tools: ['null', '[1]', '{"path": ', `${'['.repeat(10_000)}${']'.repeat(10_000)}`].map((input) => ({
          ...{ name: 'LS', input },
        })),
      },
    ],
  },
  'an overloaded model that another one replaces': {
    answers: ({ body }) =>
      body.model === 'claude-haiku-5-5' ? FINISH : { status: 529, headers: { 'retry-after': '0' } },
  },
  'a caller that is asked': { caller },
  'tools with the names of others, and tools that are denied': {
    policy: {
      permissions: { allow: ['mcp__a', 'mcp__a-b', 'mcp__gone', 'mcp__part'], deny: ['mcp__gone', 'mcp__part__set_*'] },
      mcpServers: {
        ...{ a: withTools('Bash', 'b__echo'), 'a-b': withTools('echo') },
        ...{ gone: withTools('x', 'y'), part: withTools('get_one', 'set_one') },
      },
    },
  },
}
