import { describe, expect, it } from 'vitest'
import {
  isHostCovered,
  isHostDenied,
  isMetadataHost,
  isSpecialHost,
  judgeUrl,
} from '../../../src/policy/matchers/domain.ts'

describe('the host of a URL', () => {
  it.each([
    ['http://a.com', 'a.com'],
    ['https://A.com./x', 'a.com'],
    ['HTTP://a.com', 'a.com'],
    ['http://a.com/@x', 'a.com'],
    ['http://a.com/x//y@z', 'a.com'],
    ['http://a/?x@y', 'a'],
    ['http://a#x@y', 'a'],
    ['http://[::1]', '[::1]'],
    ['http://[::ffff:7f00:1]', '127.0.0.1'],
    ['http://[::ffff:ffff:ffff]/', '255.255.255.255'],
    ['http://0x7f.1', '127.0.0.1'],
    ['http://%41.com', 'a.com'],
    [`http://a.com/${'x'.repeat(8_179)}`, 'a.com'],
  ])('%s is dialed at %s', (url, host) => expect(judgeUrl(url)).toEqual({ host }))

  const SIGN = 'the URL has a space, a backslash or a control character'
  const USER = 'the URL has a user part before its host'
  const SCHEME = 'only http:// and https:// URLs are fetched'
  it.each([
    [`http://a.com/${'x'.repeat(8_180)}`, 'the URL is longer than 8,192 characters'],
    ['http://a b', SIGN],
    ['http://a\\b', SIGN],
    ['http://a\u0001', SIGN],
    ['http://a\u200b.com', SIGN],
    ['http://a\u00a0b', SIGN],
    ['ftp://a.com', SCHEME],
    ['xhttp://a.com', SCHEME],
    ['http:///x', SCHEME],
    ['http://?x', SCHEME],
    ['http://me@a.com', USER],
    ['http://me:p@a.com', USER],
    ['http://:p@a.com', USER],
    // Parsers see no user here, but a reader does.
    ['http://@a.com', USER],
    ['http://a..b', 'the URL has no valid host'],
    ['http://.', 'the URL has no valid host'],
    ['http://a:99999', 'the URL cannot be parsed'],
    ['http://[::ffff:7f00:1', 'the URL cannot be parsed'],
    ['http://a%20b/', 'the URL cannot be parsed'],
  ])('of %s cannot be judged: %s', (url, problem) => expect(judgeUrl(url)).toEqual({ problem }))
})

describe('a rule on a host', () => {
  it.each([
    ['a.com', 'a.com', true, true],
    ['a.com', 'b.com', false, false],
    ['*.a.com', 'x.a.com', true, true],
    ['*.a.com', 'x.y.a.com', true, true],
    ['*.a.com', 'a.com', false, false],
    ['*.a.com', 'xa.com', false, false],
    ['api-*.a.com', 'api-1.a.com', true, true],
    ['api-*.a.com', 'api-1.x.a.com', false, false],
    ['api-*.a.com', 'x.api-1.a.com', false, false],
    ['api-*.a.com', 'api-1.a.org', false, false],
    ['a.*.com', 'a.x.com', true, true],
    ['a.*.com', 'b.x.com', false, false],
    ['*', 'x.org', true, true],
    ['10.*.*.*', '10.1.2.3', false, true],
    ['*', '10.1.2.3', false, true],
    ['10.1.2.3', '10.1.2.3', true, true],
    ['[::ffff:7f00:1]', '127.0.0.1', false, true],
    ['*', 'localhost', false, true],
    ['localhost', 'localhost', true, true],
    ['*.localhost', 'x.localhost', false, true],
  ])('%s for %s: an allow covers it %s, a deny means it %s', (pattern, host, isCovered, isDenied) => {
    expect([isHostCovered(pattern, host), isHostDenied(pattern, host)]).toEqual([isCovered, isDenied])
  })
})

it.each([
  ['10.1.2.3', true, false],
  ['[::1]', true, false],
  ['localhost', true, false],
  ['x.localhost', true, false],
  ['intranet', true, false],
  ['metadata', true, true],
  ['metadata.google.internal', true, true],
  ['metadata.google.internal.evil.com', false, false],
  ['x.metadata.google.internal', false, false],
  ['xmetadata.google.internal', false, false],
  ['169.254.169.254', true, true],
  ['[fe80::1]', true, true],
  ['[fd00:ec2::254]', true, true],
  ['[fd00:ec2::2541]', true, false],
  ['[1:fd00:ec2::254]', true, false],
  ['100.100.100.200', true, true],
  ['100.100.100.2001', true, false],
  ['1100.100.100.200', true, false],
  ['x169.254.example.com', false, false],
  ['169.254x.example.com', false, false],
  ['1.2.3.4.example.com', false, false],
  ['example1.2', false, false],
  ['localhost.example.com', false, false],
  ['notlocalhost.com', false, false],
])('%s: an address or a name of this machine %s, of a cloud %s', (host, isSpecial, isMetadata) => {
  expect([isSpecialHost(host), isMetadataHost(host)]).toEqual([isSpecial, isMetadata])
})
