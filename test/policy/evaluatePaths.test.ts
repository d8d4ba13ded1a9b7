import { describe, expect, it } from 'vitest'
import { evaluate } from '../../src/policy/evaluate.ts'
import {
  bashCall,
  callOf,
  formsOf,
  HOME,
  PROJECT,
  pathSubject,
  policyOf,
  type RuleLists,
  readCall,
  writeCall,
} from '../helpers/policy/policyCalls.ts'

type Access = 'read' | 'write'
type Row = readonly [access: Access, path: string, behavior: 'allow' | 'ask' | 'deny']

async function check(lists: RuleLists, rows: readonly Row[]): Promise<void> {
  const policy = await policyOf(lists)
  const actual = rows.map(([access, given]) => {
    const call = access === 'read' ? readCall(given) : writeCall(given)
    return [access, given, evaluate(policy, call).behavior]
  })
  expect(actual).toEqual(rows)
}

it('a path elsewhere is denied with the place of the project, which a model may think is there', async () => {
  const policy = await policyOf({ allow: ['Read(./**)'] })
  const { message } = evaluate(policy, readCall('/repo/src/a.ts'))
  expect(message).toContain(
    `reading /repo/src/a.ts is not allowed: no allow rule covers it. The project is ${PROJECT}. `,
  )
  expect(evaluate(policy, writeCall('src/a.ts')).message).not.toContain('The project is')
})

describe('an allow rule on paths', () => {
  it('is anchored by a slash, and exact about case, Unicode composition and neighbors', async () => {
    await check({ allow: ['Edit(src/**)', 'Read(docs/*.md)', 'Read(*.txt)', 'Edit(/lib/a.ts)'] }, [
      ['write', 'src/a.ts', 'allow'],
      ['write', 'src/deep/er/.hidden', 'allow'],
      ['read', 'src/a.ts', 'allow'],
      ['read', 'src', 'allow'],
      ['write', 'src', 'ask'],
      ['write', 'srcx/a.ts', 'ask'],
      ['write', 'SRC/a.ts', 'ask'],
      ['write', 'pkg/src/a.ts', 'ask'],
      ['write', 'src/../a.ts', 'ask'],
      ['write', 'lib/../src/a.ts', 'allow'],
      ['write', `${PROJECT}/src/a.ts`, 'allow'],
      ['write', '/src/a.ts', 'ask'],
      ['write', 'src//a.ts', 'allow'],
      ['write', 'src%2fa.ts', 'ask'],
      ['read', 'docs/a.md', 'allow'],
      ['read', 'docs/b/a.md', 'ask'],
      ['write', 'docs/a.md', 'ask'],
      ['read', 'x/y/a.txt', 'allow'],
      ['read', '/tmp/a.txt', 'ask'],
      ['write', 'lib/a.ts', 'allow'],
      ['write', 'lib/a.ts/b', 'ask'],
    ])
  })

  it('supports ~, the file system root, and a trailing slash', async () => {
    await check({ allow: ['Read(~/notes/**)', 'Read(//opt/data/*.csv)', 'Edit(out/)', 'Read(x/\\[id\\].ts)'] }, [
      ['read', `${HOME}/notes/a`, 'allow'],
      ['read', `${HOME}/other`, 'ask'],
      ['read', '/opt/data/a.csv', 'allow'],
      ['read', '/opt/data/b/a.csv', 'ask'],
      ['write', 'out/a/b', 'allow'],
      ['write', 'a/out/b', 'ask'],
      ['read', 'x/[id].ts', 'allow'],
      ['read', 'x/i.ts', 'ask'],
    ])
  })

  it('covers every path when it is bare, but no protected one', async () => {
    await check({ allow: ['Edit'] }, [
      ['write', '/opt/x', 'allow'],
      ['read', '/opt/x', 'allow'],
      ['write', '.git/hooks/pre-commit', 'ask'],
    ])
    const policy = await policyOf({ allow: ['Write'] })
    expect(evaluate(policy, writeCall('a')).behavior).toBe('allow')
    expect(evaluate(policy, writeCall('a', 'Edit')).behavior).toBe('ask')
  })
})

