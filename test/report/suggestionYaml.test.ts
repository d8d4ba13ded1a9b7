import { expect, it } from 'vitest'
import { originOf } from '../../src/report/suggestionYaml.ts'

it('a rule names the calls that it comes from, and says how many more there are', () => {
  expect(originOf({ rule: 'Edit(src/**)', from: ['Write(src/a)', 'Write(src/b)'] })).toBe('Write(src/a), Write(src/b)')
  const from = ['a', 'b', 'c', 'd', 'e'].map((name) => `Write(src/${name})`)
  expect(originOf({ rule: 'Edit(src/**)', from })).toBe('Write(src/a), Write(src/b), Write(src/c), and 2 more')
})

it('a long command that changes many files is named once, not once for each file', () => {
  const command = `Bash(node -e '${'x'.repeat(200)}')`
  const from = Array.from({ length: 50 }, (_, index) => `${command} changes d/f${index}.js`)
  expect(originOf({ rule: 'Edit(d/**)', from })).toBe(`${command.slice(0, 99)}…`)
})
