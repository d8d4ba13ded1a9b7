import { isIP } from 'node:net'
import { parseUrl } from '../../lib/net/parseUrl.ts'

/** A host in `sandbox.allow`: `example.com`, `*.example.com`, `example.com:8080`, `127.0.0.1:4873`. */
export type HostRule = { readonly host: string; readonly isSuffix: boolean; readonly port: number | undefined }

const USUAL_PORTS = [80, 443]

export function parseHostRule(text: string): HostRule | undefined {
  const match = /^(\*\.)?(\[[0-9a-f:.]+\]|[^\s:/*@[\]]+)(?::(\d{1,5}))?$/i.exec(text.trim())
  if (match === null) return undefined
  const url = parseUrl(`http://${match[2]}`)
  if (url === undefined) return undefined
  const isSuffix = match[1] !== undefined
  const host = bareHost(url.hostname)
  if (isSuffix && isIP(host) !== 0) return undefined
  return { host, isSuffix, port: match[3] === undefined ? undefined : Number(match[3]) }
}

/**
 * True if a rule covers the host at that port. A rule without a port covers 80 and 443; `*.` does not cover the apex.
 */
export function isHostAllowed(rules: readonly HostRule[], host: string, port: number): boolean {
  const name = bareHost(host)
  return rules.some((rule) => {
    if (rule.port === undefined ? !USUAL_PORTS.includes(port) : rule.port !== port) return false
    return rule.isSuffix ? name.endsWith(`.${rule.host}`) : name === rule.host
  })
}

/**
 * True if a rule may mean an internal host: an address literal, `localhost`, or a name with its port, as in
 * `npm.corp.internal:443`. The owner of any other name could point it at this machine.
 */
export function mayBeInternal(rules: readonly HostRule[], host: string): boolean {
  const name = bareHost(host)
  const isLiteral = isIP(name) !== 0 || name === 'localhost'
  return rules.some((rule) => !rule.isSuffix && rule.host === name && (isLiteral || rule.port !== undefined))
}

function bareHost(host: string): string {
  const name = host.startsWith('[') ? host.slice(1, -1) : host
  return name.replace(/\.$/, '').toLowerCase()
}
