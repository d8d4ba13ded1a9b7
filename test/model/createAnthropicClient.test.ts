import { expect, it } from 'vitest'
import { assertBaseUrl } from '../../src/model/createAnthropicClient.ts'

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
