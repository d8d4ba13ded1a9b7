import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { renderEvent } from '../../../src/model/replay/renderTurn.ts'
import { listenHere } from '../../helpers/listenHere.ts'
import { playRun } from '../../helpers/runs/playRun.ts'

type Page = { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string }

/** A web server on loopback; `log` is what was asked of it. */
async function serveWeb(answer: (request: IncomingMessage) => Page) {
  const log: string[] = []
  const server = createServer((request, response) => {
    log.push(request.url ?? '')
    const { status = 200, headers = { 'content-type': 'text/html' }, body = '' } = answer(request)
    response.writeHead(status, headers).end(body)
  })
  return { log, origin: await listenHere(server) }
}

const fetchCall = (url: string, prompt?: string) => ({ name: 'WebFetch', input: { url, ...(prompt && { prompt }) } })
const LOCAL = 'version: 1\npermissions: { allow: ["WebFetch(domain:127.0.0.1)"] }\n'
const PAGE = '<html><script>steal()</script><h1>Prices</h1><p>A <b>table</b> costs 7.</p></html>'

describe('WebFetch', () => {
  it('returns a page as Markdown, follows redirects on the host, and returns those to another host', async () => {
    const web = await serveWeb(({ url }) => {
      if (url === '/old') return { status: 302, headers: { location: '/new' } }
      if (url === '/away') return { status: 302, headers: { location: 'https://elsewhere.test/x' } }
      return { body: PAGE }
    })
    const urls = [`${web.origin}/old`, `${web.origin}/away`, 'file:///etc/passwd']
    const run = await playRun(
      urls.map((url) => fetchCall(url)),
      { policy: LOCAL, args: ['--tools', 'WebFetch'] },
    )
    expect(run.told[0]).toBe('<page>\n# Prices\n\nA **table** costs 7.\n</page>')
    expect(web.log).toEqual(['/old', '/new', '/away'])
    expect(run.told[1]).toContain('https://elsewhere.test/x')
    expect(run.told[2]).toContain('not an http or https address')
  })

  it('returns 40 kB of HTML after two redirects as complete Markdown', { tags: 'long' }, async () => {
    const row = (n: number) => `<tr><td>row ${n}</td><td><a href="/item/${n}">item ${n}</a></td></tr>`
    const rows = Array.from({ length: 800 }, (_, at) => row(at + 1))
    const body = `<html><head><style>p { color: red }</style></head><body><nav>menu</nav><table>${rows.join('')}</table></body></html>`
    const web = await serveWeb(({ url }) => {
      if (url === '/a') return { status: 301, headers: { location: '/b' } }
      return url === '/b' ? { status: 307, headers: { location: '/c?x=1' } } : { body }
    })
    const run = await playRun([fetchCall(`${web.origin}/a`)], { policy: LOCAL, args: ['--tools', 'WebFetch,Read'] })
    expect(body.length).toBeGreaterThan(40_000)
    expect(web.log).toEqual(['/a', '/b', '/c?x=1'])
    const [text = ''] = run.told
    expect(text).toContain('row 1 ')
    expect(text).toContain('item 800')
    expect(text).not.toMatch(/<t[dr]|color: red/)
    const blob = /\S*\/blobs\/\w+/.exec(text)?.[0]
    expect(text.length).toBeLessThan(6000)
    expect(readFileSync(blob ?? '', 'utf8')).toContain('item 400')
  })

  it('sends nothing to a host that no rule allows, or to an internal one that no rule names in full', {
    tags: 'long',
  }, async () => {
    const web = await serveWeb(() => ({ body: PAGE }))
    const wide = 'version: 1\npermissions: { allow: [WebFetch, "WebFetch(domain:example.com)"] }\n'
    const run = await playRun([fetchCall(`${web.origin}/a`), fetchCall(web.origin.replace('127.0.0.1', 'localhost'))], {
      policy: wide,
      args: ['--tools', 'WebFetch'],
    })
    expect(web.log).toEqual([])
    expect(run.result().permission_denials).toHaveLength(2)
  })

  it('lets the small model answer a question about the page, and counts its cost', { tags: 'long' }, async () => {
    const web = await serveWeb(() => ({ body: PAGE }))
    const run = await playRun([fetchCall(`${web.origin}/`, 'What does a table cost?'), { say: 'Seven.' }], {
      policy: LOCAL,
      args: ['--tools', 'WebFetch'],
    })
    const asked = run.api.requests[1]?.body
    expect(asked).toMatchObject({ model: 'claude-haiku-5-5' })
    expect(JSON.stringify(asked.messages)).toContain('costs 7')
    expect(JSON.stringify(asked.messages)).not.toContain('steal')
    expect(run.told).toEqual(['Seven.'])
    expect(Object.keys(run.result().modelUsage)).toContain('claude-haiku-5-5')
  })
})

