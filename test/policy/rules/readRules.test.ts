import { expect, it } from 'vitest'
import { loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'
import { faultsIn, load } from '../load/policyFolder.ts'

/** A policy with these lines under `permissions`, and what is said of it. */
const textOf = (lines: readonly string[]) =>
  ['version: 1', 'permissions:', ...lines.map((line) => `  ${line}`)].join('\n')
const warningsOf = async (...lines: string[]) => (await load(makeFiles({ 'policy.yml': textOf(lines) }))).warnings
const faultsWith = (...lines: string[]) => faultsIn(textOf(lines))

it('a rule that cannot work has its place, its level, and what to write instead', async () => {
  const place = { file: 'policy.yml', line: 3, column: 11, level: 'warning' }
  expect(await warningsOf('allow: [Bsh]')).toStrictEqual([
    { ...place, message: 'Bsh: unknown tool "Bsh" (did you mean "Bash"?)' },
  ])
  const message = 'docker: unknown tool "docker" (did you mean Bash(docker *)?)'
  expect(await warningsOf('allow: [docker]')).toStrictEqual([{ ...place, edit: 'Bash(docker *)', message }])
})

it.each([
  ['a tool that does not exist here on purpose', 'REPL', ['warning', 'warning', 'warning']],
  ['a tool that is not known', 'Deploy', ['error', 'warning', 'warning']],
  ['a rule that matches nothing', 'Bash()', ['error', 'error', 'warning']],
  ['a text that is no rule', '"Bash(a) b"', ['error', 'error', 'error']],
  ['a rule of a family', 'Write(x)', ['error', 'error', 'error']],
])('%s: %s is one in deny, ask and allow', async (_, rule, levels) => {
  const seen = await Promise.all(
    ['deny', 'ask', 'allow'].map((list) =>
      warningsOf(`${list}: [${rule}]`).then(
        (warnings) => warnings.map(({ level }) => level).join(),
        () => 'error',
      ),
    ),
  )
  expect(seen).toEqual(levels)
})

it('a long rule is shown by its start', async () => {
  const rule = (length: number) => `Deploy${'y'.repeat(length - 6)}`
  const shown = async (length: number) => (await warningsOf(`allow: [${rule(length)}]`))[0]?.message.split(': ')[0]
  expect(await shown(120)).toBe(rule(120))
  expect(await shown(121)).toBe(`${rule(120)}…`)
})

it('a comment is only to blame where it cut the rule', async () => {
  expect(await faultsWith('deny:', '  - Bash(ls #x)')).toEqual([
    'policy.yml:4:7 Bash(ls: ` #` starts a comment; put the rule in quotes',
  ])
  expect(await faultsWith('deny:', '  - Bash() # nothing')).toEqual([expect.stringContaining('Bash() is empty')])
  expect(await faultsWith('deny:', '  - git push')).toEqual([expect.stringContaining('did you mean Bash(git push)?')])
})

it('permissions that are nothing are a fault, not a crash', async () => {
  for (const nothing of ['', ' 3'])
    expect(await faultsIn(`version: 1\npermissions:${nothing}\n`)).toEqual([
      expect.stringMatching(/^policy\.yml:2:\d+ permissions: /),
    ])
})

it('rules have their place, without white space around them; those of flags have the flag', async () => {
  const text = 'version: 1\npermissions:\n  allow: [" Read ", Grep]\n'
  const policy = await load(makeFiles({ 'policy.yml': text }), { flags: { allow: ['Glob'], deny: [' LS '] } })
  const bare = { kind: 'bare' }
  expect(policy.rules.filter(({ list }) => list === 'allow')).toStrictEqual([
    { text: 'Read', list: 'allow', file: 'policy.yml', line: 3, tool: 'Read', target: bare, column: 11 },
    { text: 'Grep', list: 'allow', file: 'policy.yml', line: 3, tool: 'Grep', target: bare, column: 21 },
    { text: 'Glob', list: 'allow', file: '--allowedTools', line: 0, tool: 'Glob', target: bare },
  ])
  expect(policy.rules.filter(({ list }) => list === 'deny')).toMatchObject([
    { text: 'LS', file: '--disallowedTools', line: 0 },
  ])
  expect(policy.warnings).toEqual([])
})

it('the settings of Claude Code only warn of an allow that cannot work, and mean the family of a tool', async () => {
  const settings = { permissions: { allow: ['Write(src/**)', 'Bash()'], deny: ['MultiEdit(x)'] } }
  const cwd = makeFiles({ 'settings.json': JSON.stringify(settings) })
  const policy = await loadPolicy({ settings: ['settings.json'], cwd, home: '/home/user' })
  const own = policy.rules.filter(({ text }) => /^(?:Write|Bash|MultiEdit)\((?:src|\)|x\))/.test(text))
  expect(own.map(({ tool, target }) => [tool, target.kind])).toEqual([
    ['Edit', 'path'],
    ['Edit', 'path'],
    ['Bash', 'nothing'],
  ])
  const said = policy.warnings.filter(({ message }) => /^(?:Write|Bash|MultiEdit)\(/.test(message))
  expect(said.map(({ level, message }) => `${level}: ${message}`).sort()).toEqual([
    'warning: Bash(): Bash() is empty and matches nothing; it is left out (did you mean Bash?)',
    'warning: MultiEdit(x): MultiEdit takes no path of its own: Edit rules cover every tool that writes; it is read as the suggested rule (did you mean Edit(x)?)',
    'warning: Write(src/**): Write takes no path of its own: Edit rules cover every tool that writes; it is read as the suggested rule (did you mean Edit(src/**)?)',
  ])
})
