import { describe, expect, it } from 'vitest'
import { isOffered, mayAllow } from '../../../src/run/start/isOffered.ts'
import { secretWarnings } from '../../../src/run/start/keyWarnings.ts'
import type { Tool } from '../../../src/Tool.ts'
import { policyOf } from '../../helpers/policy/policyCalls.ts'

const tool = (name: string, more: object = {}) => ({ name, aliases: [], isFree: false, ...more }) as unknown as Tool
const server = { mcpInfo: { server: 'git', tool: 'log' } }

describe('mayAllow', () => {
  it.each<[string, string[], string[]]>([
    ['nothing', [], ['TodoWrite']],
    ['a bare tool', ['Bash'], ['Bash', 'TodoWrite']],
    ['a command', ['Bash(ls)'], ['Bash', 'TodoWrite']],
    ['an edit, which covers reading', ['Edit(src/**)'], ['Edit', 'Write', 'Read', 'Grep', 'TodoWrite']],
    ['a read', ['Read(src/**)'], ['Read', 'Grep', 'TodoWrite']],
    ['a host', ['WebFetch(domain:example.com)'], ['WebFetch', 'TodoWrite']],
    ['an agent', ['Agent(reviewer)'], ['Agent', 'TodoWrite']],
    ['a skill', ['Skill'], ['Skill', 'TodoWrite']],
    ['a server', ['mcp__git'], ['mcp__git__log', 'TodoWrite']],
    ['another tool of a server', ['mcp__git__push'], ['TodoWrite']],
  ])('with %s', async (_, allow, expected) => {
    const policy = await policyOf({ allow })
    const names = ['Bash', 'Edit', 'Write', 'Read', 'Grep', 'WebFetch', 'Agent', 'Skill', 'mcp__git__log', 'TodoWrite']
    const offered = names.filter((name) => mayAllow(policy, tool(name, name.startsWith('mcp') ? server : {})))
    expect(offered).toEqual(expected)
  })
})

describe('a tool that no rule allows is offered', () => {
  const offered = async (more: object, name = 'Bash', of: object = {}) => {
    const base = { policy: await policyOf({}), hooks: undefined, config: { audit: false }, place: { mode: 'default' } }
    return isOffered({ ...base, ...more } as unknown as Parameters<typeof isOffered>[0], tool(name, of))
  }

  it.each<[string, object, object, boolean]>([
    ['not as such', {}, {}, false],
    ['if it is free', {}, { isFree: true }, true],
    ['in an audit', { config: { audit: true } }, {}, true],
    ['where a hook may allow it', { hooks: { has: (event: string) => event === 'PreToolUse' } }, {}, true],
    ['where a hook is asked', { hooks: { has: (event: string) => event === 'PermissionRequest' } }, {}, true],
    ['not for another hook', { hooks: { has: (event: string) => event === 'Stop' } }, {}, false],
    ['where a mode may allow it', { config: { audit: false, permissionMode: 'acceptEdits' } }, {}, true],
    ['where the mode has become one', { place: { mode: 'auto' } }, {}, true],
    ['not in another mode', { config: { audit: false, permissionMode: 'plan' }, place: { mode: 'plan' } }, {}, false],
  ])('%s', async (_, more, of, expected) => {
    expect(await offered(more, 'Bash', of)).toBe(expected)
  })
})

describe('a warning about secrets that commands can read', () => {
  const paths = ['.env', 'a\u202e', ...[1, 2, 3, 4, 5].map((index) => `s${index}`)].map((name) => `/p/${name}`)
  const warn = async (allow: string[], readableSecrets = paths, pool: Tool[] = []) =>
    secretWarnings('/p', { readableSecrets }, await policyOf({ allow }), pool)

  it('names them and what to do', async () => {
    const [warning] = await warn(['Bash(ls)'])
    expect(warning).toMatch(
      /^Commands can read \.env, a.*, s1, s2, s3 and 2 more, because no sandbox .*kode-run doctor/,
    )
    expect(warning).not.toContain('\u202e')
    expect((await warn(['Bash(ls)'], ['/p/.env']))[0]).toMatch(/^Commands can read \.env, because/)
  })

  it('is there only where a command or a server could', async () => {
    expect(await warn(['Read'])).toEqual([])
    expect(await warn(['Bash'], [])).toEqual([])
    expect(await warn([], paths, [tool('mcp__git__log', server)])).toHaveLength(1)
  })
})
