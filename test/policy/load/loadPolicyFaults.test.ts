import { describe, expect, it } from 'vitest'
import { loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import { faultsIn, folderWith, load } from './policyFolder.ts'

describe('faults of content', () => {
  it.each([
    ['deny: [Read]', '2:1 unknown key "deny" (it belongs to `permissions.deny`)'],
    ['allow: [Read]', '2:1 unknown key "allow" (it belongs to `permissions.allow`)'],
    ['permissions: { mode: plan }', '2:16 unknown key "mode" in permissions (did you mean "defaultMode"?)'],
    ['permissions: { Allow: [Read] }', '2:16 unknown key "Allow" in permissions (did you mean "allow"?)'],
    ['permissions: { maxTurns: 3 }', '2:16 unknown key "maxTurns" in permissions (it belongs to `run.maxTurns`)'],
    ['run: { timout: 3m }', '2:8 unknown key "timout" in run (did you mean "timeout"?)'],
    ['permissions: { constructor: 3 }', '2:16 unknown key "constructor" in permissions; known keys: presets'],
    ['constructor: 3', '2:1 unknown key "constructor"; known keys: $schema'],
    ['toString: 3', '2:1 unknown key "toString"; known keys: $schema'],
  ])('says where %s belongs', async (line, expected) => {
    const [fault] = await faultsIn(`version: 1\n${line}`)
    expect(fault?.slice(0, `policy.yml:${expected}`.length)).toBe(`policy.yml:${expected}`)
  })

  it.each([
    [
      '{ two.x: { command: x }, two_x: { command: y } }',
      /^policy\.yml:2:38 mcpServers\.two_x has the same tool names as the server .*two\.x/,
    ],
    ['{ Git: { command: x }, git: { command: y } }', /has the same tool names as the server "Git"/],
    ['{ _x: { command: x } }', /a server name has letters/],
    ['{ x.: { command: x } }', /a server name has letters/],
    ['{ a._b: { command: x } }', /a server name has letters/],
    [`{ ${'a'.repeat(41)}: { command: x } }`, /a server name has/],
  ])('refuses servers that no run could start: %s', async (servers, expected) => {
    expect(await faultsIn(`version: 1\nmcpServers: ${servers}`)).toEqual([expect.stringMatching(expected)])
  })

  it('warns about matchers that match no tool, so that their hooks never run', async () => {
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

  it('are reported together, with place, closest key and advice', async () => {
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
      'policy.yml:9:7 a rule is one string; write it in quotes: "{a,b}"',
      'policy.yml:10:7 a rule is one string; write it in quotes: "Bash(a: b)"',
      'policy.yml:11:7 a rule is one string; write it in quotes: "~"',
      'policy.yml:12:7 Write(src/**): Write takes no path of its own: Edit rules cover every tool that writes (did you mean Edit(src/**)?)',
      'policy.yml:13:10 Bsh: unknown tool "Bsh" (did you mean "Bash"?)',
      'policy.yml:13:15 Bash(): Bash() is empty and matches nothing (did you mean Bash?)',
      'policy.yml:14:17 run.timeout: expected a duration such as 90s, 30m or 2h, not "3 parsecs"',
      'policy.yml:14:38 run.maxTurns: expected more than 0, not -1',
      'policy.yml:14:56 run.maxBudgetUsd: expected a number, not "many"',
      'policy.yml:14:76 run.maxToolCalls: expected a whole number, not 1.5',
      'policy.yml:15:18 env.set.A: expected a string, not 1; put it in quotes',
      'policy.yml:16:34 matcher: "(" is not a regular expression',
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
  ])('%s is refused with its place', async (timeout, message) => {
    const [fault, ...more] = await faultsIn(policyWith(timeout))
    expect(more).toEqual([])
    expect(fault).toMatch(/^policy\.yml:2:\d+ hooks\.PreToolUse\[0\]\.hooks\[0\]\.timeout: /)
    expect(fault).toMatch(message)
  })

  it.each(['0.5', '1', '3600', '1e12'])('%s is accepted', async (timeout) => {
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
  ])('are not hidden by %s', async (_, lines, expected) => {
    const faults = await faultsIn(`${lines.join('\n')}\n`)
    expect(faults.map((fault) => fault.replace('policy.yml:', ''))).toEqual(
      expected.map((start) => expect.stringMatching(new RegExp(`^${start.replace(/[()]/g, '\\$&')}`))),
    )
  })
})
