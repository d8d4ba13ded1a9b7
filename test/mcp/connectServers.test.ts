import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { McpServerSettings } from '../../src/contracts/settings.ts'
import { VERSION } from '../../src/lib/version.ts'
import { withDefaultTimes } from '../../src/mcp/connectServers.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { isAlive } from '../helpers/runs/isAlive.ts'
import { connectTestServers, stubServer, stubTools } from '../helpers/tools/testMcp.ts'

const STUB_TOOLS = 14
const temp = (name: string) => join(makeFolder(), name)

test('a start-up that fails leaves no server behind', async () => {
  const pids = temp('pids')
  await expect(connectTestServers({ good: stubServer('started', pids), bad: stubServer('exit') })).rejects.toThrow(
    /MCP server bad/,
  )
  expect(isAlive(Number(readFileSync(pids, 'utf8')))).toBe(false)
})

test('all servers that fail are named at once', async () => {
  const long = ['-e', `process.stderr.write('x'.repeat(3000) + ' no database'); process.exitCode = 3`]
  const servers: Record<string, McpServerSettings> = {
    a: { command: process.execPath, args: long },
    b: { command: '/no/such' },
    c: { type: 'sse', url: 'http://127.0.0.1:3/sse' },
    d: stubServer('few', '', { sandbox: true }),
  }
  await expect(connectTestServers(servers)).rejects.toThrow(
    expect.objectContaining({
      message: expect.stringMatching(
        [
          '^MCP server a did not start: it ended with exit code 3: x{1988} no database',
          'MCP server b did not start: /no/such was not found: spawn /no/such ENOENT',
          'MCP server c did not start: SSE error: .*ECONNREFUSED.*',
          'MCP server d: it has sandbox: true, and no sandbox is in force$',
        ].join('\n'),
      ),
    }),
  )
})

test('a server that fails inside the sandbox says that it was there', async () => {
  const command = process.execPath
  const servers = {
    inside: { command, args: ['-e', 'process.exit(3)'], sandbox: true },
    outside: { command, args: ['-e', 'process.exit(4)'] },
  }
  await expect(connectTestServers(servers, { sandbox: (process) => process })).rejects.toMatchObject({
    message: [
      'MCP server inside did not start: it ended with exit code 3',
      'It started inside the sandbox, with the files and the network that commands have.',
      'MCP server outside did not start: it ended with exit code 4',
    ].join('\n'),
  })
})

test('an invalid entry is refused before anything starts', async () => {
  const pids = temp('pids')
  const good = stubServer('started', pids)
  await expect(connectTestServers({ good, a__b: good })).rejects.toMatchObject({ reason: 'config' })
  await expect(
    connectTestServers({ good, bad: { command: '${NOT_SET_ANYWHERE}', required: false } }),
  ).rejects.toMatchObject({ reason: 'config', message: expect.stringContaining('NOT_SET_ANYWHERE') })
  expect(existsSync(pids)).toBe(false)
})

test('the end of the run ends the start-up', async () => {
  const ending = new AbortController()
  const attempt = connectTestServers({ slow: stubServer('silent') }, { signal: ending.signal })
  ending.abort()
  await expect(attempt).rejects.toThrow(/the run is ending/)
})

test('an older protocol will do, and what is announced beside tools may be missing', async () => {
  const { servers } = await connectTestServers({ old: stubServer('version', '2024-11-05') })
  expect(servers.tools).not.toHaveLength(0)
})

test('no capability is offered to the server', { tags: 'long' }, async () => {
  const file = temp('hello')
  await connectTestServers({ curious: stubServer('hello', file) })
  const clientInfo = { name: 'kode-run', version: VERSION }
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ capabilities: {}, clientInfo })
})

test('tools of all servers are sorted by name, whatever page they came on', async () => {
  const { servers } = await connectTestServers({ zoo: stubServer('pages'), abc: stubServer() })
  const names = servers.tools.map((tool) => tool.name)
  expect(names).toEqual([...names].sort())
  expect(names.filter((name) => name.startsWith('mcp__zoo__'))).toHaveLength(STUB_TOOLS)
  expect(names.filter((name) => name.startsWith('mcp__abc__'))).toHaveLength(STUB_TOOLS)
})

const inputSchema = { type: 'object', properties: { path: { type: 'string', description: 'a\u202e path' } } }

test('a tool names its server, without hidden text', async () => {
  const listed = { name: 'Bash', description: `Runs.\u{E0052}\u202e`, inputSchema, annotations: { readOnlyHint: true } }
  const { servers } = await connectTestServers({ shell: stubTools([listed]) })
  const [tool] = servers.tools
  expect(tool).toMatchObject({ name: 'mcp__shell__Bash', mcpInfo: { server: 'shell', tool: 'Bash' } })
  const options = { tools: [], cwd: '/' }
  expect(await tool?.description(options)).toBe('A tool of the MCP server "shell". The server describes it so:\nRuns.')
  const properties = { path: { type: 'string', description: 'a path' } }
  expect(tool?.inputJSONSchema).toEqual({ type: 'object', properties })
})

test('hints of the server only allow parallel calls, never read-only status', async () => {
  const { servers, context } = await connectTestServers({ a: stubServer() })
  const tool = (name: string) => servers.tools.find((one) => one.name === `mcp__a__${name}`)
  expect(tool('echo')?.isConcurrencySafe({}, context)).toBe(true)
  expect(tool('hang')?.isConcurrencySafe({}, context)).toBe(false)
  expect(tool('echo')?.isReadOnly({}, context)).toBe(false)
  expect(tool('echo')?.subjects({}, context)).toEqual([{ kind: 'mcp', server: 'a', tool: 'echo' }])
})

test('a server runs in the sandbox that it asks for', { tags: 'long' }, async () => {
  const { call } = await connectTestServers(
    { boxed: stubServer('normal', '', { sandbox: true }), free: stubServer() },
    { sandbox: (process) => ({ ...process, env: { ...process.env, BOXED: 'yes' } }) },
  )
  expect(JSON.parse((await call('mcp__boxed__environment')).text)).toMatchObject({ BOXED: 'yes' })
  expect(JSON.parse((await call('mcp__free__environment')).text)).not.toHaveProperty('BOXED')
})

const environment = { MCP_TIMEOUT: '30000', MCP_TOOL_TIMEOUT: '1200000' }

test.each([
  [{ command: 'x' }, environment, { command: 'x', startTimeout: 30, timeout: 1200 }],
  [{ command: 'x', timeout: 5 }, environment, { command: 'x', startTimeout: 30, timeout: 5 }],
  [{ command: 'x' }, { MCP_TIMEOUT: '' }, { command: 'x' }],
  [{ command: 'x' }, {}, { command: 'x' }],
])('%j in %j is %j', (settings, env, expected) => {
  expect(withDefaultTimes(settings, env)).toEqual(expected)
})

test.each(['0', '-1', '5s', '1.5', 'NaN'])('%s is refused by its name', (value) => {
  expect(() => withDefaultTimes({ command: 'x' }, { MCP_TOOL_TIMEOUT: value })).toThrow(/^MCP_TOOL_TIMEOUT: /)
})
