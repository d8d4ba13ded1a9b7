import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Decision } from '../../src/contracts/decision.ts'
import type { NetworkAccess } from '../../src/Tool.ts'
import { WebFetchTool } from '../../src/tools/WebFetchTool/WebFetchTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Real requests to loopback, one hop each, without the guard that would refuse loopback. */
const network: NetworkAccess = {
  async fetch(url, { headers = {}, maxBytes, signal }) {
    const response = await fetch(url, { headers: { ...headers }, redirect: 'manual', signal })
    const body = new Uint8Array(await response.arrayBuffer())
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: body.subarray(0, maxBytes),
      isTruncated: body.length > maxBytes,
    }
  },
}

const ALLOW: Decision = { behavior: 'allow', reason: { type: 'builtin', detail: '' }, message: '', parts: [] }
const DENY: Decision = { ...ALLOW, behavior: 'deny', message: 'that domain is not allowed' }

function createContext(more: Parameters<typeof createToolContext>[0] = {}) {
  const asked: string[] = []
  const mayFetch = (url: string) => {
    asked.push(url)
    return ALLOW
  }
  return { context: createToolContext({ network, mayFetch, ...more }), asked }
}

describe('WebFetch', () => {
  it('asks the policy about every hop, and stops at a denial', async () => {
    const seen: string[] = []
    const base = await serve((request, response) => {
      seen.push(request.url ?? '')
      response.writeHead(302, { location: request.url === '/a' ? '/b' : '/c' }).end()
    })
    const asked: string[] = []
    const { context } = createContext({
      mayFetch: (url) => {
        asked.push(url)
        return url.endsWith('/c') ? DENY : ALLOW
      },
    })
    const { text, isError } = await runTool(WebFetchTool, { url: `${base}/a` }, context)
    expect({ text, isError }).toEqual({ text: 'that domain is not allowed', isError: true })
    expect(asked).toEqual([`${base}/a`, `${base}/b`, `${base}/c`])
    expect(seen).toEqual(['/a', '/b'])
  })

  it('returns a redirect to another host, and sends nothing to it', async () => {
    const seen: string[] = []
    const other = await serve((request, response) => {
      seen.push(request.url ?? '')
      response.end('x')
    })
    const base = await serve((_request, response) => response.writeHead(307, { location: `${other}/x` }).end())
    const { text } = await runTool(WebFetchTool, { url: base }, createContext().context)
    expect(text).toContain(`redirects to another host: ${other}/x`)
    expect(seen).toEqual([])
  })

  it('gives up on endless redirects', async () => {
    let count = 0
    const base = await serve((_request, response) => {
      count += 1
      response.writeHead(301, { location: `/${count}` }).end()
    })
    expect((await runTool(WebFetchTool, { url: base }, createContext().context)).text).toContain('more than 5 times')
    expect(count).toBe(6)
  })

  it.each([
    'file:///etc/passwd',
    'ftp://example.com',
    'http://user:pass@example.com',
    '//example.com',
    'example',
    'data:text/html,x',
  ])('refuses %s before anything is asked', async (url) => {
    const { context, asked } = createContext()
    expect((await runTool(WebFetchTool, { url }, context)).step).toBe('validate')
    expect(WebFetchTool.subjects({ url }, context)).toMatchObject([{ kind: 'opaque' }])
    expect(asked).toEqual([])
  })
})
