import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDecider, type NamedCall } from '../../../src/commands/policy/createDecider.ts'
import { parseCall } from '../../../src/commands/policy/parseCall.ts'
import { loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import type { RuleLists } from '../../helpers/policy/policyCalls.ts'

/** A project with links, a secret and a folder beside it. */
function makeProject(): { cwd: string; home: string } {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-decider-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const cwd = join(base, 'project')
  for (const folder of ['src/sub', 'docs', 'secrets', '../out', '../home/private'])
    mkdirSync(join(cwd, folder), { recursive: true })
  for (const file of ['src/a.ts', 'secrets/key', '../out/f']) writeFileSync(join(cwd, file), 'x')
  const links = { outlink: '../out', seclink: 'secrets', self: '.', loop: 'loop', 'src/pw': '/etc/passwd' }
  const more = { 'src/k': '../secrets/key', 'src/dangling': '../../out/new', gone: 'nowhere' }
  for (const [link, target] of Object.entries({ ...links, ...more })) symlinkSync(target, join(cwd, link))
  return { cwd, home: join(base, 'home') }
}

type Row = string | NamedCall

/** The calls of each kind that are decided otherwise. */
async function surprises(permissions: RuleLists, rows: { allow: readonly Row[]; deny: readonly Row[] }) {
  const { cwd, home } = makeProject()
  const read = async () => JSON.stringify({ version: 1, permissions })
  const policy = await loadPolicy({ file: '/etc/kode/policy.yml', cwd, home, read })
  const decide = createDecider(policy, 'default')
  const found: Row[] = []
  for (const [wanted, calls] of Object.entries(rows)) {
    for (const row of calls) {
      const call = typeof row === 'string' ? parseCall(row.replace('PROJECT', cwd)) : row
      if ((await decide(call)).decision !== wanted) found.push(row)
    }
  }
  return found
}

const fetches = (...urls: readonly string[]): NamedCall[] =>
  urls.map((url) => ({ tool: 'WebFetch', input: { url, prompt: 'x' } }))
const named = (...tools: readonly string[]): NamedCall[] => tools.map((tool) => ({ tool, input: {} }))

describe('paths', () => {
  it('are allowed in every form or not at all', async () => {
    const inside = [
      'src/a.ts',
      './src/a.ts',
      'src//a.ts',
      'src/./a.ts',
      'src/sub/../a.ts',
      'PROJECT/src/b.ts',
      '/PROJECT/src/b.ts',
    ]
    const odd = ['src/new/deep/er.ts', 'src/...', 'src/ a.ts', 'src/%2e%2e/x', `src/${'a'.repeat(255)}`]
    const outside = [
      'src/../package.json',
      'SRC/a.ts',
      'src',
      'src/..',
      'srcx/a',
      '~/src/a.ts',
      ' src/a.ts',
      '$HOME/x',
      'file://PROJECT/src/a.ts',
    ]
    const links = ['src/pw', 'src/k', 'src/dangling', 'src/pw/../x', 'self/src/a.ts', 'loop/a', 'outlink/f']
    const guarded = [
      'src/.git/hooks/x',
      'src/.GIT/hooks/x',
      'src/.npmrc',
      'src/.git\u200b/hooks/x',
      'src/a\u0000b',
      'src\\..\\x',
      '',
    ]
    const edits = (paths: readonly string[]) => paths.map((path) => `Edit(${path})`)
    const rows = {
      allow: [...edits([...inside, ...odd]), 'Read(src/a.ts)', 'Read(src)', 'Write(src/x)', 'MultiEdit(src/x)'],
      deny: [
        ...edits([...outside, ...links, ...guarded, `src/${'a/'.repeat(3000)}x`]),
        'NotebookEdit(../x.ipynb)',
        'Read(docs)',
      ],
    }
    expect(await surprises({ allow: ['Edit(src/**)'] }, rows)).toEqual([])
  })

  it('are denied in any form', async () => {
    const lists = {
      allow: ['Read(./**)', 'Edit(./**)', 'Bash(cat *)', 'Bash(head *)', 'Bash(ls *)'],
      deny: [
        'Read(secrets/**)',
        'Edit(docs/**)',
        'Read(.env*)',
        'Read(*.key)',
        'Read(café/**)',
        'Read(straße)',
        'Read(//etc/**)',
      ].concat(['Read(~/private/**)', 'Edit(/package.json)', 'Edit(package-lock.json)']),
    }
    const secret = [
      'secrets/key',
      'SECRETS/key',
      'Secrets/KEY',
      'seclink/key',
      'src/k',
      'secrets',
      'secrets/',
      './x/../secrets/key',
    ]
    const spelt = [
      'self/self/secrets/key',
      'a/secrets/key',
      'secret\u200bs/key',
      's\u00adecrets/key',
      'ſecrets/key',
      '.ENV',
      'a/b/.env.x',
    ]
    const names = [
      'X.KEY',
      'x.key/y',
      'cafe\u0301/x',
      'CAF\u00c9/x',
      'STRASSE',
      '/etc/hosts',
      '/ETC/hosts',
      '/tmp/../etc/hosts',
      'src/pw',
    ]
    const homes = [
      '~/private/x',
      'PROJECT/../home/private/x',
      '/proc/self/root/etc/hosts',
      '/dev/fd/0',
      '/dev/null',
      '/sys/x',
    ]
    const reads = [...secret, ...spelt, ...names, ...homes].map((path) => `Read(${path})`)
    const edits = ['secrets/new', 'DOCS/a.md', 'x/docs/a.md', 'PACKAGE.JSON', 'x/package-lock.json', '/proc/self/mem']
    const tools = ['Grep(secrets)', 'Glob(secrets)', 'LS(secrets)', 'NotebookRead(secrets/a.ipynb)']
    const lines = ['cat secrets/key', 'cat /etc/../etc/hosts', 'cat < /etc/hosts', 'head ~/private/x'].map(
      (line) => `Bash(${line})`,
    )
    // Words look nothing up, and do not know what a listing shows: the view hides it.
    const unseen = ['ls ~/private', 'cat s*/key'].map((line) => `Bash(${line})`)
    const rows = {
      allow: [
        'Read(docs/a.md)',
        'Read(cafe/x)',
        'Edit(x/package.json)',
        'Read(package.json)',
        'Read(src/a.ts)',
        'Bash(cat src/a.ts)',
        ...unseen,
      ],
      deny: [...reads, ...edits.map((path) => `Edit(${path})`), ...tools, ...lines],
    }
    expect(await surprises(lists, rows)).toEqual([])
  })

  it('fit patterns as gitignore has them', async () => {
    const allow = [
      'docs/*.md',
      'a[0-9].txt',
      'b{1,2}.txt',
      'c?.txt',
      'd\\*.txt',
      'e[!0-9].txt',
      '/g/**/h.txt',
      '**/z.txt',
      'y/',
      '~/n/**',
      './only',
    ]
    const fitting = [
      'docs/.a.md',
      'a5.txt',
      'x/a5.txt',
      'b1.txt',
      'cc.txt',
      'd*.txt',
      'ex.txt',
      'g/h.txt',
      'g/a/b/h.txt',
      'q/z.txt',
      'y/a/b',
      '~/n/x',
      'only',
    ]
    const others = [
      'docs/x/a.md',
      'docs/a.MD',
      'x/docs/a.md',
      'ax.txt',
      'b3.txt',
      'b{1,2}.txt',
      'c/.txt',
      'dx.txt',
      'e5.txt',
      'e/.txt',
      'g/a/i.txt',
    ]
    const rows = {
      allow: fitting.map((path) => `Edit(${path})`),
      deny: [...others, 'g/.git/hooks/h.txt', 'x/only', '../out/f'].map((path) => `Edit(${path})`),
    }
    expect(await surprises({ allow: allow.map((pattern) => `Edit(${pattern})`) }, rows)).toEqual([])
  })
})

describe('domains', () => {
  it('are read as they will be dialled, and refused where parsers differ', async () => {
    const allow = ['example.com', '*.api.example', 'bücher.example', 'x-*.ex.org'].map(
      (host) => `WebFetch(domain:${host})`,
    )
    const rows = {
      allow: fetches(
        ...[
          'https://example.com',
          'https://EXAMPLE.com/x',
          'https://example.com:8443/x',
          'http://example.com./x',
          'HTTPS://example.com/@x',
        ],
        ...[
          'https://ｅxample.com',
          'https://example。com',
          'https://ex%61mple.com',
          'https://a.b.api.example',
          'https://BÜCHER.example',
        ],
        ...[
          'https://xn--bcher-kva.example',
          'https://bu\u0308cher.example',
          'https://x-1.ex.org',
          'https://example.com/?q=@x',
        ],
      ),
      deny: fetches(
        ...[
          'https://example.com../x',
          'https://example.com.evil.org',
          'https://evilexample.com',
          'https://evil.com#example.com',
        ],
        ...[
          'https://example.com@evil.com',
          'https://evil.com\\@example.com',
          'https://example.com\\.evil.com',
          'https:example.com',
        ],
        ...[
          'https:/example.com',
          'https:///example.com',
          '//example.com',
          'ftp://example.com',
          'file:///etc/passwd',
          'data:text/html,x',
        ],
        ...[
          'https://sub.example.com',
          'https://exa\tmple.com',
          'https://exa\nmple.com',
          ' https://example.com',
          'https://example.com ',
        ],
        ...[
          'https://example.com%2f.evil.org',
          'https://еxample.com',
          'https://api.example',
          'https://aapi.example',
          'https://.api.example',
        ],
        ...[
          'https://a..api.example',
          'https://x-a.b.ex.org',
          'https://x.ex.org',
          'https://example.com\u200b/',
          'https://:@example.com',
        ],
        ...[
          'https://user@example.com',
          'https://[::1]/',
          'https://',
          '',
          'example.com',
          `https://example.com/${'a'.repeat(9000)}`,
        ],
      ),
    }
    expect(await surprises({ allow }, rows)).toEqual([])
  })

  it('of this machine and its network need a rule that names them, in whatever figures', async () => {
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
  it('are judged whole, server and tool, by letters that a name can hold', async () => {
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
