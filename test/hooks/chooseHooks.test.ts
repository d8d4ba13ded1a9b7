import { expect, test } from 'vitest'
import type { HookSettings } from '../../src/contracts/settings.ts'
import { chooseHooks, compileMatcher } from '../../src/hooks/chooseHooks.ts'
import { hookedCall } from '../helpers/tools/testHooks.ts'

test.each<[string | undefined, string, boolean]>([
  [undefined, 'Bash', true],
  ['', 'Bash', true],
  ['*', 'mcp__files__read', true],
  ['Bash', 'Bash', true],
  ['Bash', 'BashOutput', false],
  ['bash', 'Bash', false],
  ['Edit', 'MultiEdit', false],
  ['Edit|Write', 'Write', true],
  ['Edit|Write', 'NotebookEdit', false],
  ['Edit, Write', 'Write', true],
  ['mcp__files__read-file', 'mcp__files__read-file', true],
  ['mcp__.*', 'mcp__files__read', true],
  ['mcp__.*', 'Bash', false],
  ['mcp__files__.*', 'mcp__filesystem__read', false],
  ['mcp__.*__write.*', 'mcp__files__write_file', true],
  ['^Notebook', 'NotebookEdit', true],
  ['^Notebook', 'Edit', false],
  ['Edit.*', 'NotebookEdit', true],
  ['^Edit$', 'MultiEdit', false],
  ['^(Edit|Write)$', 'Write', true],
  [' ', 'Bash', true],
  [' * ', 'Bash', true],
  [' Edit ', 'Edit', true],
])('the matcher %s on %s: %s', (matcher, name, expected) => {
  expect(compileMatcher(matcher)(name)).toBe(expected)
})

test('hooks come in the order of the configuration, equal ones once', () => {
  const hook = (command: string): HookSettings => ({ type: 'command', command })
  const groups = [
    { matcher: 'Bash', hooks: [hook('b'), hook('a')] },
    { matcher: 'Write', hooks: [hook('never')] },
    { hooks: [hook('a'), hook('c')] },
  ]
  const chosen = chooseHooks(groups, { values: ['Bash'], call: hookedCall('Bash').call }, () => false)
  expect(chosen).toEqual([hook('b'), hook('a'), hook('c')])
})

test('an event without matchers runs all of its hooks, and one with names those for any of them', () => {
  const groups = [{ matcher: ' Edit ', hooks: [{ type: 'command', command: 'a', if: 'Bash(git *)' }] }] as const
  expect(chooseHooks(groups, { values: [] }, () => false)).toHaveLength(1)
  expect(chooseHooks(groups, { values: ['MultiEdit', 'Edit'] }, () => true)).toHaveLength(1)
})

test('`if` lets a hook run for calls that its rule matches or cannot be judged for', () => {
  const groups = [
    {
      hooks: [
        { type: 'command', command: 'yes', if: 'Bash(git *)' },
        { type: 'command', command: 'no', if: 'Bash(npm *)' },
        { type: 'command', command: 'unclear', if: 'Bash((' },
      ],
    },
  ] as const
  const matchesRule = (rule: string) => {
    if (rule === 'Bash((') throw new Error('no rule')
    return rule === 'Bash(git *)'
  }
  const { call } = hookedCall('Bash', { command: 'git push' })
  const chosen = chooseHooks(groups, { values: ['Bash'], call }, matchesRule)
  expect(chosen.map((hook) => hook.type === 'command' && hook.command)).toEqual(['yes', 'unclear'])
})
