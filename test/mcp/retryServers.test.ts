import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../helpers/makeFolder.ts'
import { serveMcp } from '../helpers/tools/httpMcp.ts'
import { connectTestServers, stubServer } from '../helpers/tools/testMcp.ts'

/** A server that is down, and a clock. */
async function down() {
  const is = { down: true, now: 0 }
  const server = await serveMcp({ mayEnter: () => true, isDown: () => is.down })
  const entry = { url: server.url, required: false }
  const { servers } = await connectTestServers({ late: entry, good: stubServer() }, { now: () => is.now })
  const tries = () => servers.down()[0]?.tries
  /** Settles when a try that has begun has failed: then the next one waits for its time. */
  const tried = (count: number) =>
    expect.poll(() => [servers.retry().length, tries(), server.seen.length]).toEqual([0, count, 1 + count])
  return { is, servers, server, tries, tried }
}

test('a server that is down is tried again, with growing gaps, until it comes up', async () => {
  const { is, servers, tries, tried } = await down()
  expect(servers.down()).toMatchObject([{ name: 'late', prefix: 'mcp__late__', tries: 0 }])
  expect(servers.retry()).toEqual([])
  await tried(1)
  for (const [now, count] of [
    [5_000, 2],
    [14_999, 2],
    [15_000, 3],
    [34_000, 3],
  ] as const) {
    is.now = now
    await tried(count)
  }
  is.down = false
  is.now = 35_000
  const names = () => servers.retry().flatMap(({ name, tools }) => [name, ...tools.map((tool) => tool.name)])
  await expect.poll(names).toEqual(['late', 'mcp__late__run'])
  expect([servers.down(), servers.retry(), tries()]).toEqual([[], [], undefined])
  expect(servers.states()).toMatchObject([{ name: 'late', status: 'connected' }, { name: 'good' }])
  expect(await servers.callTool('late', 'run', {}, new AbortController().signal)).toBe('run with nothing')
  expect(Object.keys(servers.lock().servers)).toEqual(['good', 'late'])
  expect(servers.tools.filter(({ name }) => name.startsWith('mcp__late'))).toEqual([])
})

test('it is given up in the end', { tags: 'long' }, async () => {
  const { is, servers, tried } = await down()
  servers.retry()
  for (let count = 1; count <= 12; count++) {
    await tried(count)
    is.now += 300_000
  }
  await tried(12)
})

test('a server of the caller is not tried again: it may be half connected', async () => {
  const instance = { connect: () => Promise.reject(new Error('no')) }
  const { servers } = await connectTestServers({ own: { type: 'sdk', instance, required: false } as never })
  expect([servers.states()[0]?.status, servers.down()]).toEqual(['failed', []])
})

test('the end of the run waits for no try', async () => {
  const { servers } = await connectTestServers({
    slow: { ...stubServer('silent'), required: false, startTimeout: 0.2 },
  })
  servers.retry()
  await servers.close()
  expect(servers.down()).toMatchObject([{ name: 'slow', tries: 1 }])
})

test.each([
  ['was changed', 'process.exit(1)'],
  ['was made', undefined],
])('a program of the checkout that %s meanwhile does not start', async (_, before) => {
  const cwd = makeFolder()
  const file = join(cwd, 'server.mjs')
  if (before !== undefined) writeFileSync(file, before)
  const entry = { command: process.execPath, args: [file], required: false }
  const { servers } = await connectTestServers({ late: entry }, { cwd })
  writeFileSync(file, `await import(${JSON.stringify(resolve('test/helpers/stubMcp.mjs'))})`)
  servers.retry()
  await expect.poll(() => servers.down()).toMatchObject([{ detail: `${file} was changed during the run` }])
})