describe('WebSearch', { tags: 'long' }, () => {
  const FOUND = {
    type: 'web_search_result',
    url: 'https://a.test',
    title: 'A',
    encrypted_content: 'x1',
    page_age: null,
  }
  const SEARCH = [
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
    { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [FOUND] },
    { type: 'text', text: '', citations: [] },
  ]

  /** An answer in which the API has searched by itself. */
  function searched(): string[] {
    const deltas = [
      { type: 'input_json_delta', partial_json: '{"query":"tables"}' },
      undefined,
      { type: 'text_delta', text: 'A says 7.' },
    ]
    const usage = { input_tokens: 10, output_tokens: 5, server_tool_use: { web_search_requests: 2 } }
    const message = { id: 'msg_s', type: 'message', role: 'assistant', model: 'claude-sonnet-5-5', content: [], usage }
    return [
      renderEvent({ type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } }),
      ...SEARCH.flatMap((content_block, index) => [
        renderEvent({ type: 'content_block_start', index, content_block }),
        ...(deltas[index] ? [renderEvent({ type: 'content_block_delta', index, delta: deltas[index] })] : []),
        renderEvent({ type: 'content_block_stop', index }),
      ]),
      renderEvent({ type: 'message_delta', delta: { stop_reason: 'pause_turn', stop_sequence: null }, usage }),
      renderEvent({ type: 'message_stop' }),
    ]
  }

  it("is the API's own tool; its blocks are sent back unchanged, and its searches are counted", async () => {
    const policy = 'version: 1\npermissions: { allow: [WebSearch] }\n'
    const run = await playRun([{ sse: searched() }], { policy })
    const [first, second] = run.api.requests.map((request) => request.body)
    const tool = first.tools.find((each: { name: string }) => each.name === 'web_search')
    expect(tool).toMatchObject({ type: 'web_search_20250305', name: 'web_search' })
    const [use, result, text] = second.messages.at(-1).content
    expect(use).toEqual({ ...SEARCH[0], input: { query: 'tables' } })
    expect(result).toEqual(SEARCH[1])
    expect(text).toMatchObject({ type: 'text', text: 'A says 7.' })
    expect(run.result().usage.web_search_requests).toBe(2)
    expect(run.result().total_cost_usd).toBeGreaterThan(0.02)
  })

  it('uses the search service of the policy, even an internal one', async () => {
    const results = [1, 2].map((n) => ({ title: `T${n}`, url: `https://h${n}.test/`, content: `S${n}` }))
    const web = await serveWeb(() => ({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ results }),
    }))
    const run = await playRun(
      [
        { name: 'WebSearch', input: { query: 'a & b', blocked_domains: ['h2.test'] } },
        fetchCall(`${web.origin}/admin`),
      ],
      {
        policy: `version: 1\npermissions: { allow: [WebSearch, WebFetch] }\nrun: { searchEndpoint: "${web.origin}/search?format=json" }\n`,
        args: ['--tools', 'WebSearch,WebFetch'],
      },
    )
    expect(web.log).toEqual(['/search?format=json&q=a+%26+b'])
    expect(run.told[0]).toBe('T1\nhttps://h1.test/\nS1')
    const tools = run.api.requests[0]?.body.tools.map((tool: { name: string }) => tool.name)
    expect(tools).toEqual(['Finish', 'WebFetch', 'WebSearch'])
  })
})
