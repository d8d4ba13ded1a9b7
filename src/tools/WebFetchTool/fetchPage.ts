import { parseUrl } from '../../lib/net/parseUrl.ts'
import type { ToolUseContext } from '../../Tool.ts'

const MAX_HOPS = 5
const MAX_BYTES = 5_000_000
const TIMEOUT_MS = 30_000

/** The final response. `movedTo` is set if a redirect leads to another host. */
export type Page = {
  readonly url: string
  readonly status: number
  readonly isOk: boolean
  readonly contentType: string
  readonly isTruncated: boolean
  readonly movedTo?: string
}

export type FetchedPage = { readonly page: Page; readonly body: Uint8Array }

/**
 * Fetches a page and follows redirects on the same host. Asks the policy about every hop. Throws with a message for the
 * model.
 */
export async function fetchPage(start: string, context: ToolUseContext): Promise<FetchedPage> {
  let url = start
  for (let hop = 0; hop <= MAX_HOPS; hop += 1) {
    const decision = context.mayFetch(url)
    if (decision.behavior !== 'allow') throw new Error(decision.message || `${url} may not be fetched.`)
    const { status, headers, body, isTruncated } = await context.network.fetch(url, {
      headers: { accept: 'text/html, text/markdown, text/plain, application/json, */*;q=0.1' },
      maxBytes: MAX_BYTES,
      timeoutMs: Math.min(TIMEOUT_MS, Math.max(1, context.deadline - performance.now())),
      signal: context.signal,
    })
    const page = { url, status, isTruncated, contentType: headers['content-type'] ?? '' }
    const target = redirectOf(status, headers['location'], url)
    if (target === undefined) return { page: { ...page, isOk: status >= 200 && status < 300 }, body }
    if (!isSameHost(url, target)) return { page: { ...page, isOk: true, movedTo: target }, body: new Uint8Array() }
    url = target
  }
  throw new Error(`${start} redirects more than ${MAX_HOPS} times.`)
}

function redirectOf(status: number, location: string | undefined, base: string): string | undefined {
  const isRedirect = [301, 302, 303, 307, 308].includes(status) && location !== undefined
  return isRedirect ? parseUrl(location, base)?.href : undefined
}

/** True for the same host and port, without a downgrade from https to http. */
function isSameHost(from: string, to: string): boolean {
  const [a, b] = [new URL(from), new URL(to)]
  if (a.protocol === 'http:' && b.protocol === 'https:')
    return a.hostname === b.hostname && b.port === '' && a.port === ''
  return a.origin === b.origin
}
