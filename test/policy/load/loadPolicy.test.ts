import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'
import { faultsIn, faultsOf, load } from './policyFolder.ts'

describe('a good policy', () => {
  const text = [
    '# yaml-language-server: $schema=../schema/policy.schema.json',
    'version: 1',
    'permissions:',
    '  defaultMode: acceptEdits',
    '  allow:',
    '    - Bash(git diff *)',
    '    - "Edit(src/**)"   # a comment',
    '  deny: ["Read(.env*)"]',
    '  additionalDirectories: [../other, ~/notes]',
    'run: { model: m, timeout: 1h30m, maxRetryWait: 90s, fallbackModel: n, bashTimeout: 5s }',
    'tests:',
    '  - { call: "Bash(git push)", expect: deny }',
    '  - call: { tool: Read, input: { file_path: .env } }',
    '    expect: deny',
    '    rule: Read(.env*)',
  ].join('\n')

  it('keeps the place of every rule and test, and resolves folders and durations', async () => {
    const cwd = makeFiles({ 'policy.yml': text })
    const policy = await load(cwd)
    expect(policy.rules.map(({ text, list, file, line }) => [text, list, file, line])).toEqual([
      ['Read(.env*)', 'deny', 'policy.yml', 8],
      ['Bash(git diff *)', 'allow', 'policy.yml', 6],
      ['Edit(src/**)', 'allow', 'policy.yml', 7],
    ])
    expect(policy.files).toEqual([path.join(cwd, 'policy.yml')])
    expect(policy.untouchable).toEqual([path.join(cwd, 'policy.yml')])
    expect(policy.sha256).toBe(createHash('sha256').update(`${text.length}\n${text}`).digest('hex'))
    expect(policy.settings).toMatchObject({
      defaultMode: 'acceptEdits',
      additionalDirectories: [path.join(path.dirname(cwd), 'other'), '/home/user/notes'],
      run: { model: 'm', timeoutMs: 5_400_000, maxRetryWaitMs: 90_000, fallbackModel: ['n'], bashTimeoutMs: 5000 },
      checks: { attempts: 2, commands: [], protect: [] },
      sandbox: { mode: 'auto', allow: [], writable: [] },
      projectMcp: false,
      projectHooks: false,
    })
    expect(policy.settings.tests.map(({ line, expect: wanted, rule }) => [line, wanted, rule])).toEqual([
      [12, 'deny', undefined],
      [13, 'deny', 'Read(.env*)'],
    ])
    expect(policy.warnings.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([
      `9:27 permissions.additionalDirectories[0]: there is no folder ${path.join(path.dirname(cwd), 'other')}`,
      '9:37 permissions.additionalDirectories[1]: there is no folder /home/user/notes',
    ])
    mkdirSync(path.join(cwd, 'here'))
    const here = 'version: 1\npermissions: { additionalDirectories: [here, .] }'
    expect((await load(cwd, { read: async () => here })).warnings).toEqual([])
  })

  it('is the preset read-only only if no file is given', async () => {
    const none = await load('/', { file: undefined })
    expect([none.files, none.rules[0]?.text, none.rules[0]?.file]).toEqual([[], 'Read(./**)', 'preset:read-only'])
    expect((await load(makeFiles({ 'policy.yml': 'version: 1' }))).rules).toEqual([])
  })

  it('adds rules and folders from flags, under the name of the flag', async () => {
    const flags = { allow: ['Bash(ls *)'], deny: ['WebFetch'], directories: ['/data'] }
    const policy = await load('/', { file: undefined, flags })
    expect(policy.rules.slice(0, 2).map(({ text, list, file }) => [text, list, file])).toEqual([
      ['WebFetch', 'deny', '--disallowedTools'],
      ['Bash(ls *)', 'allow', '--allowedTools'],
    ])
    expect(policy.settings.additionalDirectories).toEqual(['/data'])
    const wrong = await faultsOf('/', { file: undefined, flags: { deny: ['Bsh'], allow: ['Bash('] } })
    expect(wrong).toEqual([
      '--disallowedTools: Bsh: unknown tool "Bsh" (did you mean "Bash"?)',
      expect.stringMatching(/^--allowedTools: Bash\(: the closing parenthesis/),
    ])
  })

  it('knows the tools of a library user', async () => {
    const hooks = 'hooks: { PreToolUse: [{ matcher: Deploy, hooks: [{ type: prompt, prompt: x }] }] }'
    const read = async () => `version: 1\npermissions: { deny: [Deploy] }\n${hooks}`
    expect((await load('/', { read, tools: ['Deploy'] })).warnings).toEqual([])
  })
})

describe('a file that cannot be a policy', () => {
  it.each<[string, string | Uint8Array, RegExp]>([
    ['deep nesting', `version: 1\nmemory: ${'['.repeat(5000)}`, /^policy\.yml:2:\d+ the file is nested too deeply$/],
    ['not UTF-8', new Uint8Array([0x76, 0xff, 0xfe]), /^policy\.yml: is not UTF-8 text/],
    ['over 1 MiB', `version: 1\n#${'x'.repeat(1024 * 1024)}`, /^policy\.yml: is larger than/],
  ])('%s', async (_, text, expected) => {
    expect((await faultsIn(text))[0]).toMatch(expected)
  })

  it('is missing, a folder, a pipe, a socket, a device or a link to another place; nothing blocks', async () => {
    const links = { dangling: '-> gone', 'dangling-2': '-> dangling-2', 'to-pipe': '-> pipe' }
    const outward = { away: '-> elsewhere/../../..', 'out.yml': '-> /etc/hostname', 'elsewhere/real.yml': 'version: 1' }
    const real = { 'real.yml': 'version: 1', 'inside.yml': '-> real.yml', 'sub/x': '' }
    const folder = makeFiles({ ...links, ...outward, ...real })
    execFileSync('mkfifo', [path.join(folder, 'pipe')])
    const server = createServer().listen(path.join(folder, 'sock'))
    const broken = ['gone.yml', 'sub', 'pipe', 'sock', '/dev/zero', ...Object.keys(links), 'away', 'out.yml']
    for (const file of broken) expect([file, (await faultsOf(folder, { file })).length]).toEqual([file, 1])
    server.close()
    const linked = await load(folder, { file: 'inside.yml' })
    expect(linked.untouchable).toEqual([path.join(folder, 'inside.yml'), path.join(folder, 'real.yml')])
  })
})

describe('extends', () => {
  it.each([
    ['alone', 'mode: required, wall: landlock', '', 'landlock'],
    ['where the base requires nothing', 'mode: required, wall: landlock', 'network: none', 'landlock'],
    ['where the base says so too', 'wall: landlock', 'mode: required, wall: landlock', 'landlock'],
    ['where the base requires a sandbox', 'mode: required, wall: landlock', 'mode: required', undefined],
    ['where the base names bubblewrap', 'wall: landlock', 'wall: bubblewrap', undefined],
    ['if nobody says so', 'mode: required', '', undefined],
  ])('takes Landlock for enough only if every policy that needs a sandbox does: %s', async (_, own, base, wall) => {
    const cwd = makeFiles({
      'policy.yml': `version: 1\nextends: base.yml\nsandbox: { ${own} }`,
      'base.yml': `version: 1\nsandbox: { ${base} }`,
    })
    expect((await load(cwd)).settings.sandbox.wall).toBe(wall)
  })

  it.each<[string, string, string, object]>([
    ['sandbox', '{ network: open }', '{ network: none }', { network: 'none' }],
    ['sandbox', '{ network: open }', '{ network: allowlist }', { network: 'allowlist' }],
    ['sandbox', '{ mode: off }', '{ mode: required }', { mode: 'required' }],
    ['checks', '{ leftovers: report }', '{ leftovers: fail }', { leftovers: 'fail' }],
    ['checks', '{ findings: error }', '{ findings: warning }', { findings: 'warning' }],
    ['outputs', '{ comment: { max: 5 } }', '{ comment: { max: 2 } }', { comment: { max: 2 } }],
  ])('keeps the stricter word about %s, whoever says it: %s, %s', async (key, loose, strict, held) => {
    for (const [own, base] of [[loose, strict] as const, [strict, loose] as const]) {
      const texts = {
        'policy.yml': `version: 1\nextends: a.yml\n${key}: ${own}`,
        'a.yml': `version: 1\n${key}: ${base}`,
      }
      expect((await load(makeFiles(texts))).settings).toMatchObject({ [key]: held })
    }
  })

  it('reads only through the given reader', async () => {
    const asked: string[] = []
    const read = async (file: string) => {
      asked.push(file)
      return file.endsWith('base.yml') ? 'version: 1' : 'version: 1\nextends: base.yml'
    }
    await load('/nowhere', { file: 'ci/policy.yml', read })
    expect(asked).toEqual(['/nowhere/ci/policy.yml', '/nowhere/ci/base.yml'])
  })
})
