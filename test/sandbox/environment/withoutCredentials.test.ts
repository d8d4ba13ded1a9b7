import { expect, it } from 'vitest'
import { withoutCredentials } from '../../../src/sandbox/environment/withoutCredentials.ts'

it.each([
  ['nothing', ''],
  ['a section whose name only ends like one', '[notcredential]\n\thelper = x\n'],
  ['quotes in a value', '[alias]\n\tx = "!echo \\"a\\""\n[user]\n\tname = A\n'],
  ['quotes in the last line, without its end', '[alias]\n\tx = "!echo \\"a\\""'],
  ['a backslash at the very end', '[alias]\n\tx = y\\'],
  ['a name without a value', '[http]\n\tproxy\n'],
])('keeps %s, byte for byte', (_what, config) => {
  expect(withoutCredentials(config)).toBe(config)
})

it('keeps a whole configuration without credentials, byte for byte', () => {
  const config =
    '# a comment\r\n[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote "origin"]\n\turl = https://github.com/a/b\n\turl = git@github.com:a/b\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[alias] lg = log \\\n\t--oneline'
  expect(withoutCredentials(config)).toBe(config)
})

it.each([
  ['a header', '[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic CANARY\n'],
  ['a header in capitals', '[HTTP]\n\tExtraHeader=CANARY\n'],
  ['a header on its section’s line', '[http] extraheader = CANARY\n'],
  ['a header at the start of its line', '[http]\nextraheader = CANARY\n'],
  ['a header after much white space', '[http]\n\t  extraheader = CANARY\n'],
  ['a credential section that is indented', '  [credential]\n\tusername = CANARY\n'],
  ['a header over two lines', '[http]\n\textraheader = AUTHORIZATION: \\\nbasic CANARY\n'],
  ['a header without a last line end', '[http]\n\textraheader = CANARY'],
  ['a credential section', '[credential]\n\thelper = "!echo password=CANARY"\n\tusername = CANARY\n'],
  ['one for a host', '[credential "https://a.b"]\n\thelper = CANARY\n'],
  ['one in the old spelling', '[credential.https://a.b]\n\thelper = CANARY\n'],
  ['a password in a URL', '[remote "origin"]\n\turl = https://me:CANARY@github.com/a/b\n'],
  ['a token in a URL', '[remote "origin"]\n\tpushurl = https://CANARY@github.com/a/b\n'],
  ['a rewritten URL', '[url "https://x:CANARY@github.com/"]\n\tinsteadOf = https://github.com/\n'],
  ['a proxy with a password', '[http]\n\tproxy = me:CANARY@proxy:1\n'],
])('removes %s', (_what, config) => {
  const clean = withoutCredentials(`[core]\n\tbare = false\n${config}`)
  expect(clean).not.toContain('CANARY')
  expect(clean).toMatch(/^\[core\]\n\tbare = false\n/)
})

it('keeps the rest of a URL', () => {
  const config = '[remote "origin"]\n\turl = https://me:secret@github.com/a/b\n'
  expect(withoutCredentials(config)).toBe('[remote "origin"]\n\turl = https://github.com/a/b\n')
})

it('keeps the text after credentials', () => {
  const config = '[credential]\n\thelper = x\n[user]\n\tname = A\n'
  expect(withoutCredentials(config)).toBe('[user]\n\tname = A\n')
})

it('takes linear time', () => {
  const long = ['\\', 'x', ' ', ' \n', '[', '://', 'a://b', '[a]', '"'].map((text) => text.repeat(100_000))
  for (const text of [...long, `${'a'.repeat(100_000)}://${'b'.repeat(100_000)}`, `[${' '.repeat(100_000)}`]) {
    expect(withoutCredentials(text)).toBe(text)
  }
})
