import { stripHidden } from '../../lib/text/stripHidden.ts'
import type { FetchedPage } from './fetchPage.ts'
import { htmlToMarkdown } from './htmlToMarkdown.ts'

/** The text of a page: HTML as Markdown, other text unchanged. Throws with a message for the model if it is not text. */
export async function readPage({ page, body }: FetchedPage): Promise<string> {
  const [type = ''] = page.contentType.toLowerCase().split(';')
  const kind = type.trim()
  if (body.includes(0) && !/charset=["']?utf-16/i.test(page.contentType)) throw notText(page.url, kind)
  const text = decode(body, page.contentType)
  if (kind === 'text/html' || kind === 'application/xhtml+xml') return htmlToMarkdown(text, page.url)
  const isText =
    kind === '' || kind.startsWith('text/') || /[/+](json|xml|yaml|x-yaml|javascript|x-ndjson|toml)$/.test(kind)
  if (!isText) throw notText(page.url, kind)
  return kind === '' && /^\s*<(!doctype html|html)\b/i.test(text.slice(0, 1000))
    ? htmlToMarkdown(text, page.url)
    : stripHidden(text)
}

function notText(url: string, kind: string): Error {
  return new Error(`${url} is not a text (${kind === '' ? 'binary data' : kind}); only pages and texts can be read.`)
}

/** Decodes by the header, then by a `<meta charset>` near the top; otherwise as UTF-8, also for unknown names. */
function decode(body: Uint8Array, contentType: string): string {
  const [, named] = /charset=["']?([\w-]{1,40})/i.exec(contentType) ?? []
  const top = named === undefined ? new TextDecoder('latin1').decode(body.subarray(0, 1024)) : ''
  const [, inside] = /<meta[^>]{0,200}charset=["']?([\w-]{1,40})/i.exec(top) ?? []
  try {
    return new TextDecoder(named ?? inside ?? 'utf-8').decode(body)
  } catch {
    return new TextDecoder().decode(body)
  }
}
