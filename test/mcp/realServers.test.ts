import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { McpServerSettings } from '../../src/contracts/settings.ts'
import { freePort } from '../helpers/listenHere.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { connectTestServers } from '../helpers/tools/testMcp.ts'

const peers: ChildProcess[] = []
afterAll(() => {
  for (const child of peers) child.kill('SIGKILL')
})

const peer = (name: string, ...args: string[]): McpServerSettings => ({
  command: process.execPath,
  args: [resolve(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
})

test('three third-party servers work side by side', { tags: 'long' }, async () => {
  const folder = makeFolder()
  writeFileSync(join(folder, 'a.txt'), 'hello from a file\n')
  const { servers, call, events } = await connectTestServers({
    files: peer('filesystem', folder),
    all: peer('everything', 'stdio'),
    memory: { ...peer('memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } },
  })
  expect(servers.states().map(({ name, status }) => `${name} ${status}`)).toEqual([
    'files connected',
    'all connected',
    'memory connected',
  ])
  expect((await call('mcp__files__read_text_file', { path: join(folder, 'a.txt') })).text).toBe('hello from a file\n')
  await call('mcp__files__write_file', { path: join(folder, 'b.txt'), content: 'written' })
  expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('written')
  expect((await call('mcp__files__read_text_file', { path: '/etc/passwd' })).isError).toBe(true)
  expect((await call('mcp__all__echo', { message: 'hi' })).text).toBe('Echo: hi')

  const entity = { name: 'kode', entityType: 'tool', observations: ['runs headless'] }
  await call('mcp__memory__create_entities', { entities: [entity] })
  expect((await call('mcp__memory__read_graph')).text).toContain('runs headless')
  expect(events.filter((event) => event.type === 'system' && event.subtype === 'mcp_unavailable')).toEqual([])
})

test('everything over stdio: progress, images, structured content and errors', { tags: 'long' }, async () => {
  const { call } = await connectTestServers({ all: peer('everything', 'stdio') })
  const long = await call('mcp__all__trigger-long-running-operation', { duration: 0.4, steps: 2 })
  expect(long.text).toContain('completed')
  expect(long.progress.length).toBeGreaterThan(0)
  const { content } = await call('mcp__all__get-tiny-image')
  expect(content).toContainEqual(expect.objectContaining({ type: 'image' }))
  expect((await call('mcp__all__get-structured-content', { location: 'New York' })).text).toContain('temperature')
  expect((await call('mcp__all__get-sum', { a: 2, b: 'no number' })).isError).toBe(true)
})

describe.each(['http', 'sse'] as const)('everything over %s', { tags: 'long' }, (type) => {
  let url = ''
  beforeAll(async () => {
    const port = await freePort()
    url = `http://127.0.0.1:${port}/${type === 'http' ? 'mcp' : 'sse'}`
    await startPeer(type === 'http' ? 'streamableHttp' : 'sse', port)
  })

  test('its tools and resources work, through the fetch that is given', async () => {
    const seen: string[] = []
    const { call, servers } = await connectTestServers(
      { all: { type, url, headers: { 'x-team': '${TEAM}' } } },
      {
        env: { TEAM: 'kode' },
        fetch: (target, init) => {
          seen.push(new Headers(init?.headers).get('x-team') ?? '')
          return fetch(target, init)
        },
      },
    )
    expect((await call('mcp__all__echo', { message: 'hi' })).text).toBe('Echo: hi')
    const long = await call('mcp__all__trigger-long-running-operation', { duration: 0.4, steps: 2 })
    expect(long.text).toContain('completed')
    expect((await servers.listResources('all')).length).toBeGreaterThan(0)
    expect(new Set(seen)).toEqual(new Set(['kode']))
  })

  test('a server that dies fails the running calls', async () => {
    const port = await freePort()
    const doomed = await startPeer(type === 'http' ? 'streamableHttp' : 'sse', port)
    const { call } = await connectTestServers({ all: { type, url: url.replace(/:\d+\//, `:${port}/`) } })
    const pending = call('mcp__all__trigger-long-running-operation', { duration: 60, steps: 60 })
    await call('mcp__all__echo', { message: 'the other call is under way' })
    doomed.kill('SIGKILL')
    const result = await pending
    expect(result.isError).toBe(true)
    expect((await call('mcp__all__echo', { message: 'gone' })).isError).toBe(true)
  }, 120_000)
})

async function startPeer(transport: string, port: number): Promise<ChildProcess> {
  const { command = '', args = [] } = peer('everything', transport)
  const env = { PATH: process.env['PATH'], PORT: `${port}` }
  const child = spawn(command, args, { env, stdio: 'ignore' })
  peers.push(child)
  await vi.waitUntil(() => isListening(port), { timeout: 10_000 })
  return child
}

function isListening(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => done(true)).once('error', () => done(false))
    socket.unref().once('connect', () => socket.destroy())
  })
}
