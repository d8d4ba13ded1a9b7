import { describe, expect, it } from 'vitest'
import { surprises } from '../../helpers/policy/surprises.ts'

describe('paths', () => {
  it('are allowed in every notation or not at all', async () => {
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

  it('are denied in every notation', async () => {
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

  it('match patterns as in gitignore', async () => {
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
