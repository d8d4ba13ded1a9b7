import { expect, it } from 'vitest'
import { groupRefused, originOf } from '../../src/report/suggestionYaml.ts'

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

it('calls of one folder that are refused for one reason are one entry', () => {
  const why = '.git is protected'
  const hooks = ['a', 'b', 'c'].map((name) => ({ call: `Bash(git init x) changes x/.git/hooks/${name}.sample`, why }))
  const ref = { call: 'Bash(cd sub/.x; git init) changes sub/.git/refs/tags', why }
  const head = { ...ref, call: 'Bash(cd sub/.x; git init) changes sub/.git/HEAD' }
  expect(groupRefused([head, ref, { ...ref, why: 'another' }]).map(({ more }) => more)).toEqual([
    ' and 1 more like it',
    '',
  ])
  expect(groupRefused([...hooks, { call: 'Write(x)', why }])).toEqual([
    { ...hooks[0], more: ' and 2 more like it' },
    { call: 'Write(x)', why, more: '' },
  ])
})
