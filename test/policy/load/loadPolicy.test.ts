import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { faultsIn, faultsOf, folderWith, load } from './policyFolder.ts'

/** Traps in which a first policy falls: each is told with what to write instead. */
it.each([
  ['run: { timeout: 20 }', 'run.timeout: expected a duration such as 90s, 30m or 2h, not 20'],
  ['run: { timeout: "20" }', 'run.timeout: expected a duration such as 90s, 30m or 2h, not "20"'],
  ['run: { bashTimeout: 5000 }', 'run.bashTimeout: expected a duration such as 90s, 30m or 2h, not 5000'],
  ['permissions: { allow: ["npm test"] }', 'npm test: "npm test" is not a tool name (did you mean Bash(npm test)?)'],
  [
    'permissions: { deny: ["git push *"] }',
    'git push *: "git push *" is not a tool name (did you mean Bash(git push *)?)',
  ],
  ['permissions: { deny: ["npm"] }', 'npm: unknown tool "npm" (did you mean Bash(npm *)?)'],
  ['permissions: { allow: ["src/**"] }', 'src/**: "src/**" is not a tool name (did you mean Edit(src/**)?)'],
])('the trap %s', async (line, message) => {
  const [fault = ''] = await faultsIn(`version: 1\n${line}\n`)
  expect(fault.replace(/^policy\.yml:\d+:\d+ /, '')).toBe(message)
})

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
    const cwd = folderWith({ 'policy.yml': text })
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
    expect((await load(folderWith({ 'policy.yml': 'version: 1' }))).rules).toEqual([])
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

  it('warns about a useless allow, and continues', async () => {
    const policy = await load(
      folderWith({ 'policy.yml': 'version: 1\npermissions: { allow: [Bsh, "Bash()", "Bash(git:* x)"], ask: [Foo] }' }),
    )
    expect(policy.warnings.map(({ level, line }) => [level, line])).toEqual([...Array(4)].map(() => ['warning', 2]))
  })
})

