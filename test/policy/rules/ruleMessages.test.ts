import { describe, expect, it } from 'vitest'
import type { Behavior } from '../../../src/contracts/decision.ts'
import { parseRule } from '../../../src/policy/rules/parseRule.ts'

const LAST = 'the closing parenthesis must be the last character of the rule'
const AGAINST = 'can only deny or ask; an allow must know the whole call'
const MCP = 'an MCP tool is written `mcp__server__tool`'
const noName = (text: string) => `${JSON.stringify(text)} is not a tool name`

/** A rule that cannot work, what is said of it, and what is proposed instead. */
type Row = [text: string, list: Behavior, message: string, edit?: string]

describe('what is said of a rule', () => {
  it.each<Row>([
    // A text that is no rule.
    ['', 'allow', 'the rule is empty'],
    [' \t', 'allow', 'the rule is empty'],
    [`Bash(${'a'.repeat(4_091)})`, 'deny', 'the rule is longer than 4096 characters'],
    ['Bash(a\u0001b)', 'deny', 'the rule has a control character'],
    ['(x)', 'deny', noName('')],
    [`é${'x'.repeat(80)}`, 'deny', noName(`é${'x'.repeat(79)}…`)],
    [`é${'x'.repeat(79)}`, 'deny', noName(`é${'x'.repeat(79)}`)],
    // White space before the parenthesis.
    ['Bash (ls)', 'deny', noName('Bash '), 'Bash(ls)'],
    ['Bash  (ls)', 'deny', noName('Bash  '), 'Bash(ls)'],
    ['see Bash (ls)', 'deny', noName('see Bash ')],
    // A command or a path without its tool.
    ['git push', 'deny', noName('git push'), 'Bash(git push)'],
    ['node_modules/.bin/tsc -p .', 'deny', noName('node_modules/.bin/tsc -p .'), 'Bash(node_modules/.bin/tsc -p .)'],
    ['.venv/bin/python x', 'deny', noName('.venv/bin/python x'), 'Bash(.venv/bin/python x)'],
    ['a b', 'deny', noName('a b'), 'Bash(a b)'],
    ['x-1.2 b', 'deny', noName('x-1.2 b'), 'Bash(x-1.2 b)'],
    ['Git push', 'deny', noName('Git push')],
    ['é git push', 'deny', noName('é git push')],
    ['src/a.ts', 'deny', noName('src/a.ts'), 'Edit(src/a.ts)'],
    ['./src/**', 'deny', noName('./src/**'), 'Edit(./src/**)'],
    ['src/', 'deny', noName('src/'), 'Edit(src/)'],
    ['/etc/passwd', 'deny', noName('/etc/passwd')],
    ['+x/y', 'deny', noName('+x/y')],
    ['X y/z w', 'deny', noName('X y/z w')],
    ['X/y z', 'deny', noName('X/y z')],
    // Parentheses.
    ['Bash(git', 'allow', LAST, 'Bash(git)'],
    ['Bash((a', 'deny', LAST, 'Bash((a)'],
    ['Bash(a) b', 'deny', LAST],
    ['Bash(a\\)', 'deny', LAST],
    ['Bash(a\\\\\\)', 'deny', LAST],
    ['Bash(ls))', 'deny', 'it has one closing parenthesis too many', 'Bash(ls)'],
    ['Read(a), Read(b)', 'deny', 'these are two rules; write each as an entry of its own', 'Read(a) and Read(b)'],
    [
      'Bash(echo a) b)',
      'deny',
      'a `)` closes the rule before its end; write `\\)` for a literal one',
      'Bash(echo a\\) b)',
    ],
    [
      'Read(a)-Read(b)',
      'deny',
      'a `)` closes the rule before its end; write `\\)` for a literal one',
      'Read(a\\)-Read(b)',
    ],
    [
      'Read(a)x, Read(b)',
      'deny',
      'a `)` closes the rule before its end; write `\\)` for a literal one',
      'Read(a\\)x, Read(b)',
    ],
    // Names.
    ['Bash()', 'deny', 'Bash() is empty and matches nothing', 'Bash'],
    ['REPL', 'deny', 'there is no tool REPL here; the rule has no effect'],
    ['MCP__a__b', 'deny', MCP, 'mcp__a__b'],
    ['MCP__a', 'deny', MCP, 'mcp__a'],
    ['mcp_', 'deny', MCP],
    ['mcp_x', 'deny', MCP],
    ['mcp_a_mcp__b', 'deny', MCP],
    ['xmcp__a', 'deny', 'unknown tool "xmcp__a"', 'Bash(xmcp__a *)'],
    ['Bash*', 'deny', '"Bash*": tool names take no `*`, except `mcp__server__*`'],
    ['Bsh(*)', 'deny', 'unknown tool "Bsh" (did you mean "Bash"?)'],
    ['bash', 'deny', 'unknown tool "bash" (did you mean "Bash"?)'],
    ['docker(x)', 'deny', 'unknown tool "docker"', 'Bash(docker *)'],
    ['a.out-2', 'deny', 'unknown tool "a.out-2"', 'Bash(a.out-2 *)'],
    ['Npm', 'deny', 'unknown tool "Npm"'],
    // Parameters and specifiers.
    [
      'WebSearch(querry:*foo*)',
      'deny',
      'WebSearch has no parameter "querry"; it has query, allowed_domains, blocked_domains',
      'WebSearch(query:*foo*)',
    ],
    ['Sleep(seconds:9*)', 'deny', 'Sleep has no parameter "seconds"; it has duration_ms, reason'],
    ['TaskList(x:y)', 'ask', 'TaskList has no parameter "x"; it has none', 'TaskList'],
    ['Write(x)', 'allow', 'Write takes no path of its own: Edit rules cover every tool that writes', 'Edit(x)'],
    ['Grep(x)', 'deny', 'Grep takes no path of its own: Read rules cover every tool that reads', 'Read(x)'],
    ['Agent(model:opus)', 'allow', `Agent(model:…) ${AGAINST}`],
    ['Agent(subagent_type:x)', 'allow', `Agent(subagent_type:…) ${AGAINST}`],
    ['Bash(timeout:9)', 'allow', `Bash(timeout:…) ${AGAINST}`],
    ['mcp__a__b(x:y)', 'allow', `mcp__a__b(x:…) ${AGAINST}`],
    ['TodoWrite(x)', 'deny', 'TodoWrite takes no specifier', 'TodoWrite'],
    ['Sleep(a\nduration_ms:9)', 'deny', 'Sleep takes no specifier', 'Sleep'],
    // Servers.
    ['mcp__', 'deny', '"mcp__" names no server'],
    ['mcp____b', 'deny', '"mcp____b" names no server'],
    ['mcp__a__', 'deny', '"mcp__a__" names no tool'],
    ['mcp__a*__b', 'allow', 'an allow names its server in full: `mcp__server__*`'],
    ['mcp__a(x)', 'deny', 'mcp__a takes only a specifier of the form parameter:value', 'mcp__a'],
    // Patterns.
    ['Bash(git:push)', 'deny', '`:` has a meaning only before `*` at the end; write `git push`'],
    ['Bash(^git push)', 'deny', 'regular expressions are not supported; `*` stands for anything', 'Bash(git push *)'],
    ['WebFetch(x)', 'deny', 'a WebFetch rule names a host: `WebFetch(domain:example.com)`'],
    ['Read(!x)', 'deny', 'a pattern with `!` is not supported; put the path without it under `deny`'],
  ])('%j in %s', (text, list, message, edit) => {
    const { target, problem } = parseRule(text, list)
    expect(target).toEqual({ kind: 'nothing' })
    expect(problem).toStrictEqual({ kind: expect.any(String), message, ...(edit === undefined ? {} : { edit }) })
  })

  it.each<readonly [string, Behavior, object]>([
    [`Bash(${'a'.repeat(4_090)})`, 'deny', { kind: 'command', pattern: 'a'.repeat(4_090) }],
    ['Bash(a\\\\)', 'deny', { kind: 'command', pattern: 'a\\\\' }],
    ['Bash(\\))', 'deny', { kind: 'command', pattern: ')' }],
    ['Bash((a)', 'deny', { kind: 'command', pattern: '(a' }],
    ['TodoWrite( * )', 'deny', { kind: 'bare' }],
    ['mcp__a__b(x:y)', 'deny', { kind: 'parameter', name: 'x', pattern: 'y' }],
    ['Agent(name:x)', 'deny', { kind: 'parameter', name: 'name', pattern: 'x' }],
    ['Sleep(duration_ms:a\nb)', 'deny', { kind: 'parameter', name: 'duration_ms', pattern: 'a\nb' }],
    ['Skill(model:x)', 'deny', { kind: 'name', pattern: 'model:x' }],
    ['Skill(a:*b)', 'allow', { kind: 'name', pattern: 'a:*b' }],
    ['Skill(deploy  *)', 'allow', { kind: 'name', pattern: 'deploy' }],
    ['Read((a) (b)', 'deny', { kind: 'path', access: 'read', pattern: '(a) (b' }],
    ['Agent( a )', 'allow', { kind: 'name', pattern: 'a' }],
    ['Agent(*)', 'allow', { kind: 'bare' }],
  ])('nothing of %j in %s', (text, list, target) => {
    expect(parseRule(text, list)).toStrictEqual({ tool: expect.any(String), target })
  })

  it('that a rule on one parameter of any tool of a server means all of them', () => {
    expect(parseRule('mcp__a(x:y)', 'deny').tool).toBe('mcp__a__*')
  })

  it('without the white space around it', () => {
    expect(parseRule(' git push\n', 'deny').tool).toBe('git push')
  })

  it('nothing of a tool that a library brings, with any parameter', () => {
    expect(parseRule('Deploy', 'allow', ['Deploy'])).toEqual({ tool: 'Deploy', target: { kind: 'bare' } })
    expect(parseRule('Sleep(where:prod)', 'deny', ['Sleep']).problem).toBeUndefined()
  })
})
