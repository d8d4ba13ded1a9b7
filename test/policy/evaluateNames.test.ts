import { describe, expect, it } from 'vitest'
import type { Call } from '../../src/contracts/subject.ts'
import { evaluate } from '../../src/policy/evaluate.ts'
import { isToolRemoved } from '../../src/policy/rules/bareRules.ts'
import { callOf, mcpCall, policyOf, type RuleLists, readCall, writeCall } from '../helpers/policy/policyCalls.ts'

async function behaviors(lists: RuleLists, calls: readonly Call[]): Promise<readonly string[]> {
  const policy = await policyOf(lists)
  return calls.map((call) => evaluate(policy, call).behavior)
}

describe('MCP tools', () => {
  it('are decided by server and tool, never by similar text', async () => {
    const allow = ['mcp__git', 'mcp__files__read_*', 'mcp__a__b__c', 'mcp__x__one']
    const rows = [
      [mcpCall('git', 'push'), 'allow'],
      [mcpCall('github', 'push'), 'ask'],
      [mcpCall('Git', 'push'), 'ask'],
      [mcpCall('files', 'read_file'), 'allow'],
      [mcpCall('files', 'write_read_file'), 'ask'],
      [mcpCall('files', 'READ_file'), 'ask'],
      [mcpCall('a', 'b__c'), 'allow'],
      [mcpCall('a__b', 'c'), 'ask'],
      [mcpCall('git__x', 'push'), 'ask'],
      [mcpCall('x', 'one'), 'allow'],
      [mcpCall('x', 'one_more'), 'ask'],
    ] as const
    expect(
      await behaviors(
        { allow },
        rows.map(([call]) => call),
      ),
    ).toEqual(rows.map(([, behavior]) => behavior))
  })

  it('are denied regardless of case, and by the whole name', async () => {
    const lists = {
      allow: ['mcp__s', 'mcp__my.srv', 'mcp__a_'],
      deny: ['mcp__*__delete_*', 'mcp__my_srv', 'mcp__a___b'],
    }
    const calls = [
      mcpCall('s', 'delete_all'),
      mcpCall('s', 'DELETE_all'),
      mcpCall('s', 'get'),
      mcpCall('my.srv', 'get'),
      mcpCall('a_', 'b'),
    ]
    expect(await behaviors(lists, calls)).toEqual(['deny', 'deny', 'allow', 'deny', 'deny'])
  })

  it('can only be denied by a parameter', async () => {
    const call = { ...mcpCall('db', 'query'), input: { sql: 'DROP TABLE x' } }
    expect(await behaviors({ allow: ['mcp__db'], deny: ['mcp__db__query(sql:drop *)'] }, [call])).toEqual(['deny'])
    expect(await behaviors({ allow: ['mcp__db'], deny: ['mcp__db(sql:drop *)'] }, [call])).toEqual(['deny'])
  })
})

describe('agents, skills and parameters', () => {
  const agent = (specifier: string, input = {}) =>
    callOf('Agent', [{ kind: 'name', tool: 'Agent', specifier }], { input })
  it('are decided by name', async () => {
    const lists = { allow: ['Agent(review*)', 'Skill(deploy *)'], deny: ['Task(reviewer-x)', 'Agent(model:*opus*)'] }
    const calls = [
      agent('reviewer'),
      agent('Reviewer-X'),
      agent('coder'),
      agent('reviewer', { model: 'claude-opus-9' }),
      callOf('Skill', [{ kind: 'name', tool: 'Skill', specifier: 'deploy' }]),
    ]
    expect(await behaviors(lists, calls)).toEqual(['allow', 'deny', 'ask', 'deny', 'allow'])
  })
})

