import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { RunError } from '../../src/contracts/errors.ts'
import { type LoadPolicyOptions, loadPolicy } from '../../src/policy/loadPolicy.ts'
import type { Policy } from '../../src/policy/Policy.ts'

function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'kode-policy-')))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), content)
  }
  return folder
}

function load(cwd: string, options: Partial<LoadPolicyOptions> = {}): Promise<Policy> {
  return loadPolicy({ file: 'policy.yml', cwd, home: '/home/user', ...options })
}

/** The lines of the error that loading must end with. */
async function faultsOf(cwd: string, options: Partial<LoadPolicyOptions> = {}): Promise<readonly string[]> {
  const error = await load(cwd, options).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(RunError)
  expect((error as RunError).reason).toBe('config')
  return (error as RunError).message.split('\n')
}

const faultsIn = (text: string | Uint8Array) => faultsOf(folderWith({ 'policy.yml': text }))

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
    'run: { model: m, timeout: 1h30m, maxRetryWait: 90s, fallbackModel: n, bashTimeout: 5000 }',
    'tests:',
    '  - { call: "Bash(git push)", expect: deny }',
    '  - call: { tool: Read, input: { file_path: .env } }',
    '    expect: deny',
    '    rule: Read(.env*)',
  ].join('\n')

  it('keeps the place of every rule and test, and settles folders and times', async () => {
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

  it('is the preset read-only where no file is named, and only then', async () => {
    const none = await load('/', { file: undefined })
    expect([none.files, none.rules[0]?.text, none.rules[0]?.file]).toEqual([[], 'Read(./**)', 'preset:read-only'])
    expect((await load(folderWith({ 'policy.yml': 'version: 1' }))).rules).toEqual([])
  })

  it('takes rules and folders from flags, by the name of the flag', async () => {
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

  it('warns of an allow that helps nobody, and goes on', async () => {
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
    ['a key that is no text', 'version: 1\n1: x\n', /^policy\.yml:2:1 a key must be a plain text/],
    ['__proto__', 'version: 1\nenv: { set: { __proto__: x } }\n', /^policy\.yml:2:\d+ a key must be/],
    ['deep nesting', `version: 1\nmemory: ${'['.repeat(5000)}`, /^policy\.yml:2:\d+ the file is nested too deeply$/],
    ['not UTF-8', new Uint8Array([0x76, 0xff, 0xfe]), /^policy\.yml: is not UTF-8 text/],
    ['over 1 MiB', `version: 1\n#${'x'.repeat(1024 * 1024)}`, /^policy\.yml: is larger than/],
    ['no version', 'permissions: {}\n', /^policy\.yml:1:1 version is missing$/],
    ['another version', 'version: 2\n', /^policy\.yml:1:10 version: expected 1, not 2$/],
  ])('%s', async (_, text, expected) => {
    expect((await faultsIn(text))[0]).toMatch(expected)
  })

  it('is missing, a folder, a pipe, a socket, a device or a link that leads away; nothing blocks', async () => {
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

describe('faults of content', () => {
  it.each([
    ['deny: [Read]', '2:1 unknown key "deny" (it belongs to `permissions.deny`)'],
    ['allow: [Read]', '2:1 unknown key "allow" (it belongs to `permissions.allow`)'],
    ['permissions: { mode: plan }', '2:16 unknown key "mode" in permissions (did you mean "defaultMode"?)'],
    ['permissions: { Allow: [Read] }', '2:16 unknown key "Allow" in permissions (did you mean "allow"?)'],
    ['permissions: { maxTurns: 3 }', '2:16 unknown key "maxTurns" in permissions (it belongs to `run.maxTurns`)'],
    ['run: { timout: 3m }', '2:8 unknown key "timout" in run (did you mean "timeout"?)'],
    ['permissions: { constructor: 3 }', '2:16 unknown key "constructor" in permissions; known are presets'],
    ['constructor: 3', '2:1 unknown key "constructor"; known are $schema'],
    ['toString: 3', '2:1 unknown key "toString"; known are $schema'],
  ])('tells where %s belongs', async (line, expected) => {
    const [fault] = await faultsIn(`version: 1\n${line}`)
    expect(fault?.slice(0, `policy.yml:${expected}`.length)).toBe(`policy.yml:${expected}`)
  })

  it.each([
    [
      '{ two.x: { command: x }, two_x: { command: y } }',
      /^policy\.yml:2:38 mcpServers\.two_x cannot be told from .*two\.x/,
    ],
    ['{ Git: { command: x }, git: { command: y } }', /cannot be told from the server "Git"/],
    ['{ _x: { command: x } }', /a server name has letters/],
    ['{ x.: { command: x } }', /a server name has letters/],
    ['{ a._b: { command: x } }', /a server name has letters/],
    [`{ ${'a'.repeat(41)}: { command: x } }`, /a server name has/],
  ])('refuses servers that no run could start: %s', async (servers, expected) => {
    expect(await faultsIn(`version: 1\nmcpServers: ${servers}`)).toEqual([expect.stringMatching(expected)])
  })

  it('warns of matchers that fit no tool, so that their hooks never run', async () => {
    const hooks = (matcher: string) =>
      `version: 1\nhooks: { PreToolUse: [{ matcher: ${JSON.stringify(matcher)}, hooks: [{ type: command, command: x }] }] }`
    const warnings = async (matcher: string) => {
      const read = async () => hooks(matcher)
      const policy = await loadPolicy({ file: '/p/policy.yml', cwd: '/p', home: '/h', tools: ['Deploy'], read })
      return policy.warnings.map(({ message }) => message)
    }
    for (const good of [
      'Bash',
      'Edit|Write',
      'Edit, Write',
      '*',
      '',
      '.*',
      'mcp__.*',
      '^mcp__x__',
      'Notebook.*',
      'Deploy',
    ])
      expect(await warnings(good), good).toEqual([])
    expect(await warnings('mcp__a__b|Task|LSP')).toEqual([])
    expect(await warnings('bash')).toEqual([
      'matcher: there is no tool "bash" (did you mean "Bash"?); the hook does not run for it',
    ])
    expect(await warnings('Edit|Wrte')).toEqual([expect.stringContaining('no tool "Wrte" (did you mean "Write"?)')])
    expect(await warnings('Bash(rm *)')).toEqual([
      expect.stringMatching(/fits no tool.*matcher: Bash.*if: "Bash\(rm \*\)"/),
    ])
    expect(await warnings('^bash$')).toEqual([expect.stringContaining('fits no tool')])
  })

  it('come all at once, with place, nearest key and advice', async () => {
    const text = [
      'version: 1',
      'permision: {}',
      'maxTurns: 3',
      'extends: ./gone.yml',
      'permissions:',
      '  alow: []',
      '  allow:',
      '    - Read( #x)',
      '    - {a,b}',
      '    - Bash(a: b)',
      '    - ~',
      '    - Write(src/**)',
      '  deny: [Bsh, "Bash()"]',
      'run: { timeout: 3 parsecs, maxTurns: -1, maxBudgetUsd: many, maxToolCalls: 1.5 }',
      'env: { set: { A: 1 } }',
      'hooks: { PreToolUse: [{ matcher: "(", hooks: [{ type: command, command: x, if: "Foo(x)" }] }] }',
      'mcpServers: { a__b: { command: x }, c: {} }',
      'tests: [{ call: "Bash(ls)", expect: maybe }]',
    ].join('\n')
    expect(await faultsIn(text)).toEqual([
      'policy.yml:2:1 unknown key "permision" (did you mean "permissions"?)',
      'policy.yml:3:1 unknown key "maxTurns" (it belongs to `run.maxTurns`)',
      'policy.yml:4:10 extends ./gone.yml: there is no such file.',
      'policy.yml:6:3 unknown key "alow" in permissions (did you mean "allow"?)',
      'policy.yml:8:7 Read(: ` #` starts a comment; put the rule in quotes',
      'policy.yml:9:7 a rule is one text; write it in quotes: "{a,b}"',
      'policy.yml:10:7 a rule is one text; write it in quotes: "Bash(a: b)"',
      'policy.yml:11:7 a rule is one text; write it in quotes: "~"',
      'policy.yml:12:7 Write(src/**): Write takes no path of its own: Edit rules cover every tool that writes (did you mean Edit(src/**)?)',
      'policy.yml:13:10 Bsh: unknown tool "Bsh" (did you mean "Bash"?)',
      'policy.yml:13:15 Bash(): Bash() is empty and matches nothing (did you mean Bash?)',
      'policy.yml:14:17 run.timeout: expected a length of time such as 90s, 30m or 2h, not "3 parsecs"',
      'policy.yml:14:38 run.maxTurns: expected more than 0, not -1',
      'policy.yml:14:56 run.maxBudgetUsd: expected a number, not "many"',
      'policy.yml:14:76 run.maxToolCalls: expected a whole number, not 1.5',
      'policy.yml:15:18 env.set.A: expected a text, not 1; put it in quotes',
      'policy.yml:16:34 matcher: "(" is no regular expression',
      'policy.yml:16:80 if: unknown tool "Foo"',
      'policy.yml:17:15 mcpServers.a__b: a server name has letters, digits, `.`, `-` and single `_` only',
      'policy.yml:17:40 mcpServers.c: a server has either a `command` or a `url`',
      'policy.yml:18:37 tests[0].expect: expected "allow" or "deny" or "ask", not "maybe"',
    ])
  })
})

describe('the time limit of a hook', () => {
  const policyWith = (timeout: string) =>
    `version: 1\nhooks: { PreToolUse: [{ hooks: [{ type: command, command: "true", timeout: ${timeout} }] }] }`

  it.each([
    ['0', 'expected more than 0, not 0'],
    ['-3', 'expected more than 0, not -3'],
    ['"10"', 'expected a number, not "10"'],
    ['10s', 'expected a number, not "10s"'],
    ['.inf', /expected a number, not (Infinity|null)/],
    ['.nan', /expected a number, not (NaN|null)/],
    ['1e400', /expected a number, not (Infinity|null)/],
    ['true', 'expected a number, not true'],
  ])('%s is refused by its place', async (timeout, message) => {
    const [fault, ...more] = await faultsIn(policyWith(timeout))
    expect(more).toEqual([])
    expect(fault).toMatch(/^policy\.yml:2:\d+ hooks\.PreToolUse\[0\]\.hooks\[0\]\.timeout: /)
    expect(fault).toMatch(message)
  })

  it.each(['0.5', '1', '3600', '1e12'])('%s is taken', async (timeout) => {
    const policy = await load(folderWith({ 'policy.yml': policyWith(timeout) }))
    expect(policy.settings.hooks.PreToolUse?.[0]?.hooks[0]?.timeout).toBe(Number(timeout))
  })
})

describe('faults of content and of syntax', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    [
      'a doubled key',
      [
        'version: 1',
        'permissions:',
        '  allow: [Bsh(x)]',
        'permissions:',
        '  deny: [Foo]',
        'foo: 1',
        'run: { maxTurns: x }',
        'run: { model: 1 }',
      ],
      [
        '4:1 Map keys must be unique',
        '5:10 Foo: unknown',
        '6:1 unknown key',
        '7:18 run.maxTurns',
        '8:1 Map keys',
        '8:15 run.model',
      ],
    ],
    [
      'a rule that YAML cannot read',
      [
        'permisions: {}',
        'permissions:',
        '  allow:',
        '    - @types/**',
        '    - *.ts',
        '    - Write(x)',
        '    - &b Bash(ls)',
        'run: { maxTurn: 1 }',
      ],
      [
        '1:1 unknown key',
        '4:7 Plain value cannot start',
        '5:7 an alias',
        '6:7 Write(x)',
        '7:10 an anchor',
        '8:8 unknown key "maxTurn"',
      ],
    ],
    [
      'a quote that is not closed',
      [
        'version: 1',
        'fooo: 1',
        'permissions:',
        '  alow: []',
        '  deny:',
        '    - "Bash(rm *)',
        '    - Bsh',
        'run: { maxTurns: 0 }',
      ],
      ['2:1 unknown key', '4:3 unknown key', '9:1 Missing closing'],
    ],
    [
      'a wrong indentation',
      ['version: 1', 'run:', '\tmaxTurns: 3', 'permissions:', '  deny:', '    - Bsh', '   ask: [Write(x)]', 'foo: 1'],
      ['3:1 Tabs', '6:7 Bsh', '7:1 All mapping items', '8:1 unknown key'],
    ],
    [
      'a tag and a key that is no text',
      ['version: 1', 'memory: !secret x', '1: x', 'hooks: { Stop: 1 }', 'run: { model: !!str 5, maxTurns: -1 }'],
      ['2:17 a tag', '3:1 a key must be', '4:16 hooks.Stop', '5:21 a tag', '5:34 run.maxTurns'],
    ],
  ])('do not hide behind %s', async (_, lines, expected) => {
    const faults = await faultsIn(`${lines.join('\n')}\n`)
    expect(faults.map((fault) => fault.replace('policy.yml:', ''))).toEqual(
      expected.map((start) => expect.stringMatching(new RegExp(`^${start.replace(/[()]/g, '\\$&')}`))),
    )
  })
})

describe('extends', () => {
  it('joins lists, keeps the smaller limit and the stricter safeguard, and prefers the extending file otherwise', async () => {
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
    expect(settings.checks).toEqual({ attempts: 5, commands: ['npm test'], protect: [] })
    expect(settings.hooks.Stop).toHaveLength(1)
  })

  it('ends cycles and towers', async () => {
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

  it('reports the faults of every file', async () => {
    const cwd = folderWith({ 'policy.yml': 'version: 1\nextends: a.yml\nfoo: 1', 'a.yml': 'version: 1\nbar: 2' })
    expect((await faultsOf(cwd)).map((line) => line.split(' ')[0])).toEqual(['policy.yml:3:1', 'a.yml:2:1'])
  })

  it('reads by the reader it is given, and from nowhere else', async () => {
    const asked: string[] = []
    const read = async (file: string) => {
      asked.push(file)
      return file.endsWith('base.yml') ? 'version: 1' : 'version: 1\nextends: base.yml'
    }
    await load('/nowhere', { file: 'ci/policy.yml', read })
    expect(asked).toEqual(['/nowhere/ci/policy.yml', '/nowhere/ci/base.yml'])
  })
})
