import { expect, it } from 'vitest'
import { checkUrl, type NetworkGuard, NetworkRefusal } from '../../../src/lib/net/createAddressGuard.ts'

const checked = (address: string, guard: NetworkGuard = {}): string => {
  try {
    return `fetched: ${checkUrl(address, guard).href}`
  } catch (error) {
    return error instanceof NetworkRefusal ? `${error.code}: ${error.message}` : `a defect: ${error}`
  }
}

it.each([
  ['http://example.com', 'http://example.com/'],
  ['HTTPS://EXAMPLE.com/a?b#c', 'https://example.com/a?b#c'],
  ...['http://a.b:443/', 'https://a.b:80/', 'http://a.b:1024/', 'http://a.b:8080/'].map((url) => [url, url]),
])('gives %s as the browser reads it', (address = '', href) => {
  expect(checked(address)).toBe(`fetched: ${href}`)
})

it.each(['file:///etc/passwd', 'ftp://example.com/', 'data:text/plain,x', 'example.com', 'httpss://example.com', ''])(
  'refuses %j: another protocol, or no address',
  (address) => expect(checked(address)).toBe(`url: ${address} is not an http or https address`),
)

it.each(['http://me:pass@example.com/', 'http://me@example.com/', 'https://:pass@example.com/'])(
  'refuses %s: a login would be sent',
  (address) => {
    expect(checked(address)).toBe('url: example.com: an address must not hold a user name or a password')
  },
)

// A database or a mail server may act on what a request for a page holds.
it.each([
  ...[1, 22, 25, 79, 81, 442, 444, 1023],
  ...[1719, 1720, 1723, 2049, 3306, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 11211, 27017],
])('refuses port %i, but for a host that a rule names', (port) => {
  const address = `http://example.com:${port}/`
  expect(checked(address)).toBe(`url: example.com:${port}: port ${port} is not a port for web pages`)
  expect(checked(address, { allowPrivate: (host) => host === 'example.com' })).toBe(`fetched: ${address}`)
  expect(checked(address, { allowPrivate: (host) => host === 'other.example' })).toContain('is not a port')
})

it('refuses an internal address before its port', () => {
  expect(checked('http://127.0.0.1:22/')).toBe('address: 127.0.0.1 is not an address of the public internet')
  expect(checked('http://localhost/')).toBe('address: localhost is not a name of the public internet')
})
