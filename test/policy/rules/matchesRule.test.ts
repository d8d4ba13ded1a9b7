import { describe, expect, it } from 'vitest'
import type { Call, Subject } from '../../../src/contracts/subject.ts'
import { loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import { matchesRule } from '../../../src/policy/rules/matchesRule.ts'
import { bashCall, callOf, mcpCall, readCall, writeCall } from '../../helpers/policy/policyCalls.ts'

const policy = await loadPolicy({ cwd: '/', home: '/root' })

const OPAQUE: Subject = { kind: 'opaque', reason: { code: 'stated', text: 'eval' } }
/** A line of two commands, of which the second is not seen. */
const unseen = (word: string): Subject => {
  const link = { argv: [{ kind: 'literal', value: word }], cover: 'wildcard' } as const
  return { kind: 'command', text: word, chain: [link, { ...link, isUnseen: true }] }
}

describe('matchesRule', () => {
  const rows: readonly [string, Call, boolean][] = [
    ['Bash(git *)', bashCall('git push'), true],
    ['Bash(git *)', bashCall('ls', 'git push'), true],
    ['Bash(git *)', bashCall('ls'), false],
    ['Bash(git *)', readCall('/a'), false],
    ['Edit(/src/**)', writeCall('/src/a.ts'), true],
    ['Edit(/src/**)', writeCall('/test/a.ts'), false],
    ['mcp__github__*', mcpCall('github', 'get'), true],
    ['mcp__github__*', mcpCall('git', 'get'), false],
    ['Bsh(x)', bashCall('x'), false],
    // What cannot be known may be what the rule means, if its tool can be.
    ['Bash(git *)', bashCall(OPAQUE), true],
    ['Bash(git *)', bashCall('ls', OPAQUE), true],
    ['Bash(git *)', callOf('Monitor', [OPAQUE]), false],
    ['Bash(git *)', callOf('Shell', [OPAQUE], { aliases: ['Bash'] }), true],
    ['Bash(git *)', bashCall(unseen('ls')), true],
    ['Bash()', bashCall(OPAQUE), false],
  ]
  for (const [rule, asked, expected] of rows) {
    it(`${rule} on ${asked.tool} ${JSON.stringify(asked.subjects).slice(0, 60)}: ${expected}`, () => {
      expect(matchesRule(policy, rule, asked)).toBe(expected)
    })
  }
})
