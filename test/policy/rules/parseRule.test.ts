import { describe, expect, it } from 'vitest'
import type { Behavior } from '../../../src/contracts/decision.ts'
import { parseRule } from '../../../src/policy/rules/parseRule.ts'

describe('parseRule', () => {
  it.each([
    ['Bash', 'Bash', { kind: 'bare' }],
    ['Bash(*)', 'Bash', { kind: 'bare' }],
    ['  Read  ', 'Read', { kind: 'bare' }],
    ['Write', 'Write', { kind: 'bare' }],
    ['Bash(git diff *)', 'Bash', { kind: 'command', pattern: 'git diff *' }],
    ['Bash(echo (a) b)', 'Bash', { kind: 'command', pattern: 'echo (a) b' }],
    ['Bash(echo \\) b)', 'Bash', { kind: 'command', pattern: 'echo ) b' }],
    ['Read(src/**)', 'Read', { kind: 'path', access: 'read', pattern: 'src/**' }],
    ['Edit(/a (1).txt)', 'Edit', { kind: 'path', access: 'write', pattern: '/a (1).txt' }],
    ['FileReadTool(src/**)', 'Read', { kind: 'path', access: 'read', pattern: 'src/**' }],
    ['FileEditTool(x)', 'Edit', { kind: 'path', access: 'write', pattern: 'x' }],
    ['URLFetcher(domain:Example.COM.)', 'WebFetch', { kind: 'domain', pattern: 'example.com' }],
    ['WebFetch(domain:bücher.example)', 'WebFetch', { kind: 'domain', pattern: 'xn--bcher-kva.example' }],
    ['GrepTool', 'Grep', { kind: 'bare' }],
    ['mcp__github', 'mcp__github', { kind: 'mcp', server: 'github', tool: '*' }],
    ['mcp__github__*', 'mcp__github__*', { kind: 'mcp', server: 'github', tool: '*' }],
    ['mcp__github__get_*', 'mcp__github__get_*', { kind: 'mcp', server: 'github', tool: 'get_*' }],
    ['mcp__a__b__c', 'mcp__a__b__c', { kind: 'mcp', server: 'a', tool: 'b__c' }],
    ['Agent(reviewer)', 'Agent', { kind: 'name', pattern: 'reviewer' }],
    ['Agent(plugin:reviewer)', 'Agent', { kind: 'name', pattern: 'plugin:reviewer' }],
    ['Task(reviewer)', 'Agent', { kind: 'name', pattern: 'reviewer' }],
    ['Skill(deploy:*)', 'Skill', { kind: 'name', pattern: 'deploy' }],
    ['Skill(deploy *)', 'Skill', { kind: 'name', pattern: 'deploy' }],
  ])('%s', (text, tool, target) => {
    expect(parseRule(text, 'allow')).toEqual({ tool, target })
  })

  it.each([
    ['Agent(model:opus*)', 'Agent', { kind: 'parameter', name: 'model', pattern: 'opus*' }],
    ['Bash(run_in_background:true)', 'Bash', { kind: 'parameter', name: 'run_in_background', pattern: 'true' }],
    ['WebSearch(query:*secret*)', 'WebSearch', { kind: 'parameter', name: 'query', pattern: '*secret*' }],
    ['mcp__*', 'mcp__*', { kind: 'mcp', server: '*', tool: '*' }],
    ['mcp__*__delete_*', 'mcp__*__delete_*', { kind: 'mcp', server: '*', tool: 'delete_*' }],
    ['WebFetch(domain:0x7f.1)', 'WebFetch', { kind: 'domain', pattern: '127.0.0.1' }],
    ['WebFetch(domain:[::ffff:127.0.0.1])', 'WebFetch', { kind: 'domain', pattern: '127.0.0.1' }],
    ['WebFetch(domain:[0:0:0:0:0:0:0:1])', 'WebFetch', { kind: 'domain', pattern: '[::1]' }],
    ['WebFetch(domain:**.x.org)', 'WebFetch', { kind: 'domain', pattern: '*.x.org' }],
    ['Agent(subagent_type:general*)', 'Agent', { kind: 'name', pattern: 'general*' }],
    ['Task(subagent_type:*)', 'Agent', { kind: 'bare' }],
    ['Bash(grep a|b *)', 'Bash', { kind: 'command', pattern: 'grep a|b *' }],
    ['Bash(cut -d, -f1 *)', 'Bash', { kind: 'command', pattern: 'cut -d, -f1 *' }],
    ['Bash(go test ./...)', 'Bash', { kind: 'command', pattern: 'go test ./...' }],
    ['Bash("/opt/my tool" *)', 'Bash', { kind: 'command', pattern: '"/opt/my tool" *' }],
    ['Bash(grep "^a b" *)', 'Bash', { kind: 'command', pattern: 'grep "^a b" *' }],
    ['Bash(ls /tmp/)', 'Bash', { kind: 'command', pattern: 'ls /tmp/' }],
    ['Bash(git show HEAD@{1})', 'Bash', { kind: 'command', pattern: 'git show HEAD@{1}' }],
    ["Bash(grep 'a;' x)", 'Bash', { kind: 'command', pattern: "grep 'a;' x" }],
    ['Bash(find . -exec ls {} \\;)', 'Bash', { kind: 'command', pattern: 'find . -exec ls {} \\;' }],
    ["Bash(awk '{print $1,$2}' x)", 'Bash', { kind: 'command', pattern: "awk '{print $1,$2}' x" }],
    ['Read(app/$id.tsx)', 'Read', { kind: 'path', access: 'read', pattern: 'app/$id.tsx' }],
    ['Read((a)/(b) c)', 'Read', { kind: 'path', access: 'read', pattern: '(a)/(b) c' }],
    ['WebFetch(domain:10.*.*.*)', 'WebFetch', { kind: 'domain', pattern: '10.*.*.*' }],
    ['WebFetch(domain:*.10.com)', 'WebFetch', { kind: 'domain', pattern: '*.10.com' }],
    ['WebFetch(domain:my_host.example)', 'WebFetch', { kind: 'domain', pattern: 'my_host.example' }],
    ['Read(a\\\\b/\\[x])', 'Read', { kind: 'path', access: 'read', pattern: 'a\\\\b/\\[x]' }],
  ])('in deny: %s', (text, tool, target) => {
    expect(parseRule(text, 'deny')).toEqual({ tool, target })
  })

  it.each<[string, Behavior, string, string | undefined]>([
    // Text that is no rule, whole or in part.
    ['', 'allow', 'syntax', undefined],
    ['Bash(git', 'allow', 'syntax', 'Bash(git)'],
    ['Bash(a) b', 'deny', 'syntax', undefined],
    ['Bash(a\\)', 'deny', 'syntax', undefined],
    ['Bash (ls)', 'deny', 'syntax', 'Bash(ls)'],
    ['git push', 'deny', 'syntax', undefined],
    ['Bash(a\0b)', 'deny', 'syntax', undefined],
    [`Bash(${'a'.repeat(5000)})`, 'deny', 'syntax', undefined],
    ['Bash(ls))', 'deny', 'syntax', 'Bash(ls)'],
    ['Read(.env))', 'allow', 'syntax', 'Read(.env)'],
    ['Agent(a) )', 'deny', 'syntax', 'Agent(a)'],
    ['mcp__a__b(x:y))', 'deny', 'syntax', 'mcp__a__b(x:y)'],
    ['Read(docs/a.md), Read(secret/**)', 'deny', 'syntax', 'Read(docs/a.md) and Read(secret/**)'],
    ['Read(src/a.ts) Read(x)', 'deny', 'syntax', 'Read(src/a.ts) and Read(x)'],
    ['Bash(git push *), Bash(git reset *)', 'allow', 'syntax', 'Bash(git push *) and Bash(git reset *)'],
    ['Read(.env)|Read(y)', 'ask', 'syntax', 'Read(.env) and Read(y)'],
    ['Read(.env);mcp__a__b(x:y)', 'deny', 'syntax', 'Read(.env) and mcp__a__b(x:y)'],
    ['Bash(echo a) b)', 'deny', 'syntax', 'Bash(echo a\\) b)'],
    ['Bash(echo (a)) b)', 'deny', 'syntax', 'Bash(echo (a)\\) b)'],
    // Patterns of commands: one simple command, with a star where words may follow.
    ['Bash()', 'deny', 'form', 'Bash'],
    ['Bash( )', 'deny', 'form', 'Bash'],
    ['Bash(:*)', 'deny', 'form', undefined],
    ['Bash(git:* --force)', 'deny', 'form', undefined],
    ['Bash(command:rm)', 'deny', 'form', undefined],
    ['Bash(a; b)', 'deny', 'form', undefined],
    ['Bash(ls -l| wc)', 'deny', 'form', undefined],
    ['Bash(git:push)', 'deny', 'form', undefined],
    ['Bash(if true)', 'deny', 'form', undefined],
    ['Bash(! grep x)', 'deny', 'form', undefined],
    ['Bash(rm $(x))', 'deny', 'form', undefined],
    ['Bash(rm `x`)', 'deny', 'form', undefined],
    ['Bash(rm {a,b})', 'deny', 'form', undefined],
    ['Bash(rm {1..3})', 'deny', 'form', undefined],
    ['Bash(rm #x)', 'deny', 'form', undefined],
    // Words of habit: quotes, regular expressions, prompts and lists around a command.
    ['Bash("git push *")', 'deny', 'form', 'Bash(git push *)'],
    ["Bash('git push *')", 'ask', 'form', 'Bash(git push *)'],
    ['Bash("git push":*)', 'deny', 'form', 'Bash(git push:*)'],
    ['Bash("npm test")', 'allow', 'form', 'Bash(npm test)'],
    ['Bash(`git push`)', 'deny', 'form', undefined],
    ['Bash(/git push.*/)', 'deny', 'form', 'Bash(git push *)'],
    ['Bash(^git push)', 'deny', 'form', 'Bash(git push *)'],
    ['Bash(^git push.*$)', 'deny', 'form', 'Bash(git push *)'],
    ['Bash(git push|git reset)', 'deny', 'form', 'Bash(git push) and Bash(git reset)'],
    ['Bash(git push*|git reset*)', 'deny', 'form', 'Bash(git push*) and Bash(git reset*)'],
    ['Bash(curl|wget)', 'deny', 'form', 'Bash(curl) and Bash(wget)'],
    ['Bash(curl *,wget *)', 'deny', 'form', 'Bash(curl *) and Bash(wget *)'],
    ['Bash(curl *, wget *)', 'deny', 'form', 'Bash(curl *) and Bash(wget *)'],
    ['Bash(curl,wget)', 'deny', 'form', 'Bash(curl) and Bash(wget)'],
    ['Bash(git push *,)', 'deny', 'form', 'Bash(git push *)'],
    ['Bash($ git push *)', 'deny', 'form', 'Bash(git push *)'],
    ['Bash(- git push *)', 'deny', 'form', 'Bash(git push *)'],
    ['Bash(git push …)', 'deny', 'form', 'Bash(git push *)'],
    ['Bash(git push ...)', 'deny', 'form', 'Bash(git push *)'],
    // Names that no tool has, or that take no pattern here.
    ['Bsh(*)', 'deny', 'unknown', undefined],
    ['Bash*', 'deny', 'form', undefined],
    ['*', 'deny', 'form', undefined],
    ['REPL', 'deny', 'absent', undefined],
    ['Agent(model:opus)', 'allow', 'form', undefined],
    ['TodoWrite(x)', 'deny', 'form', 'TodoWrite'],
    ['mcp__*', 'allow', 'form', undefined],
    ['mcp__', 'deny', 'form', undefined],
    ['mcp__a__', 'deny', 'form', undefined],
    ['mcp__a(x)', 'deny', 'form', 'mcp__a'],
    ['MCP__a__b', 'deny', 'unknown', 'mcp__a__b'],
    ['mcp_a_b', 'deny', 'unknown', undefined],
    ['WebSearch(querry:*foo*)', 'deny', 'form', 'WebSearch(query:*foo*)'],
    ['Sleep(seconds:9*)', 'deny', 'form', undefined],
    ['TaskList(x:y)', 'ask', 'form', 'TaskList'],
    // A family of tools shares the rules of one: Edit for what writes, Read for what reads.
    ['Write(src/**)', 'allow', 'family', 'Edit(src/**)'],
    ['MultiEdit(x)', 'deny', 'family', 'Edit(x)'],
    ['NotebookEdit(x)', 'ask', 'family', 'Edit(x)'],
    ['Grep(x)', 'deny', 'family', 'Read(x)'],
    ['LS(x)', 'deny', 'family', 'Read(x)'],
    // Paths: no negation, no variable, no quotes, and no `..` behind a wildcard.
    ['Read(!x)', 'deny', 'form', undefined],
    ['Read(~root/x)', 'deny', 'form', undefined],
    ['Read(a/*/../b)', 'deny', 'form', undefined],
    ['Read({1..100000})', 'deny', 'form', undefined],
    ['Read(file_path:/x)', 'deny', 'form', undefined],
    ['Read("src/x")', 'deny', 'form', undefined],
    ["Edit('src/**')", 'deny', 'form', undefined],
    ['Read($HOME/.ssh)', 'deny', 'form', undefined],
    ['Read(${HOME}/.ssh)', 'deny', 'form', undefined],
    ['Read(src\\secret)', 'deny', 'form', undefined],
    ['Read(${{ github.workspace }}/secret/**)', 'deny', 'form', undefined],
    ['Read(/home/$USER/x)', 'deny', 'form', undefined],
    ['Read(a/${X}/b)', 'deny', 'form', undefined],
    ['Read(/a/%TEMP%/x)', 'deny', 'form', undefined],
    ['Read($(pwd)/x)', 'deny', 'form', undefined],
    ['Read({a,$HOME}/x)', 'deny', 'form', undefined],
    ['Read({a,~root}/x)', 'deny', 'form', undefined],
    ['Read({x,a*/..}/b)', 'deny', 'form', undefined],
    ['Read({,})', 'deny', 'form', undefined],
    // Hosts: one name, without scheme, port or path; wildcards stand for whole labels.
    ['WebFetch(https://a.org/x)', 'deny', 'form', 'WebFetch(domain:a.org)'],
    ['WebFetch(domain:a.org/x)', 'deny', 'form', 'WebFetch(domain:a.org)'],
    ['WebFetch(domain:a.org:80)', 'deny', 'form', 'WebFetch(domain:a.org)'],
    ['WebFetch(domain:u@a.org)', 'deny', 'form', undefined],
    ['WebFetch(domain:)', 'deny', 'form', undefined],
    ['WebFetch(domain:a..b)', 'deny', 'form', undefined],
    ['WebFetch(domain:x.**.org)', 'deny', 'form', undefined],
    ['WebFetch(domain:x.org%2fy)', 'deny', 'form', undefined],
    ['WebFetch(domain:a.com,b.com)', 'deny', 'form', 'WebFetch(domain:a.com) and WebFetch(domain:b.com)'],
    ['WebFetch(domain:a.com | *.b.com)', 'ask', 'form', 'WebFetch(domain:a.com) and WebFetch(domain:*.b.com)'],
    ['WebFetch(domain:{c,d}.com)', 'deny', 'form', 'WebFetch(domain:c.com) and WebFetch(domain:d.com)'],
    ['WebFetch(domain:{*.c,d}.com)', 'deny', 'form', 'WebFetch(domain:*.c.com) and WebFetch(domain:d.com)'],
    ["WebFetch(domain:a'b.com)", 'deny', 'form', undefined],
    ['WebFetch(domain:10.*)', 'deny', 'form', 'WebFetch(domain:10.*.*.*)'],
    ['WebFetch(domain:192.168.*)', 'deny', 'form', 'WebFetch(domain:192.168.*.*)'],
    ['WebFetch(domain:[fd00:*])', 'deny', 'form', undefined],
  ])('%s in %s is a %s problem', (text, list, kind, edit) => {
    const { target, problem } = parseRule(text, list)
    expect(target).toEqual({ kind: 'nothing' })
    expect(problem?.kind).toBe(kind)
    if (edit !== undefined) expect(problem?.edit).toBe(edit)
  })

  it('suggests the closest tool', () => {
    expect(parseRule('Bsh(ls)', 'deny').problem?.message).toBe('unknown tool "Bsh" (did you mean "Bash"?)')
  })

  it('knows the tools of a library user', () => {
    expect(parseRule('Deploy', 'deny').problem?.kind).toBe('unknown')
    expect(parseRule('Deploy', 'deny', ['Deploy'])).toEqual({ tool: 'Deploy', target: { kind: 'bare' } })
  })
})
