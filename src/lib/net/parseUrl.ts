import { orElse } from '../orElse.ts'

/**
 * The URL, or undefined if the text is not a URL. Not `URL.canParse`: once V8 has compiled a caller, Node 20 reads a
 * text with a letter such as `ü` in the wrong encoding there, and rejects a valid URL.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  return orElse(undefined, () => new URL(text, base))
}

/** The text without percent codes; the text itself if they are no UTF-8. */
export function decodeUri(text: string): string {
  return orElse(text, () => decodeURIComponent(text))
}
