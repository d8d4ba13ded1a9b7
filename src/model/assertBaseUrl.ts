import { RunError } from '../contracts/errors.ts'
import { parseUrl } from '../lib/net/parseUrl.ts'

/**
 * The base URL without a trailing slash. A URL that would send the key in clear text to another machine, or that
 * contains credentials, is a `RunError`.
 */
export function assertBaseUrl(text: string, allowInsecure: boolean): string {
  const url = parseUrl(text.trim())
  if (url === undefined) throw refused('is not a URL')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused(`is ${url.protocol}// and not https://`)
  if (url.username !== '' || url.password !== '') throw refused('contains a user name or password')
  if (url.search !== '' || url.hash !== '') throw refused('has a query or fragment')
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowInsecure) {
    throw refused(`sends the API key in clear text to ${url.host}; use https://, or --allow-insecure-base-url`)
  }
  return url.href.replace(/\/+$/, '')
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

function refused(problem: string): RunError {
  return new RunError('config', `the base URL of the API ${problem}`)
}
