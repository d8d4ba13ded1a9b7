import { expect, it } from 'vitest'
import { RunError } from '../../../src/contracts/errors.ts'
import { compilePatterns } from '../../../src/lib/secrets/compilePatterns.ts'

async function found(pattern: string, text: string): Promise<string[]> {
  const [find] = await compilePatterns([pattern])
  return (find?.(text) ?? []).map(({ start, end }) => text.slice(start, end))
}

it.each([
  ['INT-[0-9]{6}', 'a INT-123456 b INT-654321', ['INT-123456', 'INT-654321']],
  ['\\bkey=(?<value>\\S+)', 'key=x monkey=y', ['key=x']],
  ['\\p{L}{4,}|\\u{1F511}', '🔑 Käse ab', ['🔑', 'Käse']],
  ['x*', 'ab', []],
])('%s in %j', async (pattern, text, expected) => {
  expect(await found(pattern, text)).toEqual(expected)
})

// A regex engine that goes back would take years for each.
it.each(['(\\w+\\s?)*!$', '(a|a)*$', 'a*a*a*a*a*b', '(a+)+b', '([a-z]*)*:'])(
  '%s takes linear time',
  async (pattern) => {
    expect(await found(pattern, `${'a'.repeat(20_000)}_`)).toEqual([])
  },
)

it('has nothing to find without a pattern', async () => {
  expect(await compilePatterns([])).toEqual([])
})

const PERL = 'invalid or unsupported Perl syntax: '
const ADVICE = '; lookarounds and back references are not searched for'
it.each([
  ['a(', 'missing closing ): `a(`'],
  ['(?=x)y', `${PERL}\`(?=\`${ADVICE}`],
  ['(?<!x)y', `invalid named capture: \`(?<!x)y\`${ADVICE}`],
  ['(x)\\1', `invalid escape sequence: \`\\1\`${ADVICE}`],
])('says what is wrong with %s, and no more', async (pattern, why) => {
  await expect(compilePatterns([pattern])).rejects.toThrow(
    new RunError('config', `redact.patterns: ${pattern}: ${why}`),
  )
})

it('names every invalid pattern, each on a line', async () => {
  const compiled = compilePatterns(['(?=x)y', 'fine', 'a('])
  await expect(compiled).rejects.toThrow(/^redact\.patterns: \(\?=x\)y: .*\nredact\.patterns: a\(: .*$/)
})

it('throws for a pattern that would take forever', async () => {
  const [find] = await compilePatterns(['a.*z|a'], 100)
  expect(() => find?.('a'.repeat(1_000_000))).toThrow('too long')
})
