import { describe, expect, it } from 'vitest'
import { isHostAllowed, mayBeInternal, parseHostRule } from '../../../src/sandbox/network/parseHostRule.ts'
import { rules } from './rules.ts'

describe('host rules', () => {
  it.each([
    ['example.com', 'example.com', 443, true],
    ['example.com', 'EXAMPLE.com.', 80, true],
    ['example.com', 'www.example.com', 443, false],
    ['example.com', 'badexample.com', 443, false],
    ['example.com', 'example.com', 22, false],
    ['example.com:22', 'example.com', 22, true],
    ['example.com:22', 'example.com', 443, false],
    ['*.example.com', 'a.b.example.com', 443, true],
    ['*.example.com', 'example.com', 443, false],
    ['*.example.com', 'badexample.com', 443, false],
    ['[::1]:80', '[::1]', 80, true],
    ['[::1]:80', '::1', 80, true],
    ['[::1]:80', '[::2]', 80, false],
    ['127.0.0.1', '127.0.0.1', 80, true],
    ['bücher.example', 'xn--bcher-kva.example', 443, true],
    [' example.com ', 'example.com', 443, true],
  ])('%s covers %s:%i: %s', (rule, host, port, expected) => {
    expect(isHostAllowed(rules(rule), host, port)).toBe(expected)
  })

  it.each(['', '*', '*.', 'https://a.b', 'a.b/c', 'a b', 'me@a.b', '*.127.0.0.1', 'a.*.b:x', 'a<b', '[::g]'])(
    '%j is not a host rule',
    (text) => {
      expect(parseHostRule(text)).toBeUndefined()
    },
  )

  it.each([
    ['localhost', 'localhost', true],
    ['127.0.0.1:1', '127.0.0.1', true],
    ['127.0.0.1', '127.0.0.1', true],
    ['[::1]', '[::1]', true],
    ['[::1]', '::1', true],
    ['npm.corp.internal:443', 'npm.corp.internal', true],
    ['npm.corp.internal', 'npm.corp.internal', false],
    ['*.corp.internal:443', 'npm.corp.internal', false],
    ['*.corp.internal:443', 'corp.internal', false],
    ['npm.corp.internal:443', 'localhost', false],
  ])('%s lets %s be internal: %s', (rule, host, expected) => {
    expect(mayBeInternal(rules(rule), host)).toBe(expected)
  })

  it('one of several rules is enough', () => {
    const several = rules('a.example', 'localhost', 'b.example')
    expect([isHostAllowed(several, 'b.example', 443), mayBeInternal(several, 'localhost')]).toEqual([true, true])
  })
})
