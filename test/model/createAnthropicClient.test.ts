import { expect, it } from 'vitest'
import { RunError } from '../../src/contracts/errors.ts'
import { assertApiKey } from '../../src/model/assertApiKey.ts'
import { assertBaseUrl } from '../../src/model/createAnthropicClient.ts'
import { gatewayHeaders } from '../../src/model/elsewhere/gatewayHeaders.ts'

it.each([
  ['https://api.example/v1/', 'https://api.example/v1'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://127.1', 'http://127.0.0.1'],
  ['http://localhost', 'http://localhost'],
  ['http://[::1]:1/', 'http://[::1]:1'],
])('%s is taken as %s', (url, taken) => {
  expect(assertBaseUrl(url, false)).toBe(taken)
})

it.each([
  'http://127.evil.example',
  'http://127.0.0.1.evil.example',
  'http://localhost.evil.example',
  'http://[::2]',
  'http://api.example',
])('%s is no loopback: the key is not sent there in clear text', (url) => {
  expect(() => assertBaseUrl(url, false)).toThrow('in clear text')
  expect(assertBaseUrl(url, true)).toBe(url)
})

it.each([
  ['api.example', 'is not a URL'],
  ['ftp://api.example', 'is ftp:// and not https://'],
  ['https://me:word@api.example', 'contains a user name or password'],
  ['https://api.example?a=b', 'has a query or fragment'],
])('%s %s', (url, problem) => {
  expect(() => assertBaseUrl(url, true)).toThrow(problem)
})

it('a key from elsewhere is named by its place', () => {
  expect(assertApiKey(' key\n')).toBe('key')
  expect(() => assertApiKey(' ', '--api-key-file k')).toThrow('--api-key-file k is empty: it must be an API key')
})

it.each([
  ['X-Team: kode\n\n  x-two :a:b  \r\n', { 'X-Team': 'kode', 'x-two': 'a:b' }],
  ['empty:', { empty: '' }],
  [undefined, {}],
])('the headers of %j', (text, headers) => {
  expect(gatewayHeaders(text)).toEqual(headers)
})

it.each([
  ['a: b\nno header', 2],
  ['two words: s3cret', 1],
  ['a: s3cret\u0007', 1],
  [': s3cret', 1],
])('%j is no header, and is named without its value', (text, line) => {
  expect(() => gatewayHeaders(text)).toThrow(
    new RunError('config', `ANTHROPIC_CUSTOM_HEADERS: line ${line} is not \`Name: value\``),
  )
})
