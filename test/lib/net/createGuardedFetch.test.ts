import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, it, vi } from 'vitest'
import { createGuardedFetch } from '../../../src/lib/net/createGuardedFetch.ts'
import { loopback, serve } from './serve.ts'

it('sends what it is given, as a fetch does, and asks for no compression', async () => {
  const { requests, at } = await serve((response) => void response.writeHead(201, { 'x-b': '2' }).end('made'))
  const init = { method: 'POST', headers: { 'x-a': '1', 'Accept-Encoding': 'gzip' }, body: 'hi' }
  const response = await createGuardedFetch(loopback)(`${at}/a?b`, init)
  expect([response.status, response.headers.get('x-b'), await response.text()]).toEqual([201, '2', 'made'])
  expect(requests).toMatchObject([{ method: 'POST', url: '/a?b', body: 'hi', headers: { 'x-a': '1' } }])
  expect(requests[0]?.headers).toMatchObject({ 'accept-encoding': 'identity' })
  expect((await createGuardedFetch(loopback)(new URL(`${at}/b`))).status).toBe(201)
})

it.each([
  ['pairs', [['x-a', '1']]],
  ['Headers', new Headers({ 'x-a': '1' })],
])('takes headers as %s', async (_, headers) => {
  const { requests, at } = await serve()
  await createGuardedFetch(loopback)(at, { headers: headers as RequestInit['headers'] & object })
  expect(requests).toMatchObject([{ method: 'GET', headers: { 'x-a': '1' } }])
})

it('returns a redirect, and does not follow it', async () => {
  const { requests, at } = await serve((response) => void response.writeHead(307, { location: '/b' }).end('moved'))
  const response = await createGuardedFetch(loopback)(`${at}/a`, { redirect: 'follow' })
  expect([response.status, response.headers.get('location'), await response.text()]).toEqual([307, '/b', 'moved'])
  expect(requests).toHaveLength(1)
})

it('gives the first part of a stream before its end', async () => {
  let open: ServerResponse | undefined
  const { at } = await serve((response) => {
    open = response
    response.write('first')
  })
  const { body } = await createGuardedFetch(loopback)(at)
  const reader = body?.getReader()
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first')
  open?.end('last')
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('last')
})

it('refuses an internal address: a literal at once, a name at its look-up', async () => {
  const { requests, at, port } = await serve()
  await expect(createGuardedFetch({})(at)).rejects.toMatchObject({ code: 'address' })
  const fetch = createGuardedFetch({ resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]) })
  await expect(fetch(`http://example.com:${port}/`)).rejects.toMatchObject({ cause: { code: 'address' } })
  expect(requests).toEqual([])
})

it('ends a compressed answer, which was not asked for', async () => {
  let isClosed = false
  const { at } = await serve((response) => {
    response.on('close', () => {
      isClosed = true
    })
    response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync('x'.repeat(1000)))
  })
  await expect(createGuardedFetch(loopback)(at)).rejects.toMatchObject({
    ...{ name: 'NetworkRefusal', code: 'size' },
    message: `${at.slice('http://'.length)} sent a compressed answer that was not asked for`,
  })
  await vi.waitFor(() => expect(isClosed).toBe(true), 10_000)
})

it('believes what an answer says of its compression, even if nothing follows', async () => {
  const of = (encoding: string) =>
    serve((response) => void response.writeHead(200, { 'content-encoding': encoding }).end('x'))
  await expect(createGuardedFetch(loopback)((await of('gzip')).at)).rejects.toMatchObject({ code: 'size' })
  expect(await (await createGuardedFetch(loopback)((await of('identity')).at)).text()).toBe('x')
})
