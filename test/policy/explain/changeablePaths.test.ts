import { expect, it } from 'vitest'
import { changeablePaths } from '../../../src/policy/explain/briefPolicy.ts'
import type { Rule } from '../../../src/policy/Policy.ts'

function rule(text: string, list: Rule['list'], tool: string, target: Rule['target']): Rule {
  return { text, list, file: 'policy.yml', line: 1, tool, target }
}

it('lists the patterns of Edit rules once each, with allow separate', () => {
  const path = (pattern: string) => ({ kind: 'path', access: 'write', pattern }) as const
  const rules = [
    rule('Edit(src/**)', 'allow', 'Edit', path('src/**')),
    rule('Edit(src/**)', 'allow', 'Edit', path('src/**')),
    rule('Read(docs/**)', 'allow', 'Read', { kind: 'path', access: 'read', pattern: 'docs/**' }),
    rule('Edit(a)', 'deny', 'Edit', path('a')),
    rule('Edit(b)', 'ask', 'Edit', path('b')),
  ]
  expect(changeablePaths({ rules })).toEqual({ allowed: ['src/**'], denied: ['a', 'b'] })
})

it('treats a bare Edit as every file', () => {
  const rules = [rule('Edit', 'allow', 'Edit', { kind: 'bare' })]
  expect(changeablePaths({ rules }).allowed).toEqual(['every file'])
})
