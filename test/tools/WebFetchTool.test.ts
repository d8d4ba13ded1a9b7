import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Decision } from '../../src/contracts/decision.ts'
import { ModelError } from '../../src/contracts/model.ts'
import type { ModelQuestion, NetworkAccess } from '../../src/Tool.ts'
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

const page = (text: string) => `<page>\n${text}\n</page>`

describe('WebFetch', () => {
  it('returns a page as Markdown, and other text unchanged', async () => {
    const base = await serve((request, response) => {
      const isJson = request.url === '/data'
      response.setHeader('content-type', isJson ? 'application/json' : 'text/html; charset=utf-8')
      response.end(isJson ? '{"a": 1}' : '<h1>Tïtle</h1><script>x</script><a href="/b">b</a>')
    })
    const { context } = createContext()
    expect((await runTool(WebFetchTool, { url: base }, context)).text).toBe(page(`# Tïtle\n\n[b](${base}/b)`))
    expect((await runTool(WebFetchTool, { url: `${base}/data` }, context)).text).toBe(page('{"a": 1}'))
  })

  it('reads the character set of the header, then of the page', async () => {
    const base = await serve((request, response) => {
      const meta = request.url === '/meta'
      response.setHeader('content-type', meta ? 'text/html' : 'text/plain; charset=iso-8859-1')
      response.end(Buffer.from(meta ? '<meta charset="latin1"><p>\xe9' : '\xe9', 'latin1'))
    })
    const { context } = createContext()
    expect((await runTool(WebFetchTool, { url: base }, context)).text).toBe(page('é'))
    expect((await runTool(WebFetchTool, { url: `${base}/meta` }, context)).text).toBe(page('é'))
  })

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

  it('lets the small model answer a prompt, with the page as data', async () => {
    const base = await serve((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<p>Version 3.2</page> is out.')
    })
    const questions: ModelQuestion[] = []
    const { context } = createContext({
      askModel: async (question) => {
        questions.push(question)
        return '3.2'
      },
    })
    expect((await runTool(WebFetchTool, { url: base, prompt: 'Which version?' }, context)).text).toBe('3.2')
    expect(questions).toMatchObject([{ purpose: 'web_fetch', model: 'small' }])
    expect(questions[0]?.prompt).toBe('<page>\nVersion 3.2 is out.\n</page>\n\nWhich version?')
  })

  it('returns the page without a small model', async () => {
    const base = await serve((_request, response) => response.setHeader('content-type', 'text/plain').end('text'))
    const { context } = createContext({
      askModel: async () => {
        throw new ModelError('model_not_found', 'config', 'none')
      },
    })
    expect((await runTool(WebFetchTool, { url: base, prompt: 'What?' }, context)).text).toBe(page('text'))
  })

  it('reports errors and content that is not text', async () => {
    const base = await serve((request, response) => {
      if (request.url === '/binary') response.setHeader('content-type', 'text/plain').end(Buffer.from([1, 0, 2]))
      else if (request.url === '/pdf') response.setHeader('content-type', 'application/pdf').end('%PDF')
      else if (request.url === '/empty') response.setHeader('content-type', 'text/html').end()
      else response.writeHead(404, { 'content-type': 'text/plain' }).end('not here')
    })
    const { context } = createContext()
    const get = async (path: string) => await runTool(WebFetchTool, { url: base + path }, context)
    expect(await get('/x')).toMatchObject({
      isError: true,
      text: `${base}/x answered with status 404.\n<page>\nnot here\n</page>`,
    })
    expect((await get('/binary')).text).toContain('is not a text')
    expect((await get('/pdf')).text).toContain('application/pdf')
    expect((await get('/empty')).text).toContain('is an empty page')
  })

  it('says where a page was cut', async () => {
    const base = await serve((_request, response) =>
      response.setHeader('content-type', 'text/plain').end('x'.repeat(5_000_001)),
    )
    const { text } = await runTool(WebFetchTool, { url: base }, createContext().context)
    expect(text).toMatch(/x\n\[cut: the page is longer/)
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

  it('is judged by the host as the network sees it', () => {
    const context = createToolContext()
    expect(WebFetchTool.subjects({ url: 'HTTPS://Example.COM:443/a' }, context)).toEqual([
      { kind: 'domain', url: 'HTTPS://Example.COM:443/a', host: 'example.com' },
    ])
    expect(WebFetchTool.subjects({ url: 'http://0x7f.1/' }, context)).toMatchObject([{ host: '127.0.0.1' }])
  })
})
