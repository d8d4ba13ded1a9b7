import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listenHere } from '../helpers/listenHere.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { answerWithEvents, startProxy } from '../helpers/model/cloudServer.ts'
import { ask, errorOf, startModel, TEST_KEY } from '../helpers/model/modelRun.ts'

const portOf = async (server: Server) => new URL(await listenHere(server)).port

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

/** A key and a certificate for localhost that nobody has signed. */
function makeCertificate(): { readonly key: Buffer; readonly cert: Buffer } {
  const folder = makeFolder()
  const subject = ['-subj', '/CN=localhost', '-days', '2', '-nodes', '-newkey', 'rsa:2048']
  const words = ['req', '-x509', ...subject, '-keyout', 'key.pem', '-out', 'cert.pem']
  execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' })
  return { key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(join(folder, 'cert.pem')) }
}

test.skipIf(!hasOpenssl)('a certificate that is given is trusted, also behind a proxy (needs openssl)', async () => {
  const { key, cert } = makeCertificate()
  const server = createTlsServer({ key, cert }, (_request, response) =>
    answerWithEvents({ say: 'safe' }, 'claude-sonnet-5-5', response),
  )
  const port = await portOf(server as unknown as Server)
  const baseURL = `https://localhost:${port}`
  const trusted = () => [cert.toString()]
  const { client } = await startModel([], { baseURL, trusted })
  expect((await ask(client)).message.content).toEqual([{ type: 'text', text: 'safe' }])
  const proxy = { httpsProxy: (await startProxy()).url }
  const through = await startModel([], { baseURL, trusted, proxy })
  expect((await ask(through.client)).message.content).toEqual([{ type: 'text', text: 'safe' }])
})

test.skipIf(!hasOpenssl)('row 26: an untrusted certificate is a configuration error (needs openssl)', async () => {
  const { key, cert } = makeCertificate()
  const requests: string[] = []
  const server = createTlsServer({ key, cert }, (request) => void requests.push(request.url ?? ''))
  const port = await portOf(server as unknown as Server)
  const { client } = await startModel([], { baseURL: `https://localhost:${port}` })
  const { events, error } = await ask(client)
  expect(events).toEqual([])
  expect(errorOf(error)).toMatchObject({ reason: 'config', kind: 'connection' })
  expect(errorOf(error).message).toContain('NODE_EXTRA_CA_CERTS')
  expect(requests).toEqual([])
})

test('row 26: https to a server without TLS is a configuration error', async () => {
  const port = await portOf(createHttpServer())
  const { client } = await startModel([], { baseURL: `https://127.0.0.1:${port}` })
  expect(errorOf((await ask(client)).error)).toMatchObject({ reason: 'config' })
})

test('row 26: a proxy that refuses is named, without its password', async () => {
  const asked: string[] = []
  const proxy = createHttpServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(403).end()
  })
  proxy.on('connect', (request, socket) => {
    asked.push(`${request.method} ${request.url}`)
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  const port = await portOf(proxy)
  const { client } = await startModel([], {
    baseURL: 'https://api.example.invalid',
    proxy: { httpsProxy: `http://user:geheim@127.0.0.1:${port}` },
  })
  const { events, error: thrown } = await ask(client)
  const error = errorOf(thrown)
  expect(events).toEqual([])
  expect(error).toMatchObject({ reason: 'api_unavailable', kind: 'connection' })
  expect(error.message).toContain(`proxy http://127.0.0.1:${port}`)
  expect(error.message).not.toContain('geheim')
  expect(new Set(asked)).toEqual(new Set(['CONNECT api.example.invalid:443']))
})

test('requests go through the proxy, but not to hosts of NO_PROXY', async () => {
  const { url: httpProxy, hosts } = await startProxy()
  const { client, server } = await startModel([{ turn: { say: 'through' } }], { proxy: { httpProxy } })
  expect((await ask(client)).message.content).toEqual([{ type: 'text', text: 'through' }])
  expect(hosts).toEqual([new URL(server.url).host])
  const direct = await startModel([{ turn: { say: 'direct' } }], { proxy: { httpProxy, noProxy: '127.0.0.1' } })
  expect((await ask(direct.client)).message.content).toEqual([{ type: 'text', text: 'direct' }])
  const ranges = 'example.com 10.0.0.0/8,127.0.0.0/33,::1/129 127.0.0.0/8'
  const near = await startModel([{ turn: { say: 'near' } }], { proxy: { httpProxy, noProxy: ranges } })
  expect((await ask(near.client)).message.content).toEqual([{ type: 'text', text: 'near' }])
  expect(hosts).toHaveLength(1)
})

test('the environment does not affect address and credential', async () => {
  vi.stubEnv('ANTHROPIC_BASE_URL', 'http://127.0.0.1:1')
  for (const name of ['ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_API_KEY']) vi.stubEnv(name, 'from-env')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { client, server } = await startModel([{ turn: { say: 'here' } }])
  expect((await ask(client)).message.stop_reason).toBe('end_turn')
  expect(server.requests[0]?.headers['authorization']).toBe(`Bearer ${TEST_KEY}`)
  expect(server.requests[0]?.headers['anthropic-version']).toBe('2026-10-21')
  expect(server.requests[0]?.headers['traceparent']).toBeUndefined()
})

test("the SDK's warnings go to the given sink, without the key", async () => {
  const lines: string[] = []
  const broken = 'event: message_start\ndata: {"broken\n\n'
  const { client } = await startModel([{ sse: [broken] }, { turn: { say: 'ok' } }], { log: (line) => lines.push(line) })
  await ask(client)
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.join('\n')).not.toContain(TEST_KEY)
})
