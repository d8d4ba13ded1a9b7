import { describe, expect, it } from 'vitest'
import { buildWebSearchTool, WebSearchTool } from '../../src/tools/WebSearchTool/WebSearchTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

const RESULTS = [
  { title: 'One', url: 'https://docs.example.com/1', content: 'first\u200b' },
  { title: 'Two', url: 'https://other.org/2', content: 'second' },
  { title: 'Script', url: 'javascript:alert(1)' },
  'noise',
]

async function search(answer: string, input: Record<string, unknown> = {}, status = 200) {
  const asked: string[] = []
  const context = createToolContext({
    network: {
      fetch: async (url) => {
        asked.push(url)
        return { status, headers: {}, body: new TextEncoder().encode(answer), isTruncated: false }
      },
    },
  })
  const tool = buildWebSearchTool('https://search.example.net/search?format=json')
  return { run: await runTool(tool, { query: 'a b&c', ...input }, context), asked }
}

describe('WebSearch', () => {
  it("is the API's search if no endpoint is configured", async () => {
    expect(WebSearchTool.serverTool).toMatchObject({ type: 'web_search_20250305', name: 'web_search' })
    expect(WebSearchTool.isOptIn).toBe(true)
    expect((await runTool(WebSearchTool, { query: 'ab' }, createToolContext())).isError).toBe(true)
  })

  it('asks the configured service, and shows title, address and snippet', async () => {
    const { run, asked } = await search(JSON.stringify({ results: RESULTS }))
    expect(asked).toEqual(['https://search.example.net/search?format=json&q=a+b%26c'])
    expect(run.text).toBe('One\nhttps://docs.example.com/1\nfirst\n\nTwo\nhttps://other.org/2\nsecond')
  })

  it('reads the shapes of several services', async () => {
    const shapes = [
      RESULTS,
      { web: { results: RESULTS } },
      { webPages: { value: [{ name: 'One', link: 'https://docs.example.com/1' }] } },
    ]
    for (const shape of shapes) expect((await search(JSON.stringify(shape))).run.text).toMatch(/^One\nhttps:\/\/docs/)
  })

  it('respects the domain filters', async () => {
    const answer = JSON.stringify(RESULTS)
    expect((await search(answer, { allowed_domains: ['example.com'] })).run.text).not.toContain('other.org')
    expect((await search(answer, { blocked_domains: ['example.com'] })).run.text).not.toContain('docs.example')
    expect((await search(answer, { allowed_domains: ['ample.com'] })).run.text).toBe('Nothing was found.')
  })

  it.each([
    ['<html>', 200, 'did not answer with JSON'],
    ['{"error": "x"}', 200, 'gave no list'],
    ['', 503, 'status 503'],
  ])('says what went wrong with %s', async (answer, status, message) => {
    const { run } = await search(answer, {}, status)
    expect(run).toMatchObject({ isError: true, text: expect.stringContaining(message) })
  })
})
