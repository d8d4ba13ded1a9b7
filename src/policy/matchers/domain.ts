import { parseUrl } from '../../lib/net/parseUrl.ts'
import { matchesGlob } from '../../lib/text/matchesGlob.ts'

/** The host of a URL as it will be dialed (ASCII, lower case, without a trailing dot), or why it cannot be judged. */
export type JudgedHost = { readonly host: string } | { readonly problem: string }

/** Rejects what parsers read differently: control characters, spaces, backslashes, user info, other schemes. */
export function judgeUrl(url: string): JudgedHost {
  if (url.length > 8_192) return { problem: 'the URL is longer than 8,192 characters' }
  if (/[\0-\x20\x7f\\]|\p{Zs}|\p{Cf}/u.test(url))
    return { problem: 'the URL has a space, a backslash or a control character' }
  if (!/^https?:\/\/[^/?#]/i.test(url)) return { problem: 'only http:// and https:// URLs are fetched' }
  if (/^[^/]*\/\/[^/?#]*@/.test(url)) return { problem: 'the URL has a user part before its host' }
  const parsed = parseUrl(url)
  if (parsed === undefined) return { problem: 'the URL cannot be parsed' }
  if (parsed.username !== '' || parsed.password !== '') return { problem: 'the URL has a user part before its host' }
  const host = parsed.hostname.toLowerCase().replace(/\.$/, '')
  if (host === '' || host.split('.').includes('')) return { problem: 'the URL has no valid host' }
  return { host: unmapped(host) }
}

/** Whether an allow rule matches. A bare address and names of this machine need an explicit rule. */
export function isHostCovered(pattern: string, host: string): boolean {
  if (pattern === host) return true
  return !isSpecialHost(host) && isHostDenied(pattern, host)
}

/** Whether a deny or ask rule matches: the host itself, or a wildcard that includes it. */
export function isHostDenied(pattern: string, host: string): boolean {
  if (pattern === '*' || unmapped(pattern) === host) return true
  if (!pattern.includes('*')) return false
  const isDeep = pattern.startsWith('*.')
  const expected = pattern.split('.').slice(isDeep ? 1 : 0)
  const labels = host.split('.')
  const tail = isDeep ? labels.slice(Math.max(1, labels.length - expected.length)) : labels
  return tail.length === expected.length && expected.every((label, index) => matchesGlob(label, tail[index] ?? ''))
}

/** Numeric addresses, and names that lead to this machine or to a cloud's metadata service. */
export function isSpecialHost(host: string): boolean {
  if (host.startsWith('[') || /^[\d.]+$/.test(host)) return true
  return /(?:^|\.)localhost$/.test(host) || /^metadata(?:\.google\.internal)?$/.test(host) || !host.includes('.')
}

/** Where a cloud keeps the credentials of its machines: link-local addresses and their names. */
export function isMetadataHost(host: string): boolean {
  return (
    /^169\.254\.|^\[fe80:|^\[fd00:ec2::254\]$|^100\.100\.100\.200$/.test(host) ||
    /^metadata(?:\.google\.internal)?$/.test(host)
  )
}

/** `[::ffff:7f00:1]` is 127.0.0.1. */
function unmapped(host: string): string {
  const found = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host)
  if (!found) return host
  const [high, low] = [Number.parseInt(found[1] ?? '', 16), Number.parseInt(found[2] ?? '', 16)]
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}
