import { decodeUri, parseUrl } from '../net/parseUrl.ts'
import { parseJson } from '../text/json.ts'

/** A text to search for, and the secret it is a form of. */
export type Needle = { readonly name: string; readonly text: string }

/** A value that must not leave the run, and the name that replaces it. */
export type Secret = { readonly name: string; readonly value: string }

/** What to search for: `whole` only as a whole, `pieces` also in every piece of twelve characters. */
export type SecretParts = { readonly whole: readonly string[]; readonly pieces: readonly string[] }

const SHORTEST_PIECE = 12
const SHORTEST_WHOLE = 8

/**
 * The secret parts of a value. The host and path of a URL, the keys of a JSON document and the words of a multi-line
 * file are not secret by themselves. Only passwords, query values and long strings in these are searched in pieces.
 */
export function secretParts(value: string): SecretParts {
  const trimmed = value.trim()
  if (trimmed.length < SHORTEST_WHOLE) return { whole: [], pieces: [] }
  if (trimmed.length < SHORTEST_PIECE) return { whole: [trimmed], pieces: [] }
  const inner = innerSecrets(trimmed)
  if (inner === undefined) return { whole: [trimmed], pieces: [trimmed] }
  return {
    whole: [trimmed, ...inner.filter((part) => part.length >= SHORTEST_WHOLE)],
    pieces: inner.filter((part) => part.length >= SHORTEST_PIECE),
  }
}

/** The secrets inside a structured value; undefined if the whole value is one secret. */
function innerSecrets(value: string): string[] | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value) && parseUrl(value) !== undefined) return urlSecrets(value)
  if (value.startsWith('{') || value.startsWith('[')) {
    const json = parseJson(value)
    if (json !== undefined) return longTokens(stringsOf(json))
  }
  return value.includes('\n') ? longTokens([value]) : undefined
}

function urlSecrets(value: string): string[] {
  const url = new URL(value)
  const found = [url.password, decodeUri(url.password), ...url.searchParams.values()]
  if (url.password === '') found.push(url.username)
  return found
}

function longTokens(texts: readonly string[]): string[] {
  return texts
    .flatMap((text) => text.split(/[\s"'`,;]/))
    .filter((token) => token.length >= SHORTEST_PIECE && !token.endsWith(':') && !token.includes('://'))
}

function stringsOf(json: unknown): string[] {
  if (typeof json === 'string') return [json]
  return Object.values(json ?? {}).flatMap(stringsOf)
}

/** The text itself and its base64 (three shifts, both alphabets), hex, URL and JSON forms, without duplicates. */
export function encodedForms(text: string): string[] {
  const bytes = Buffer.from(text)
  const hex = bytes.toString('hex')
  const url = encodeURIComponent(text.toWellFormed())
  const json = JSON.stringify(text).slice(1, -1)
  const base64 = [0, 1, 2].map((shift) => base64At(bytes, shift))
  const forms = [
    text,
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
    hex,
    hex.toUpperCase(),
    url,
    url.replaceAll('%20', '+'),
    url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    json,
    JSON.stringify(json).slice(1, -1),
    json.replaceAll('/', '\\/'),
    json.replace(/[<>&=+]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  ]
  return [...new Set(forms)]
}

/** The base64 characters that depend only on these bytes when `shift` other bytes precede them. */
function base64At(bytes: Buffer, shift: number): string {
  const whole = Buffer.concat([Buffer.alloc(shift), bytes])
  const first = Math.ceil((shift * 8) / 6)
  const end = Math.floor((whole.length * 8) / 6)
  return whole.toString('base64').slice(first, end)
}