describe('a file that cannot be a policy', () => {
  it.each<[string, string | Uint8Array, RegExp]>([
    ['empty', '', /^policy\.yml:1:1 the file is empty$/],
    ['only a comment', '# nothing\n', /the file is empty$/],
    ['a list', '- a\n', /^policy\.yml:1:1 a policy is a map of keys$/],
    ['not YAML', 'version: 1\n  a: b: c\n', /^policy\.yml:1:10 Nested mappings/],
    ['a doubled key', 'version: 1\nrun: {}\nrun: {}\n', /^policy\.yml:3:1 Map keys must be unique$/],
    ['a tab', 'version: 1\nrun:\n\tmaxTurns: 3\n', /^policy\.yml:3:1 Tabs are not allowed/],
    [
      'an alias bomb',
      `env: &a [x,x]\nrun: &b [*a,*a]\nhooks: &c [*b,*b]\n`,
      /^policy\.yml:1:\d+ an anchor is not accepted/,
    ],
    ['a tag', 'version: 1\nmemory: !!js/function "x"\n', /^policy\.yml:2:\d+ a tag \(.*js\/function\) is not accepted/],
    ['an own tag', 'version: 1\nmemory: !secret x\n', /^policy\.yml:2:\d+ a tag \(!secret\) is not accepted/],
    ['a directive', '%YAML 1.1\n---\nversion: 1\n', /^policy\.yml:1:1 a %YAML directive/],
    ['two documents', 'version: 1\n---\nversion: 1\n', /more than one document$/],
    ['a key that is no text', 'version: 1\n1: x\n', /^policy\.yml:2:1 a key must be a plain string/],
    ['__proto__', 'version: 1\nenv: { set: { __proto__: x } }\n', /^policy\.yml:2:\d+ a key must be/],
    ['deep nesting', `version: 1\nmemory: ${'['.repeat(5000)}`, /^policy\.yml:2:\d+ the file is nested too deeply$/],
    ['not UTF-8', new Uint8Array([0x76, 0xff, 0xfe]), /^policy\.yml: is not UTF-8 text/],
    ['over 1 MiB', `version: 1\n#${'x'.repeat(1024 * 1024)}`, /^policy\.yml: is larger than/],
    ['no version', 'permissions: {}\n', /^policy\.yml:1:1 version is missing$/],
    ['another version', 'version: 2\n', /^policy\.yml:1:10 version: expected 1, not 2$/],
  ])('%s', async (_, text, expected) => {
    expect((await faultsIn(text))[0]).toMatch(expected)
  })

  it('is missing, a folder, a pipe, a socket, a device or a link to another place; nothing blocks', async () => {
    const folder = folderWith({ 'sub/x': '', 'elsewhere/real.yml': 'version: 1', 'real.yml': 'version: 1' })
    execFileSync('mkfifo', [path.join(folder, 'pipe')])
    symlinkSync('pipe', path.join(folder, 'to-pipe'))
    symlinkSync('gone', path.join(folder, 'dangling'))
    symlinkSync('dangling-2', path.join(folder, 'dangling-2'))
    symlinkSync('elsewhere/../../..', path.join(folder, 'away'))
    symlinkSync('/etc/hostname', path.join(folder, 'out.yml'))
    symlinkSync('real.yml', path.join(folder, 'inside.yml'))
    const server = createServer().listen(path.join(folder, 'sock'))
    for (const file of [
      'gone.yml',
      'sub',
      'pipe',
      'to-pipe',
      'dangling',
      'dangling-2',
      'away',
      'out.yml',
      'sock',
      '/dev/zero',
    ]) {
      expect([file, (await faultsOf(folder, { file })).length]).toEqual([file, 1])
    }
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
    const cwd = folderWith({
      'policy.yml': `version: 1\nextends: base.yml\nsandbox: { ${own} }`,
      'base.yml': `version: 1\nsandbox: { ${base} }`,
    })
    expect((await load(cwd)).settings.sandbox.wall).toBe(wall)
  })

  it.each([
    ['the base is strict', 'report', 'fail', 'fail'],
    ['the file is strict', 'fail', 'report', 'fail'],
    ['neither is', 'report', 'report', 'report'],
  ])('what checks may have used fails them if one policy says so: %s', async (_, own, base, leftovers) => {
    const cwd = folderWith({
      'policy.yml': `version: 1\nextends: base.yml\nchecks: { leftovers: ${own}, prepare: [b] }`,
      'base.yml': `version: 1\nchecks: { leftovers: ${base}, prepare: [a] }`,
    })
    expect((await load(cwd)).settings.checks).toMatchObject({ leftovers, prepare: expect.arrayContaining(['a', 'b']) })
  })

  it('merges lists, keeps the smaller limit and the stricter safeguard, and otherwise prefers the extending file', async () => {
    const cwd = folderWith({
      'policy.yml': [
        'version: 1',
        'extends: [base/a.yml, base/b.yml]',
        'permissions: { defaultMode: plan, allow: [Edit], deny: [WebFetch] }',
        'run: { maxTurns: 100, model: mine, timeout: 1h, requireFinish: false, params: { a: "1" } }',
        'sandbox: { mode: off, allow: [x.org], readable: [~/a] }',
        'env: { set: { A: mine } }',
        'projectMcp: true',
        'mcpServers: { s: { command: mine } }',
      ].join('\n'),
      'base/a.yml': [
        'version: 1',
        'extends: b.yml',
        'permissions: { allow: ["Bash(ls *)"], deny: ["Edit(x)"] }',
        'run: { maxTurns: 20, model: theirs, timeout: 2h, requireFinish: true, params: { a: "2", b: "3" } }',
        'sandbox: { mode: required }',
        'checks: { attempts: 5, commands: [npm test] }',
      ].join('\n'),
      'base/b.yml': [
        'version: 1',
        'projectMcp: false',
        'env: { set: { A: theirs, B: x } }',
        'mcpServers: { s: { command: theirs } }',
        'sandbox: { network: none, allow: [y.org], readable: [b] }',
        'hooks: { Stop: [{ hooks: [{ type: command, command: b }] }] }',
      ].join('\n'),
    })
    const { settings, rules, files } = await load(cwd)
    expect(files.map((file) => path.relative(cwd, file))).toEqual(['policy.yml', 'base/a.yml', 'base/b.yml'])
    expect(rules.map(({ list, text, file }) => `${list} ${text} ${file}`)).toEqual([
      'deny WebFetch policy.yml',
      'allow Edit policy.yml',
      'deny Edit(x) base/a.yml',
      'allow Bash(ls *) base/a.yml',
    ])
    expect(settings.defaultMode).toBe('plan')
    expect(settings.run).toEqual({
      maxTurns: 20,
      model: 'mine',
      timeoutMs: 3_600_000,
      requireFinish: true,
      params: { a: '1', b: '3' },
    })
    expect(settings.sandbox).toEqual({
      mode: 'required',
      network: 'none',
      allow: ['x.org', 'y.org'],
      writable: [],
      readable: ['/home/user/a', path.join(cwd, 'b')],
    })
    expect(settings.env.set).toEqual({ A: 'mine', B: 'x' })
    expect(settings.mcpServers['s']).toEqual({ command: 'mine' })
    expect(settings.projectMcp).toBe(false)
    expect(settings.checks).toEqual({
      ...{ attempts: 5, commands: ['npm test'], prepare: [], leftovers: 'report', protect: [] },
    })
    expect(settings.hooks.Stop).toHaveLength(1)
  })

  it.each([
    ['open', 'none', 'none'],
    ['none', 'open', 'none'],
    ['allowlist', 'none', 'none'],
    ['open', 'allowlist', 'allowlist'],
  ])('of the networks %s and %s, %s holds', async (mine, theirs, held) => {
    const cwd = folderWith({
      'policy.yml': `version: 1\nextends: a.yml\nsandbox: { network: ${mine} }`,
      'a.yml': `version: 1\nsandbox: { network: ${theirs} }`,
    })
    expect((await load(cwd)).settings.sandbox.network).toBe(held)
  })

  it('of two `outputs.max` the smaller holds', async () => {
    const cwd = folderWith({
      'policy.yml': 'version: 1\nextends: a.yml\noutputs: { comment: { max: 5 }, issue: { max: 1 } }',
      'a.yml': 'version: 1\noutputs: { comment: { max: 2 }, issue: { max: 4 } }',
    })
    expect((await load(cwd)).settings.outputs).toMatchObject({ comment: { max: 2 }, issue: { max: 1 } })
  })

  it('stops at cycles and deep chains', async () => {
    const cycle = folderWith({ 'policy.yml': 'version: 1\nextends: a.yml', 'a.yml': 'version: 1\nextends: policy.yml' })
    expect(await faultsOf(cycle)).toEqual([
      'a.yml:2:10 extends policy.yml: it extends itself: policy.yml → a.yml → policy.yml',
    ])
    const tower = Object.fromEntries(
      [...Array(12)].map((_, index) => [`${index}.yml`, `version: 1\nextends: ${index + 1}.yml`]),
    )
    expect(await faultsOf(folderWith(tower), { file: '0.yml' })).toEqual([
      '7.yml:2:10 extends 8.yml: more than 8 policies extend one another',
    ])
  })

  it('reports the errors of every file', async () => {
    const cwd = folderWith({ 'policy.yml': 'version: 1\nextends: a.yml\nfoo: 1', 'a.yml': 'version: 1\nbar: 2' })
    expect((await faultsOf(cwd)).map((line) => line.split(' ')[0])).toEqual(['policy.yml:3:1', 'a.yml:2:1'])
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
