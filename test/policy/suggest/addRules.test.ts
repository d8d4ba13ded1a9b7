import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { addRules } from '../../../src/policy/suggest/addRules.ts'

const RULES = [
  { rule: 'Bash(git diff *)', comment: 'git diff --stat, git diff src' },
  { rule: 'Edit(./a#b)', comment: 'Write(a#b)' },
]
const ADDED = `    # git diff --stat, git diff src
    - "Bash(git diff *)"
    # Write(a#b)
    - "Edit(./a#b)"
`

describe('addRules', () => {
  it.each<[string, string, string]>([
    [
      'behind the last entry of a list, its comment kept',
      'version: 1 # one\npermissions:\n  allow:\n    # why\n    - Bash(ls) # all\n\n  # never\n  deny: [ "Bash(rm *)" ]\n',
      `version: 1 # one\npermissions:\n  allow:\n    # why\n    - Bash(ls) # all\n${ADDED}\n  # never\n  deny: [ "Bash(rm *)" ]\n`,
    ],
    [
      'with the indentation of the list, at the end of a text without a last line feed',
      'version: 1\npermissions:\n  allow:\n  - Bash(ls)',
      `version: 1\npermissions:\n  allow:\n  - Bash(ls)\n${ADDED.replaceAll('    ', '  ')}`,
    ],
    [
      'into a list on one line, which gets a line for each',
      'permissions:\n  allow: [Bash, "Edit(src/**)"]     # run what you like\n  ask: [x]\nversion: 1\n',
      `permissions:\n  allow: # run what you like\n    - Bash\n    - "Edit(src/**)"\n${ADDED}  ask: [x]\nversion: 1\n`,
    ],
    ['into an empty list', 'version: 1\npermissions:\n  allow: []\n', `version: 1\npermissions:\n  allow:\n${ADDED}`],
    [
      'where there is no list yet',
      '# head\nversion: 1\npermissions:\n  presets: [read-only] # looks\n',
      `# head\nversion: 1\npermissions:\n  presets: [read-only] # looks\n  allow:\n${ADDED}`,
    ],
    [
      'and leaves padding where it is the style of the file',
      'version: 1\npermissions:\n  presets: [ read-only ]\n',
      `version: 1\npermissions:\n  presets: [ read-only ]\n  allow:\n${ADDED}`,
    ],
    [
      'without a word of other lines, where there is no list or no permissions',
      'version: 1\nsandbox: { mode: off }\npermissions:\n  presets: [read-only]   # both\n  deny:\n      - "Read(.env)"\n\n# checks\nchecks: {commands: [ npm test ]}\n',
      `version: 1\nsandbox: { mode: off }\npermissions:\n  presets: [read-only]   # both\n  deny:\n      - "Read(.env)"\n  allow:\n${ADDED}\n# checks\nchecks: {commands: [ npm test ]}\n`,
    ],
    [
      'a section where there is none',
      'version: 1\nsandbox: {mode: off} # a\nrun: { maxTurns: 3 }',
      `version: 1\nsandbox: {mode: off} # a\nrun: { maxTurns: 3 }\npermissions:\n  allow:\n${ADDED}`,
    ],
  ])('writes %s', (_, text, expected) => {
    expect(addRules(text, RULES)).toBe(expected)
  })

  it.each([
    'version: 1\n',
    'version: 1\npermissions: { allow: [Bash], presets: [read-only] }\n',
    'version: 1\npermissions:\n  allow:\n    - Bash(ls)\n    - |-\n      Bash(a\n      b)\n  deny: []\n',
    '{version: 1}\n',
    'version: 1\n...\n',
    'version: 1\npermissions:\n',
    'version: 1\npermissions: null\nrun: {}\n',
    'version: 1\npermissions:\n  allow:\n  deny: []\n',
    'version: 1\npermissions:\n  deny:\n    - |\n      a\n\n\nrun: {}\n',
    'version: 1\r\npermissions:\r\n  allow:\r\n    - Bash(ls)\r\n',
  ])('changes nothing but the list: %j', (text) => {
    const before = parse(text)
    const allow = [...(before.permissions?.allow ?? []), ...RULES.map(({ rule }) => rule)]
    expect(parse(addRules(text, RULES))).toEqual({ ...before, permissions: { ...before.permissions, allow } })
  })

  it('writes nothing if there is nothing to add', () => {
    expect(addRules('version: 1   #\n', [])).toBe('version: 1   #\n')
  })

  it.each(['{"permissions": {"allow": []}}', '- a', 'version: [', ''])('takes no other file: %j', (text) => {
    expect(() => addRules(text, RULES)).toThrow('--apply')
  })
})