describe('a deny rule on paths', () => {
  const allow = ['Edit(//**)']

  it('matches every spelling of a name, at any depth, and everything below', async () => {
    await check(
      { allow, deny: ['Read(secrets/**)', 'Edit(generated)', 'Edit(a/b/c.ts)', 'Read(*.KEY)', 'Read(café)'] },
      [
        ['read', 'secrets/a', 'deny'],
        ['read', 'secrets', 'deny'],
        ['read', 'pkg/secrets/a', 'deny'],
        ['write', 'secrets/a', 'deny'],
        ['read', 'SECRETS/a', 'deny'],
        ['read', 'Secrets/./a', 'deny'],
        ['read', 'x/../secrets/a', 'deny'],
        ['read', '/elsewhere/secrets/a', 'deny'],
        ['read', 'secretsx/a', 'allow'],
        ['read', 'se\u200bcrets/a', 'deny'],
        ['write', 'generated', 'deny'],
        ['write', 'x/generated/y', 'deny'],
        ['read', 'generated', 'allow'],
        ['write', 'a/b/c.ts', 'deny'],
        ['write', 'x/a/b/c.ts', 'allow'],
        ['read', 'x.key', 'deny'],
        ['read', 'cafe\u0301', 'deny'],
        ['read', 'CAFÉ/x', 'deny'],
      ],
    )
  })

  it('is anchored by a leading slash or ./', async () => {
    await check({ allow, deny: ['Edit(/dist/**)', 'Edit(./build/**)', 'Read(//opt/**)', 'Read(**/private)'] }, [
      ['write', 'dist/a', 'deny'],
      ['write', 'pkg/dist/a', 'allow'],
      ['write', 'build/a', 'deny'],
      ['write', 'pkg/build/a', 'allow'],
      ['read', '/opt/a/b', 'deny'],
      ['read', '/optional', 'allow'],
      ['read', 'x/y/private/z', 'deny'],
    ])
  })

  it('takes precedence over a narrower allow, and over an ask', async () => {
    await check({ allow: ['Edit(src/**)', 'Edit(src/a.ts)'], ask: ['Edit(src/ask/**)'], deny: ['Edit(src/**)'] }, [
      ['write', 'src/a.ts', 'deny'],
      ['write', 'src/ask/a.ts', 'deny'],
    ])
    await check({ allow: ['Edit(src/**)'], ask: ['Edit(src/ask/**)'] }, [
      ['write', 'src/ask/a.ts', 'ask'],
      ['write', 'src/a.ts', 'allow'],
    ])
  })

  it('removes its whole tool family when it is bare', async () => {
    await check({ allow, deny: ['Edit'] }, [
      ['write', 'a', 'deny'],
      ['read', 'a', 'allow'],
    ])
    await check({ allow, deny: ['Read'] }, [
      ['write', 'a', 'deny'],
      ['read', 'a', 'deny'],
    ])
  })
})

