import { domainToASCII } from 'node:url'
import { parseUrl } from '../../lib/net/parseUrl.ts'
import { expandBraces } from '../../lib/text/expandBraces.ts'
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

/** The host of a `WebFetch(domain:…)` rule in ASCII and lower case, or why it can never match. */
type DomainPattern = { readonly host: string } | { readonly error: string; readonly edit?: string }

/** `domain:example.com`, `domain:*.example.com` (any depth, not the apex), `domain:api-*.example.com` (inside one label). */
export function parseDomainPattern(specifier: string): DomainPattern {
  const text = specifier.trim()
  if (!text.startsWith('domain:')) {
    const host = hostInside(text)
    const error = 'a WebFetch rule names a host: `WebFetch(domain:example.com)`'
    return host === undefined ? { error } : { error, edit: `WebFetch(domain:${host})` }
  }
  const host = text
    .slice('domain:'.length)
    .trim()
    .replace(/^\*\*\./, '*.')
  if (host === '*') return { host }
  const hosts = hostsOf(host)
  if (hosts.length > 1) {
    const edit = hosts.map((each) => `WebFetch(domain:${each})`).join(' and ')
    return { error: 'one rule names one host; write a rule for each', edit }
  }
  if (/[/:@\\?#\s]/.test(host) && !/^\[[0-9a-f:.]+\]$/i.test(host)) {
    const inner = hostInside(host)
    const error = `${JSON.stringify(host)} is not a host name: a rule has no scheme, port, user or path`
    return inner === undefined ? { error } : { error, edit: `WebFetch(domain:${inner})` }
  }
  const ascii = host.includes('*') ? toAscii(host.replace(/\.$/, '')) : asDialed(host)
  if (ascii === undefined) return { error: `${JSON.stringify(host)} is not a host name` }
  const parts = addressParts(ascii)
  if (parts !== undefined && parts.length !== 4) {
    const edit = `WebFetch(domain:${[...parts, '*', '*', '*'].slice(0, 4).join('.')})`
    return { error: 'an address has four parts, and each `*` stands for one', edit }
  }
  return { host: ascii }
}

/** The hosts of a list in one rule: `a.com,b.com`, `{a,b}.com`. */
function hostsOf(text: string): readonly string[] {
  if (text.length > MAX_LENGTH) return [text]
  return expandBraces(text, MAX_HOSTS).flatMap((each) => each.split(/\s*[,|;]\s*/).filter((host) => host !== ''))
}

const MAX_LENGTH = 1_024
const MAX_HOSTS = 20

/** The parts of an obvious address with wildcards: `10.*`. */
function addressParts(host: string): readonly string[] | undefined {
  const parts = host.split('.')
  const isAddress = parts.length > 1 && parts.every((part) => /^[\d*]+$/.test(part)) && /^\d.*\*/.test(host)
  return isAddress ? parts : undefined
}

/** The host as a URL would parse it: `127.1` and `[::ffff:7f00:1]` are 127.0.0.1. */
function asDialed(host: string): string | undefined {
  const judged = judgeUrl(`http://${host}/`)
  if (!('host' in judged)) return undefined
  return /^(?:[a-z\d._-]+|\[[\da-f:]+\])$/.test(judged.host) ? judged.host : undefined
}

/** Label by label, so that a `*` may stay in one. In an encoded label it would stand for something else. */
function toAscii(host: string): string | undefined {
  const labels = host.split('.').map((label) => {
    if (/^[\x20-\x7e]*$/.test(label)) return label.toLowerCase()
    return label.includes('*') ? '' : domainToASCII(label)
  })
  return labels.every((label) => /^[a-z0-9_*-]+$/.test(label) && !label.includes('**')) ? labels.join('.') : undefined
}

function hostInside(text: string): string | undefined {
  const host = /^(?:[a-z]+:\/\/)?([a-z0-9.*-]+)(?:[:/].*)?$/i.exec(text)?.[1]
  return host?.includes('.') ? host : undefined
}
