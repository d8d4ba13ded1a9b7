import fc from 'fast-check'
import { Minimatch } from 'minimatch'
import { describe, expect, it } from 'vitest'
import { mayMeet } from '../../../src/policy/matchers/mayMeet.ts'
import { parsePathPatterns } from '../../../src/policy/matchers/parsePathPattern.ts'
import { isPathDenied } from '../../../src/policy/matchers/path.ts'

const ANCHORS = { cwd: '/w', home: '/h' }
const meets = (pattern: string, glob: string) =>
  parsePathPatterns(pattern, 'deny', ANCHORS).some((each) => mayMeet(each, glob))

describe('mayMeet', () => {
  it.each([
    ['.env*', '/w/*', false],
    ['.env*', '/w/.*', true],
    ['.env*', '/w/?env', false],
    ['.env*', '/w/**', true],
    ['.env*', '**', true],
    ['.env*', '/w/sub/.[ef]nv', true],
    ['/src/**', '/w/s*', true],
    ['/src/**', '/w/t*', false],
    ['/src/*.ts', '/w/src/*.js', false],
    ['/src/{a,b}/x', '/w/src/?/x', true],
    ['/src/{a,b}/x', '/w/src/c*/x', false],
    ['/a/b/c', '/w/a/*', false],
    ['/a/b', '/w/a/*/c/d', true],
    ['/conf/prod/**', '/w/./c*/prod/key', true],
    ['/conf/prod/**', '/w/conf//p*/key', true],
    ['/conf/prod/**', '/w/conf/./p*/key', true],
    ['/conf/prod/**', '/w/src/./p*', false],
    ['/conf/prod/**', '/w/s*/../conf/prod/key', true],
    ['/docs/**', '/w/./d*', true],
    ['/docs/**', '/w/src/.?/docs/a', true],
    ['/docs/**', '/w/src/.*', false],
    ['/docs/**', '/w/src/.e?/docs/a', false],
    ['/caf\u00e9/**', '/w/CAFE\u0301/*', true],
  ])('%s and %s: %s', (pattern, glob, expected) => {
    expect(meets(pattern, glob)).toBe(expected)
  })

  it('takes a word of thousands of wildcards for anything, at once', () => {
    expect(meets('/zzz', `/w/${'*a'.repeat(5000)}`)).toBe(true)
  })

  it('is true wherever one path fits both', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '.', 'A'), minLength: 1, maxLength: 2 })
    const names = fc.array(
      name.filter((text) => text !== '.' && text !== '..'),
      { minLength: 1, maxLength: 2 },
    )
    const part = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '*', '?', '[ab]'), minLength: 1, maxLength: 2 })
    const parts = fc.array(fc.oneof(part, fc.constant('**')), { minLength: 1, maxLength: 2 })
    let found = 0
    fc.assert(
      fc.property(names, parts, parts, (path, word, pattern) => {
        if ([...word, ...pattern].some((text) => /^\.+$/.test(text)) || word.includes('**')) return
        const glob = `/w/${word.join('/')}`
        const file = `/w/${path.join('/')}`
        const isFile = new Minimatch(glob, { nonegate: true, nocomment: true, noext: true }).match(file)
        const parsed = parsePathPatterns(`/${pattern.join('/')}`, 'deny', ANCHORS)
        if (!isFile || !parsed.some((each) => isPathDenied(each, file))) return
        found += 1
        expect([file, glob, pattern, parsed.some((each) => mayMeet(each, glob))]).toEqual([file, glob, pattern, true])
      }),
      { numRuns: 8_000 },
    )
    expect(found).toBeGreaterThan(80)
  })
})