describe('braces', () => {
  it('expand to separate patterns, each with its own anchor', async () => {
    await check(
      {
        allow: ['Edit(//**)'],
        deny: [
          'Read({//etc/hosts,//etc/passwd})',
          'Edit({/docs,/lib}/**)',
          'Edit({../out,sub}/**)',
          'Edit({./one,two}.txt)',
          'Edit({~/notes,a/b/c}.md)',
          'Edit(/x/{y,z/../v}/w)',
          'Edit(/p/{q/**,r})',
        ],
      },
      [
        ['read', '/etc/passwd', 'deny'],
        ['read', '/etc/hosts', 'deny'],
        ['write', 'docs/a.md', 'deny'],
        ['write', 'lib/deep/a.md', 'deny'],
        ['write', 'pkg/docs/a.md', 'allow'],
        ['write', '/srv/out/x', 'deny'],
        ['write', 'sub/x', 'deny'],
        ['write', 'pkg/sub/x', 'deny'],
        ['write', 'one.txt', 'deny'],
        ['write', 'pkg/one.txt', 'allow'],
        ['write', 'pkg/two.txt', 'deny'],
        ['write', `${HOME}/notes.md`, 'deny'],
        ['write', 'a/b/c.md', 'deny'],
        ['write', 'x/v/w', 'deny'],
        ['write', 'x/y/w', 'deny'],
        ['write', 'p/q', 'deny'],
        ['write', 'p/r', 'deny'],
      ],
    )
  })

  it('allow the same as their patterns one by one', async () => {
    await check(
      { allow: ['Edit({/docs,./lib}/**)', 'Read({~/a,//opt/b})', 'Edit({src/,test}/x)', 'Read(\\{a,b\\})'] },
      [
        ['write', 'docs/a', 'allow'],
        ['write', 'lib/a', 'allow'],
        ['write', 'pkg/lib/a', 'ask'],
        ['read', `${HOME}/a`, 'allow'],
        ['read', '/opt/b', 'allow'],
        ['write', 'src/x', 'allow'],
        ['write', 'test/x', 'allow'],
        ['read', '{a,b}', 'allow'],
        ['read', 'a', 'ask'],
      ],
    )
  })

  it('inside a name stay one pattern', async () => {
    await check({ allow: ['Edit(//**)'], deny: ['Edit(/\\{a,b\\}/{x,y})', 'Edit(/{c}/z)', 'Edit(/{d,e}\\\\f)'] }, [
      ['write', '{a,b}/x', 'deny'],
      ['write', 'a/x', 'allow'],
      ['write', '{c}/z', 'deny'],
      ['write', 'd\\f', 'deny'],
    ])
  })
})

describe('a name that ends in two stars', () => {
  it('is denied with everything below', async () => {
    await check({ allow: ['Edit(//**)'], deny: ['Read(secret**)', 'Edit(./**conf**)', 'Read({a**,b}/c**)'] }, [
      ['read', 'secret/k.txt', 'deny'],
      ['read', 'secrets/deep/k.txt', 'deny'],
      ['read', 'secret.txt', 'deny'],
      ['write', 'myconf/a/b', 'deny'],
      ['read', 'ax/cd/e', 'deny'],
      ['write', 'src/a', 'allow'],
    ])
  })
})

describe('brackets', () => {
  it('in a deny are a character class and also the literal name', async () => {
    await check({ allow: ['Edit(//**)'], deny: ['Edit(app/[id]/**)', 'Edit([...slug].tsx)', 'Read(/k/[ab].txt)'] }, [
      ['write', 'app/[id]/page.tsx', 'deny'],
      ['write', 'app/i/page.tsx', 'deny'],
      ['write', 'app/x/page.tsx', 'allow'],
      ['write', 'pages/[...slug].tsx', 'deny'],
      ['read', 'k/a.txt', 'deny'],
      ['read', 'k/[ab].txt', 'deny'],
      ['read', 'k/c.txt', 'allow'],
    ])
  })

  it('in an allow are only a character class', async () => {
    await check({ allow: ['Edit(app/[id]/**)', 'Edit(www/\\[id\\]/**)'] }, [
      ['write', 'app/i/a', 'allow'],
      ['write', 'app/[id]/a', 'ask'],
      ['write', 'www/[id]/a', 'allow'],
      ['write', 'www/i/a', 'ask'],
    ])
  })
})

describe('a folder with a slash at its end', () => {
  it('does not match a file of that name', async () => {
    await check({ allow: ['Edit(lib/)', 'Read(doc/)'] }, [
      ['write', 'lib', 'ask'],
      ['write', 'lib/a', 'allow'],
      ['read', 'doc', 'allow'],
    ])
  })
})

