import { describe, expect, it } from 'vitest'
import type { NamedCall } from '../../../src/commands/policy/createDecider.ts'
import { surprises } from '../../helpers/policy/surprises.ts'

const fetches = (...urls: readonly string[]): NamedCall[] =>
  urls.map((url) => ({ tool: 'WebFetch', input: { url, prompt: 'x' } }))
const named = (...tools: readonly string[]): NamedCall[] => tools.map((tool) => ({ tool, input: {} }))
describe('domains', () => {
  it('are judged as they will be connected to, and refused if URL parsers disagree', async () => {
    const allow = ['example.com', '*.api.example', 'bücher.example', 'x-*.ex.org'].map(
      (host) => `WebFetch(domain:${host})`,
    )
    const rows = {
      allow: fetches(
        'https://example.com',
        'https://EXAMPLE.com/x',
        'https://example.com:8443/x',
        'http://example.com./x',
        'HTTPS://example.com/@x',
        'https://ｅxample.com',
        'https://example。com',
        'https://ex%61mple.com',
        'https://a.b.api.example',
        'https://BÜCHER.example',
        'https://xn--bcher-kva.example',
        'https://bu\u0308cher.example',
        'https://x-1.ex.org',
        'https://example.com/?q=@x',
      ),
      deny: fetches(
        'https://example.com../x',
        'https://example.com.evil.org',
        'https://evilexample.com',
        'https://evil.com#example.com',
        'https://example.com@evil.com',
        'https://evil.com\\@example.com',
        'https://example.com\\.evil.com',
        'https:example.com',
        'https:/example.com',
        'https:///example.com',
        '//example.com',
        'ftp://example.com',
        'file:///etc/passwd',
        'data:text/html,x',
        'https://sub.example.com',
        'https://exa\tmple.com',
        'https://exa\nmple.com',
        ' https://example.com',
        'https://example.com ',
        'https://example.com%2f.evil.org',
        'https://еxample.com',
        'https://api.example',
        'https://aapi.example',
        'https://.api.example',
        'https://a..api.example',
        'https://x-a.b.ex.org',
        'https://x.ex.org',
        'https://example.com\u200b/',
        'https://:@example.com',
        'https://user@example.com',
        'https://[::1]/',
        'https://',
        '',
        'example.com',
        `https://example.com/${'a'.repeat(9000)}`,
      ),
    }
    expect(await surprises({ allow }, rows)).toEqual([])
  })

  it('of this machine and its network need a rule that names them, in any notation', async () => {
    const deny = ['evil.com', '*.internal', 'münchen.de'].map((host) => `WebFetch(domain:${host})`)
    const local = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '[::ffff:127.0.0.1]',
      '[::1]',
      'localhost',
      'LOCALHOST.',
      'x.localhost',
    ]
    const near = [
      '169.254.169.254',
      'metadata.google.internal',
      '10.0.0.1',
      '0',
      '[::]',
      '[64:ff9b::7f00:1]',
      'intranet',
      'internal',
      'x.y.INTERNAL.',
    ]
    const evil = ['EVIL.com.', 'e%76il.com', 'xn--mnchen-3ya.de', 'mu\u0308nchen.de', 'ＭÜNCHEN.de']
    const bare = {
      allow: fetches('https://ok.example', 'https://a.evil.com'),
      deny: fetches(...[...local, ...near, ...evil].map((host) => `http://${host}/`)),
    }
    expect(await surprises({ allow: ['WebFetch'], deny }, bare)).toEqual([])
    const allow = ['*', '127.0.0.1', 'localhost', '[::1]'].map((host) => `WebFetch(domain:${host})`)
    const rows = {
      allow: fetches(
        'http://127.1:8080/',
        'http://localhost./',
        'http://[0:0:0:0:0:0:0:1]/',
        'http://[::ffff:127.0.0.1]/',
        'http://any.example/',
      ),
      deny: fetches(
        'http://127.0.0.2/',
        'http://169.254.169.254/',
        'http://metadata/',
        'http://x.localhost/',
        'http://[fd00:ec2::254]/',
      ),
    }
    expect(await surprises({ allow }, rows)).toEqual([])
  })
})

describe('MCP names', () => {
  it('are matched as a whole, server and tool, with valid characters only', async () => {
    const lists = {
      allow: ['mcp__github__get_*', 'mcp__slack', 'mcp__a-b.c__x', 'mcp__db__*read*', 'mcp__s__*'],
      deny: ['mcp__slack__delete_*', 'mcp__github__get_secret*', 'mcp__*__drop_*', 'mcp__s__x(path:/etc/*)'],
    }
    const rows = {
      allow: named(
        'mcp__github__get_issue',
        'mcp__github__get_',
        'mcp__slack__post',
        'mcp__a-b.c__x',
        'mcp__db__read_all',
        'mcp__s__x',
      ),
      deny: [
        ...named(
          'mcp__github__GET_issue',
          'mcp__GitHub__get_issue',
          'mcp__github__x__get_issue',
          'mcp__github2__get_issue',
          'mcp__git__get_issue',
        ),
        ...named(
          'mcp__github__get_secret_x',
          'mcp__github__GET_SECRETS',
          'mcp__slack__Delete_all',
          'mcp__slack2__post',
          'mcp__slack__',
          'mcp__slack',
        ),
        ...named(
          'mcp____get_issue',
          'mcp__',
          'mcp__a-b_c__x',
          'mcp__db__write',
          'Mcp__github__get_issue',
          'mcp_github_get_issue',
          'mcp__s__DROP_x',
        ),
        ...named(
          'mcp__github__get_issue\n',
          'mcp__github__get issue',
          'mcp__github\u200b__get_issue',
          'mcp__github__get_ｉssue',
          ' mcp__s__x',
        ),
        { tool: 'mcp__s__x', input: { path: '/ETC/passwd' } },
      ],
    }
    expect(await surprises(lists, rows)).toEqual([])
  })
})
