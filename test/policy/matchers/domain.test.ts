import { describe, expect, it } from 'vitest'
import {
  isHostCovered,
  isHostDenied,
  isMetadataHost,
  isSpecialHost,
  judgeUrl,
} from '../../../src/policy/matchers/domain.ts'
import { listOf, table } from '../../helpers/table.ts'

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

  it.each([
    ['the URL is longer than 8,192 characters', [`http://a.com/${'x'.repeat(8_180)}`]],
    [
      'the URL has a space, a backslash or a control character',
      ['http://a b', 'http://a\\b', 'http://a\u0001', 'http://a\u200b.com', 'http://a\u00a0b'],
    ],
    ['only http:// and https:// URLs are fetched', ['ftp://a.com', 'xhttp://a.com', 'http:///x', 'http://?x']],
    [
      // Parsers see no user in the last one, but a reader does.
      'the URL has a user part before its host',
      ['http://me@a.com', 'http://me:p@a.com', 'http://:p@a.com', 'http://@a.com'],
    ],
    ['the URL has no valid host', ['http://a..b', 'http://.']],
    ['the URL cannot be parsed', ['http://a:99999', 'http://[::ffff:7f00:1', 'http://a%20b/']],
  ])('cannot be judged: %s', (problem, urls) => {
    expect(urls.map((url) => [url, judgeUrl(url)])).toEqual(urls.map((url) => [url, { problem }]))
  })
})

describe('a rule on a host', () => {
  it.each(table`
    a.com        | a.com                | b.com
    *.a.com      | x.a.com, x.y.a.com   | a.com, xa.com
    api-*.a.com  | api-1.a.com          | api-1.x.a.com, x.api-1.a.com, api-1.a.org
    a.*.com      | a.x.com              | b.x.com
    *            | x.org                |
    10.1.2.3     | 10.1.2.3             |
    localhost    | localhost            |
  `)('%s means %s in any list, and not %s', (pattern, those, others) => {
    const hosts = [...listOf(those), ...listOf(others)]
    expect(hosts.filter((host) => isHostCovered(pattern, host))).toEqual(listOf(those))
    expect(hosts.filter((host) => isHostDenied(pattern, host))).toEqual(listOf(those))
  })

  it.each(table`
    10.*.*.*         | 10.1.2.3
    *                | 10.1.2.3
    [::ffff:7f00:1]  | 127.0.0.1
    *                | localhost
    *.localhost      | x.localhost
  `)('%s only denies %s', (pattern, host) => {
    expect([isHostCovered(pattern, host), isHostDenied(pattern, host)]).toEqual([false, true])
  })
})

it('an address or a name of this machine is special, and where a cloud keeps credentials is known', () => {
  const [clouds, machines, others] = [
    'metadata metadata.google.internal 169.254.169.254 [fe80::1] [fd00:ec2::254] 100.100.100.200',
    `10.1.2.3 [::1] localhost x.localhost intranet [fd00:ec2::2541] [1:fd00:ec2::254] 100.100.100.2001 1100.100.100.200`,
    `metadata.google.internal.evil.com x.metadata.google.internal xmetadata.google.internal x169.254.example.com
      169.254x.example.com 1.2.3.4.example.com example1.2 localhost.example.com notlocalhost.com`,
  ].map((text) => text.split(/\s+/))
  const all = [clouds, machines, others].flatMap((hosts = []) => hosts)
  expect(all.filter(isMetadataHost)).toEqual(clouds)
  expect(all.filter(isSpecialHost)).toEqual([clouds, machines].flat())
})
