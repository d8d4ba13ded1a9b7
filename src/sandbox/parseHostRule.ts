import { isIP } from 'node:net'

/** A host that `sandbox.allow` names: `example.com`, `*.example.com`, `example.com:8080`, `127.0.0.1:4873`. */
export type HostRule = { readonly host: string; readonly isSuffix: boolean; readonly port: number | undefined }

const USUAL_PORTS = [80, 443]

/** The rule that a text spells; undefined where it is none. */
export function parseHostRule(text: string): HostRule | undefined {
  const match = /^(\*\.)?(\[[0-9a-f:.]+\]|[^\s:/*@[\]]+)(?::(\d{1,5}))?$/i.exec(text.trim())
  const url = match === null ? undefined : `http://${match[2]}`
  if (match === null || url === undefined || !URL.canParse(url)) return undefined
  const isSuffix = match[1] !== undefined
  const host = bareHost(new URL(url).hostname)
  if (isSuffix && isIP(host) !== 0) return undefined
  return { host, isSuffix, port: match[3] === undefined ? undefined : Number(match[3]) }
}

/** True where a rule covers the host at that port: a rule without a port covers 80 and 443, `*.` not the apex. */
export function isHostAllowed(rules: readonly HostRule[], host: string, port: number): boolean {
  const name = bareHost(host)
  return rules.some((rule) => {
    if (rule.port === undefined ? !USUAL_PORTS.includes(port) : rule.port !== port) return false
    return rule.isSuffix ? name.endsWith(`.${rule.host}`) : name === rule.host
  })
}

/**
 * True where a rule means a host that may be internal: an address literal, `localhost`, or a name that is spelled with its
 * port, as in `npm.corp.internal:443`. Who answers for any other name could point it at this machine.
 */
export function mayBeInternal(rules: readonly HostRule[], host: string): boolean {
  const name = bareHost(host)
  const isLiteral = isIP(name) !== 0 || name === 'localhost'
  return rules.some((rule) => !rule.isSuffix && rule.host === name && (isLiteral || rule.port !== undefined))
}

function bareHost(host: string): string {
  return host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()
}
