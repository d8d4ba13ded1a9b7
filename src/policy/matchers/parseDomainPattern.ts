import { domainToASCII } from 'node:url'
import { expandBraces } from '../../lib/text/expandBraces.ts'
import { judgeUrl } from './domain.ts'

/** The host of a `WebFetch(domain:…)` rule in ASCII and lower case, or why it can never match. */
export type DomainPattern = { readonly host: string } | { readonly error: string; readonly edit?: string }

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
