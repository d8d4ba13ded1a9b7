import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../helpers/makeFolder.ts'
import { isAlive } from '../helpers/runs/isAlive.ts'
import { connectTestServers, stubServer } from '../helpers/tools/testMcp.ts'

test('a server sees a few harmless variables and what its entry declares', async () => {
  const env = {
    ...{ PATH: process.env['PATH'], HOME: '/h', LANG: 'C', RUNNER_TRACKING_ID: 'r', TMPDIR: '/tmp', USER: undefined },
    // An exported function of a shell, which old ones would run.
    ...{ TERM: '() { :; }', SHELLSHOCK: '() { :; }' },
    ...{ ANTHROPIC_API_KEY: 'k', GITHUB_TOKEN: 't', GITHUB_ENV: '/f', NODE_OPTIONS: '', LD_PRELOAD: 'x' },
  }
  const { call } = await connectTestServers(
    { a: stubServer('normal', '', { env: { MY_TOKEN: '${GITHUB_TOKEN}', LANG: 'de' } }) },
    { env, childEnv: { KODE_RUN_ID: 'run-1' } },
  )
  expect(JSON.parse((await call('mcp__a__environment')).text)).toEqual({
    ...{ PATH: process.env['PATH'], HOME: '/h', RUNNER_TRACKING_ID: 'r', TMPDIR: '/tmp' },
    ...{ MY_TOKEN: 't', LANG: 'de', KODE_RUN_ID: 'run-1' },
  })
})

test('a crash fails the call at once; the next call restarts the server', async () => {
  const { call, events } = await connectTestServers({ a: stubServer() })
  const [crashed, beside] = await Promise.all([call('mcp__a__crash'), call('mcp__a__hang')])
  for (const result of [crashed, beside]) {
    expect(result.isError).toBe(true)
    expect(result.text).toContain('ended during the call (it ended with exit code 3: out of cheese)')
    expect(result.text).toContain('It is unknown whether the call took effect')
  }
  expect(await call('mcp__a__echo', { back: true })).toMatchObject({ text: '{"back":true}' })
  expect(events).toMatchObject([{ subtype: 'warning', code: 'mcp_server_ended' }])
})

test('a server whose script was changed is not started again', async () => {
  const cwd = makeFolder()
  const script = join(cwd, 'server.mjs')
  writeFileSync(script, `import ${JSON.stringify(resolve('test/helpers/stubMcp.mjs'))}\n`)
  const { call } = await connectTestServers({ a: { command: process.execPath, args: ['server.mjs'] } }, { cwd })
  await call('mcp__a__crash')
  writeFileSync(script, `${readFileSync(script, 'utf8')}// changed\n`)
  expect(await call('mcp__a__echo')).toMatchObject({
    isError: true,
    text: expect.stringContaining(`${script} was changed during the run`),
  })
})

test('the tools are gone after three restarts', { tags: 'long' }, async () => {
  const { call, events, servers } = await connectTestServers({ a: stubServer() })
  for (let crash = 0; crash < 4; crash++) {
    expect(servers.tools[0]?.isEnabled()).toBe(true)
    expect((await call('mcp__a__crash')).text).toContain('exit code 3')
  }
  expect(servers.tools[0]?.isEnabled()).toBe(false)
  expect((await call('mcp__a__echo')).text).toContain('ended 4 times and is gone for this run')
  expect(events.at(-1)).toMatchObject({ subtype: 'mcp_unavailable', server: 'a', required: true })
  expect(servers.states()).toMatchObject([{ name: 'a', status: 'gone' }])
})

test('a server that does not restart is gone after as many attempts', { tags: 'long' }, async () => {
  const file = join(makeFolder(), 'been')
  const { call, events } = await connectTestServers({ a: stubServer('once', file) })
  await call('mcp__a__crash')
  for (let attempt = 0; attempt < 3; attempt++) {
    expect((await call('mcp__a__echo')).text).toContain('could not be started again: it ended with exit code 7')
  }
  expect((await call('mcp__a__echo')).text).toContain('gone for this run')
  expect(events.at(-1)).toMatchObject({ subtype: 'mcp_unavailable' })
})

test('a time that no timer can hold counts as none', async () => {
  const { call } = await connectTestServers({ a: stubServer('normal', '', { timeout: 1e12, startTimeout: 1e12 }) })
  expect((await call('mcp__a__echo', { slow: 'no' })).text).toBe('{"slow":"no"}')
})

test('the end of the run ends a call, not the server', async () => {
  const { call } = await connectTestServers({ a: stubServer() })
  const ending = new AbortController()
  const result = call('mcp__a__hang', {}, ending.signal)
  setImmediate(() => ending.abort())
  expect(await result).toMatchObject({ isError: true, text: expect.stringContaining('was canceled') })
  expect((await call('mcp__a__echo', { still: 'here' })).text).toBe('{"still":"here"}')
})

test('a line of more than 10 MB ends the server', { tags: 'long' }, async () => {
  const { call } = await connectTestServers({ a: stubServer() })
  expect(await call('mcp__a__line')).toMatchObject({
    isError: true,
    text: expect.stringContaining('it sent a line of more than 10 MB'),
  })
})

test('requests of the server are declined', { tags: 'long' }, async () => {
  const { call } = await connectTestServers({ a: stubServer() })
  await call('mcp__a__ask')
  const answers = async () => JSON.parse((await call('mcp__a__answers')).text) as { error?: { code: number } }[]
  await expect.poll(async () => (await answers()).length).toBe(3)
  for (const answer of await answers()) expect(answer.error?.code).toBe(-32601)
})

test('five servers that ignore every request to end are ended, with their children', { tags: 'long' }, async () => {
  const folder = makeFolder()
  const files = [1, 2, 3, 4, 5].map((number) => join(folder, `${number}`))
  const { servers } = await connectTestServers(
    Object.fromEntries(files.map((file, index) => [`s${index}`, stubServer('family', file)])),
  )
  await expect.poll(() => files.every((file) => readPids(file).length === 2)).toBe(true)
  const start = performance.now()
  await servers.close()
  // Not a measurement: one after the other they take at least 6 s, 1.2 s each. `npm run faults` measures.
  expect(performance.now() - start).toBeLessThan(5_000)
  expect(files.flatMap(readPids).filter(isAlive)).toEqual([])
  await servers.close()
})

test('a closed server answers no call', async () => {
  const { servers, call, events } = await connectTestServers({ a: stubServer() })
  const pending = call('mcp__a__hang')
  setImmediate(() => void servers.close())
  expect(await pending).toMatchObject({ isError: true })
  expect((await call('mcp__a__echo')).text).toContain('the run is ending')
  expect(events).toEqual([])
})

function readPids(file: string): number[] {
  try {
    return readFileSync(file, 'utf8').split(' ').map(Number)
  } catch {
    return []
  }
}