describe('a rule on a parameter', () => {
  it('checks every entry of a list, and the default agent if none is named', async () => {
    const lists = { allow: ['Agent', 'mcp__t'], deny: ['Agent(subagent_type:general*)', 'mcp__t__y(id:prod*)'] }
    const y = (id: unknown) => ({ ...mcpCall('t', 'y'), input: { id } })
    const general = callOf('Agent', [{ kind: 'name', tool: 'Agent', specifier: 'general-purpose' }])
    const calls = [general, y('prod-1'), y(['test', 'prod-1']), y([['Prod']]), y(['test'])]
    expect(await behaviors(lists, calls)).toEqual(['deny', 'deny', 'deny', 'deny', 'allow'])
  })

  it('tests a number as it is written, and means no call without the parameter, and no other tool', async () => {
    const lists = { allow: ['mcp__t'], deny: ['mcp__t__y(id:42)', 'mcp__t__y(name:*)'] }
    const y = (input: Record<string, unknown>, tool = 'y') => ({ ...mcpCall('t', tool), input })
    const calls = [y({ id: 42 }), y({ id: 43 }), y({ name: '' }), y({}), y({ id: 42, name: 'x' }, 'z')]
    expect(await behaviors(lists, calls)).toEqual(['deny', 'allow', 'deny', 'allow', 'allow'])
  })

  it('means the tool under any of its names', async () => {
    const call = { ...callOf('Mine', [], { input: { query: 'my secret' }, isFree: true }), aliases: ['WebSearch'] }
    expect(await behaviors({ deny: ['WebSearch(query:*secret*)'] }, [call])).toEqual(['deny'])
  })
})

describe('a rule without a specifier', () => {
  const named = (tool: string) => callOf(tool, [{ kind: 'name', tool, specifier: 'x' }])
  it.each<[string, Call, string]>([
    ['Agent', named('Agent'), 'allow'],
    ['Skill', named('Agent'), 'ask'],
    ['Read', readCall('a.txt', 'Grep'), 'allow'],
    ['Read', writeCall('a.txt'), 'ask'],
    ['Edit', readCall('a.txt'), 'allow'],
    ['Grep', readCall('a.txt', 'Grep'), 'allow'],
    ['ReadMcpResource', callOf('ReadMcpResource', [{ kind: 'mcp', server: 's', tool: 't' }]), 'allow'],
    ['Read', callOf('ReadMcpResource', [{ kind: 'mcp', server: 's', tool: 't' }]), 'ask'],
  ])('%s in allow covers %o: %s', async (rule, call, behavior) => {
    expect(await behaviors({ allow: [rule] }, [call])).toEqual([behavior])
  })

  it('is the first of its list that is named', async () => {
    const policy = await policyOf({ deny: ['Bash', 'BashTool'] })
    const { reason } = evaluate(policy, callOf('Bash', []))
    expect(reason).toMatchObject({ type: 'rule', rule: { text: 'Bash' } })
  })
})

describe('the pool', () => {
  it.each([
    [{ name: 'Mine', aliases: ['Bash'] }, 'Bash', true],
    [{ name: 'Bash', aliases: ['BashTool'] }, 'Bash', true],
    [{ name: 'Bash', aliases: [] }, 'BashTool', true],
    [{ name: 'Bash', aliases: [] }, 'Bash(rm *)', false],
    [{ name: 'Grep', aliases: [] }, 'Read', true],
    [{ name: 'Read', aliases: [] }, 'Grep', false],
    [{ name: 'Write', aliases: [] }, 'Edit', true],
    [{ name: 'Edit', aliases: [] }, 'Write', false],
    [{ name: 'mcp__s__t', aliases: [], mcpInfo: { server: 's', tool: 't' } }, 'mcp__s', true],
    [{ name: 'mcp__s__t', aliases: [], mcpInfo: { server: 's', tool: 't' } }, 'mcp__s__*', true],
    [{ name: 'mcp__s__t', aliases: [], mcpInfo: { server: 's', tool: 't' } }, 'mcp__s2', false],
    [{ name: 'mcp__s__t', aliases: [], mcpInfo: { server: 's', tool: 't' } }, 'mcp__*', true],
  ])('%o without %s: %s', async (tool, rule, isRemoved) => {
    expect(isToolRemoved(await policyOf({ deny: [rule] }), tool)).toBe(isRemoved)
    expect(isToolRemoved(await policyOf({ ask: [rule], allow: [] }), tool)).toBe(false)
  })
})
