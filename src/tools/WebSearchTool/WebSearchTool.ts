import * as z from 'zod'
import { isObject } from '../../lib/isObject.ts'
import { parseUrl } from '../../lib/net/parseUrl.ts'
import { stripHidden } from '../../lib/text/visibleName.ts'
import { buildTool, ONLY_READS, type Tool, type ToolUseContext } from '../../Tool.ts'

const inputSchema = () =>
  z.strictObject({
    query: z.string().min(2).max(500).describe('what to search for'),
    allowed_domains: z.array(z.string()).max(50).optional().describe('only results of these domains'),
    blocked_domains: z.array(z.string()).max(50).optional().describe('no results of these domains'),
  })

type WebSearchInput = z.infer<ReturnType<typeof inputSchema>>

const MAX_BYTES = 2_000_000
const MAX_RESULTS = 20
const TIMEOUT_MS = 30_000
const MAX_SEARCHES = 8

/** https://docs.claude.com/en/docs/agents-and-tools/tool-use/web-search-tool */
const API_SEARCH = { type: 'web_search_20250305', name: 'web_search', max_uses: MAX_SEARCHES } as const

/** The API's own search. It runs there, and its results are blocks of the answer. */
export const WebSearchTool: Tool = buildWebSearchTool()

/**
 * Web search with the API's own tool or, given an `endpoint`, with a search service that answers `GET endpoint?q=…`
 * with JSON. Only offered if an allow rule names it.
 */
export function buildWebSearchTool(endpoint?: string): Tool {
  return buildTool({
    name: 'WebSearch',
    searchHint: 'search the web',
    isOptIn: true,
    isSearchOrReadCommand: true,
    ...(endpoint === undefined ? { serverTool: API_SEARCH } : { shouldDefer: true }),
    inputSchema,
    outputSchema: () => z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string() })).readonly(),
    description: () => 'Searches the web; returns titles, addresses and snippets.',
    ...ONLY_READS,
    activity: ({ query }) => `Searching the web: ${query}`,
    async *call(input, context) {
      if (endpoint === undefined) throw new Error('WebSearch runs at the API; it is not called here.')
      yield { type: 'result', data: await search(endpoint, input, context) }
    },
    mapResult: (results) => ({
      content: results.length === 0 ? 'Nothing was found.' : results.map(resultText).join('\n\n'),
    }),
  })
}

async function search(
  endpoint: string,
  input: WebSearchInput,
  context: ToolUseContext,
): Promise<readonly SearchResult[]> {
  const url = new URL(endpoint)
  url.searchParams.set('q', input.query)
  const { status, body } = await context.network.fetch(url.href, {
    headers: { accept: 'application/json' },
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
    signal: context.signal,
  })
  if (status !== 200) throw new Error(`The search service answered with status ${status}.`)
  const { allowed_domains: allowed, blocked_domains: blocked = [] } = input
  return readSearchResults(new TextDecoder().decode(body))
    .filter(({ url: found }) => allowed === undefined || isOnDomain(found, allowed))
    .filter(({ url: found }) => !isOnDomain(found, blocked))
    .slice(0, MAX_RESULTS)
}

function isOnDomain(url: string, domains: readonly string[]): boolean {
  const { hostname } = new URL(url)
  return domains.some((domain) => hostname === domain.toLowerCase() || hostname.endsWith(`.${domain.toLowerCase()}`))
}

function resultText({ title, url, snippet }: SearchResult): string {
  return stripHidden([title, url, snippet].filter((part) => part !== '').join('\n'))
}

type SearchResult = { readonly title: string; readonly url: string; readonly snippet: string }

const LISTS = ['results', 'items', 'organic', 'organic_results', 'data', 'web', 'webPages', 'value']
const TITLES = ['title', 'name']
const ADDRESSES = ['url', 'link', 'href']
const SNIPPETS = ['content', 'snippet', 'description', 'text', 'body']
const MAX_SNIPPET_CHARACTERS = 500

/**
 * The results in a search service's JSON: a list, or an object with a list under a usual name (SearXNG
 * `results[].content`, Brave `web.results[].description`, Bing `webPages.value[].snippet` …). Throws if there is no
 * list.
 */
function readSearchResults(json: string): readonly SearchResult[] {
  const list = findList(parse(json), 3)
  if (list === undefined) throw new Error('The search service gave no list of results.')
  return list.filter(isObject).flatMap((entry) => {
    const url = firstText(entry, ADDRESSES)
    if (!/^https?:/i.test(url) || parseUrl(url) === undefined) return []
    return [
      { title: firstText(entry, TITLES), url, snippet: firstText(entry, SNIPPETS).slice(0, MAX_SNIPPET_CHARACTERS) },
    ]
  })
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new Error('The search service did not answer with JSON.', { cause })
  }
}

function findList(value: unknown, depth: number): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (!isObject(value) || depth === 0) return undefined
  for (const key of LISTS) {
    const list = findList(value[key], depth - 1)
    if (list !== undefined) return list
  }
  return undefined
}

function firstText(entry: Readonly<Record<string, unknown>>, keys: readonly string[]): string {
  const found = keys.map((key) => entry[key]).find((value) => typeof value === 'string')
  return typeof found === 'string' ? found : ''
}
