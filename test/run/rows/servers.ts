import type { McpServerSettings } from '../../../src/contracts/settings.ts'
import { call } from '../../helpers/model/serveTurns.ts'
import type { GoldenRun } from '../../helpers/runs/goldenRun.ts'
import type { GoldenRuns } from '../../helpers/runs/playGolden.ts'
import { stubServer, stubTools } from '../../helpers/tools/testMcp.ts'

const READS = { permissions: { allow: ['Read', 'mcp__stub'] } }
const use = (tool: string, input = {}) => call(`mcp__stub__${tool}`, input)
const load = call('ToolSearch', { query: 'select:mcp__stub__echo' })
const DONE = [{ say: 'Done.' }]

/** A run with this server; it need not come up. */
const optional = (server: McpServerSettings, more: Partial<GoldenRun> = {}): GoldenRun => ({
  policy: { ...READS, mcpServers: { stub: { ...server, required: false } } },
  answers: DONE,
  ...more,
})
const withTools = (...names: readonly string[]) =>
  stubTools(names.map((name) => ({ name, inputSchema: { type: 'object' }, _meta: { 'anthropic/alwaysLoad': true } })))
const ofProject = (entry: object): GoldenRun => ({
  policy: { ...READS, projectMcp: true },
  files: { '.mcp.json': JSON.stringify({ mcpServers: { stub: entry } }) },
  ends: 'config',
})
const required = (server: McpServerSettings): GoldenRun => ({
  ...{ policy: { ...READS, mcpServers: { stub: server } }, ends: 'mcp_unavailable' },
})

/** What is said of MCP servers that work, and of those that fail in each way. */
export const servers: GoldenRuns = {
  'a tool of a server': {
    policy: { ...READS, mcpServers: { stub: stubServer('few') } },
    answers: [load, use('echo', { text: 'hi' }), ...DONE],
  },
  'a tool that no rule allows': {
    policy: { permissions: { allow: ['Read', 'mcp__stub__other'] }, mcpServers: { stub: stubServer('few') } },
    answers: [use('echo'), ...DONE],
  },
  'calls that fail': {
    policy: { ...READS, mcpServers: { stub: stubServer('normal', '', { timeout: 1 }) } },
    answers: [use('broken'), use('hang'), use('crash'), use('echo', { text: 'up again' }), ...DONE],
  },
  'a required server that ends': required(stubServer('exit')),
  'a required server that is missing': required({ command: '/usr/local/bin/no-such-server' }),
  'a server that ends': optional(stubServer('exit')),
  'a server that is missing': optional({ command: '/usr/local/bin/no-such-server' }),
  'a server that is silent': optional(stubServer('silent', '', { startTimeout: 1 })),
  'a server that also prints what is no JSON': optional(stubServer('junk')),
  'a server with a broken list': optional(stubServer('lists')),
  'a server whose list does not end': optional(stubServer('pages', 'loop')),
  'a server of another version': optional(stubServer('version', '1999-01-01')),
  'an address of events that nobody answers at': optional({ type: 'sse', url: 'http://127.0.0.1:3/sse' }),
  'a server that wants the sandbox': optional(stubServer('few', '', { sandbox: true })),
  'an address that nobody answers at': {
    policy: {
      permissions: { allow: ['Bash(echo *)'] },
      mcpServers: {
        stub: {
          ...{ url: 'http://127.0.0.1:3/mcp', required: false },
          headers: { Authorization: 'Bearer of-the-server-0123456789', 'X-Api-Key': 'key-of-it-0123456789' },
        },
      },
    },
    answers: [call('Bash', { command: 'echo of-the-server-0123456789 key-of-it-0123456789' }), ...DONE],
  },
  'a variable that is not set': { ...optional({ command: 'node', args: ['${NO_SUCH}'] }), ends: 'config' },
  'servers of the project': {
    policy: { ...READS, projectMcp: true },
    files: { '.mcp.json': JSON.stringify({ mcpServers: { stub: stubServer('few') } }) },
    answers: DONE,
  },
  'an entry of the project that is not valid': {
    policy: { ...READS, projectMcp: true },
    files: { '.mcp.json': JSON.stringify({ mcpServers: { odd: { type: 'carrier-pigeon', args: 'x' } } }) },
    ends: 'config',
  },
  'a file of servers that is no JSON': {
    policy: READS,
    args: ['--mcp-config', '.mcp.json'],
    files: { '.mcp.json': '{' },
    ends: 'config',
  },
  'a variable of the project that is not set': ofProject({ command: '${NOT_THERE}' }),
  'the key of the run in an entry of the project': ofProject({ url: 'http://127.0.0.1:9/${ANTHROPIC_API_KEY}' }),
  'tools with the names of others, and tools that are denied': {
    policy: {
      permissions: { allow: ['mcp__a', 'mcp__a-b', 'mcp__gone', 'mcp__part'], deny: ['mcp__gone', 'mcp__part__set_*'] },
      mcpServers: {
        ...{ a: withTools('Bash', 'b__echo'), 'a-b': withTools('echo') },
        ...{ gone: withTools('x', 'y'), part: withTools('get_one', 'set_one') },
      },
    },
    args: ['--fail-on-denied'],
    answers: [call('Bash', { command: 'touch made' })],
    ends: 'blocked',
  },
  'servers of a flag beside those of the project': {
    policy: READS,
    args: ['--mcp-config', '{"mcpServers":{}}'],
    files: { '.mcp.json': '{"mcpServers":{}}' },
    answers: DONE,
  },
  'only some tools of a server': {
    policy: { ...READS, mcpServers: { stub: stubServer('normal', '', { tools: ['ech*', 'none'] }) } },
    answers: DONE,
  },
}
