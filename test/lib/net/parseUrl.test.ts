import { expect, it } from 'vitest'
import { parseUrl } from '../../../src/lib/net/parseUrl.ts'

it.each([
  ['https://example.com/a', undefined, 'https://example.com/a'],
  ['../b', 'https://example.com/a/c', 'https://example.com/b'],
  ['../b', undefined, undefined],
  ['https://', undefined, undefined],
])('%s on %s is %s', (text, base, href) => {
  expect(parseUrl(text, base)?.href).toBe(href)
})

it('reads a non-ASCII letter even after many others', () => {
  for (let count = 0; count < 50_000; count++) parseUrl('https://example.com/')
  const hosts = Array.from({ length: 1_000 }, () => parseUrl('https://BÜCHER.example')?.hostname)
  expect([...new Set(hosts)]).toEqual(['xn--bcher-kva.example'])
})
