import { describe, expect, it } from 'vitest'
import type { Call, Subject } from '../../../src/contracts/subject.ts'
import { resolvePath } from '../../../src/files/resolvePath.ts'
import { loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import { matchesRule } from '../../../src/policy/rules/matchesRule.ts'

const policy = await loadPolicy({ cwd: '/', home: '/root' })

function call(tool: string, ...subjects: Subject[]): Call {
  return { tool, aliases: [], input: {}, subjects, isFree: false, isReadOnly: false }
}
const path = (file: string, access: 'read' | 'write'): Subject => ({
  kind: 'path',
  access,
  path: resolvePath(file, '/', '/root'),
  source: 'tool',
})
const command = (...words: string[]): Subject => ({
  kind: 'command',
  text: words.join(' '),
  chain: [{ argv: words.map((value) => ({ kind: 'literal', value })), cover: 'wildcard' }],
})

const OPAQUE: Subject = { kind: 'opaque', reason: { code: 'stated', text: 'eval' } }
/** A line of two commands, of which the second is not seen. */
const unseen = (word: string): Subject => {
  const link = { argv: [{ kind: 'literal', value: word }], cover: 'wildcard' } as const
  return { kind: 'command', text: word, chain: [link, { ...link, isUnseen: true }] }
}

describe('matchesRule', () => {
  const rows: readonly [string, Call, boolean][] = [
    ['Bash(git *)', call('Bash', command('git', 'push')), true],
    ['Bash(git *)', call('Bash', command('ls'), command('git', 'push')), true],
    ['Bash(git *)', call('Bash', command('ls')), false],
    ['Bash(git *)', call('Bash', { kind: 'opaque', reason: { code: 'stated', text: 'eval' } }), true],
    ['Bash(git *)', call('Read', path('/a', 'read')), false],
    ['Edit(/src/**)', call('Write', path('/src/a.ts', 'write')), true],
    ['Edit(/src/**)', call('Write', path('/test/a.ts', 'write')), false],
    ['mcp__github__*', call('mcp__github__get', { kind: 'mcp', server: 'github', tool: 'get' }), true],
    ['mcp__github__*', call('mcp__git__get', { kind: 'mcp', server: 'git', tool: 'get' }), false],
    ['Bsh(x)', call('Bash', command('x')), false],
    // What cannot be known may be what the rule means, if its tool can be.
    ['Bash(git *)', call('Bash', command('ls'), OPAQUE), true],
    ['Bash(git *)', call('Monitor', OPAQUE), false],
    ['Bash(git *)', { ...call('Shell', OPAQUE), aliases: ['Bash'] }, true],
    ['Bash(git *)', call('Bash', unseen('ls')), true],
    ['Bash(git *)', call('Bash', command('ls')), false],
    ['Bash()', call('Bash', OPAQUE), false],
  ]
  for (const [rule, asked, expected] of rows) {
    it(`${rule} on ${asked.tool} ${JSON.stringify(asked.subjects).slice(0, 60)}: ${expected}`, () => {
      expect(matchesRule(policy, rule, asked)).toBe(expected)
    })
  }
})