describe('a protected place', () => {
  it('of git is not matched by a prefix of other git files', async () => {
    const allow = ['Edit(./**)', 'Edit(.git*)', 'Edit(.GIT?)', 'Edit(.git*/**)', 'Edit(/sub/.git[!x]*/**)']
    await check({ allow: [...allow, 'Edit(.git{attributes,modules})', 'Edit(.husky{,x}/**)'] }, [
      ['write', '.git', 'ask'],
      ['write', 'sub/.git', 'ask'],
      ['write', '.git/HEAD', 'ask'],
      ['write', '.git/refs/heads/x', 'ask'],
      ['write', 'sub/.git/index', 'ask'],
      ['write', '.gitattributes', 'allow'],
      ['write', '.gitignore', 'allow'],
      ['write', '.husky/a', 'allow'],
    ])
  })
})

describe('the home folder', () => {
  it('keeps its settings, unless a rule names the place or it is the working directory', async () => {
    const allow = ['Edit(~/**)', 'Edit(~/.cache/x/**)', 'Edit(./**)']
    await check({ allow }, [
      ['write', `${HOME}/.config/foo/x`, 'ask'],
      ['write', `${HOME}/.local/bin/ls`, 'ask'],
      ['write', `${HOME}/.anything`, 'ask'],
      ['write', `${HOME}/bin/ls`, 'ask'],
      ['write', HOME, 'ask'],
      ['write', `${HOME}/notes`, 'allow'],
      ['write', `${HOME}/binary`, 'allow'],
      ['write', `${HOME}/.cache/x/y`, 'allow'],
      ['write', '.eslintrc', 'allow'],
    ])
    const inside = await policyOf({ allow: ['Edit(./**)'] }, { cwd: `${HOME}/.work/project` })
    const subject = {
      kind: 'path',
      access: 'write',
      path: formsOf('a', `${HOME}/.work/project`),
      source: 'tool',
    } as const
    expect(evaluate(inside, callOf('Write', [subject])).behavior).toBe('allow')
  })
})

describe('folders and files that CI and tools read', () => {
  it.each([
    '.cargo',
    '.gitea',
    '.forgejo',
    '.config',
    '.config/git/config',
    'Jenkinsfile',
    'sub/azure-pipelines.yml',
    '.travis.yml',
    '.buildkite/x.yml',
    '.yarn/releases/yarn.cjs',
    '.mvn/jvm.config',
    '.idea/x.xml',
  ])('%s is not written without a rule that names it', async (path) => {
    await check({ allow: ['Edit(./**)'] }, [['write', path, 'ask']])
    await check({ allow: [`Edit(/${path})`] }, [['write', path, 'allow']])
  })

  it.each(['.cargo/x', '.config/foo.json', 'jenkinsfile.md', '.yarn/cache/x', '.idea2/x'])('%s is', async (path) => {
    await check({ allow: ['Edit(./**)'] }, [['write', path, 'allow']])
  })
})

describe('operands of shell words', () => {
  it('need no allow in the project, but every deny and protection applies', async () => {
    const policy = await policyOf({ allow: ['Bash(cat *)', 'Bash(rm *)'], deny: ['Read(secret/**)', 'Edit(docs/**)'] })
    const behavior = (access: 'read' | 'write', path: string) =>
      evaluate(policy, bashCall('cat x', pathSubject(access, path, 'operand'))).behavior
    expect(behavior('read', 'src/a')).toBe('allow')
    expect(behavior('read', 'secret/a')).toBe('deny')
    expect(behavior('read', '.env')).toBe('ask')
    expect(behavior('write', 'src/a')).toBe('allow')
    expect(behavior('write', 'docs/a')).toBe('deny')
    expect(behavior('write', '.git/hooks/x')).toBe('ask')
  })
})
