import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { Decision } from '../../src/contracts/decision.ts'
import type { NetworkAccess } from '../../src/Tool.ts'
import { WebFetchTool } from '../../src/tools/WebFetchTool/WebFetchTool.ts'
import { listenHere } from '../helpers/listenHere.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

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

describe('WebFetch', () => {
  it('asks the policy about every hop, and stops at a denial', async () => {
    const seen: string[] = []
    const server = createServer((request, response) => {
      seen.push(request.url ?? '')
      response.writeHead(302, { location: request.url === '/a' ? '/b' : '/c' }).end()
    })
    const base = await listenHere(server)
    const asked: string[] = []
    const context = createToolContext({
      network,
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
})
