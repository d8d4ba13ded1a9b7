import { isObject } from '../../lib/isObject.ts'
import { parseUrl } from '../../lib/net/parseUrl.ts'
/** One hit. */
export type SearchResult = { readonly title: string; readonly url: string; readonly snippet: string }

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
export function readSearchResults(json: string): readonly SearchResult[] {
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
