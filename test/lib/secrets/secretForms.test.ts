import { describe, expect, it } from 'vitest'
import { encodedForms, secretParts } from '../../../src/lib/secrets/secretForms.ts'

/** A value of so many characters. */
const long = (length: number) => 'aB3$dE5gH7jK9mN1pQ2r'.slice(0, length)

/** The value as a whole, and the parts that are searched in pieces too, if they are long enough. */
const withParts = (value: string, ...parts: readonly string[]) => [[value, ...parts], parts] as const
const alone = (value: string) => [[value], [value]] as const
/** A password is looked for as it is written in the address and decoded. */
const twice = (text: string) => [text, text]
const IN_FILE = [long(12), long(13), long(14)]

describe('secretParts', () => {
  it.each<[string, string, readonly [whole: readonly string[], pieces: readonly string[]]]>([
    ['seven characters are too common', long(7), [[], []]],
    ['eight only as a whole', long(8), [[long(8)], []]],
    ['eleven only as a whole', long(11), [[long(11)], []]],
    ['twelve also in pieces', long(12), alone(long(12))],
    ['without the blanks around it', ` ${long(12)}\n`, alone(long(12))],
    ['blanks do not make it longer', ` ${long(7)} `, [[], []]],
    ['a number', '123456789012', alone('123456789012')],
    ['a text in quotes', `"${long(10)}"`, alone(`"${long(10)}"`)],
  ])('%s', (_, value, [whole, pieces]) => expect(secretParts(value)).toEqual({ whole, pieces }))

  it.each<[string, string, readonly string[]]>([
    ['an address: its password', `ftp://me:${long(12)}@h/x`, twice(long(12))],
    ['a password that is very short', `ftp://me:${long(7)}@h/x`, []],
    ['the name where there is no password', `ftp://${long(12)}@h`, [long(12)]],
    ['not the name where there is one', `FTP://${long(12)}:abc@h`, []],
    ['the values of a query', `https://h/path-of-an-address?a=${long(12)}&b=c`, [long(12)]],
    ['a percent sign alone', 'ftp://me:100%-sure-of-it@h', twice('100%-sure-of-it')],
    ['a document: its long strings', `{"a":{"b":["${long(12)}",7,null,true,"short"]}}`, [long(12)]],
    ['a list', `["${long(12)}"]`, [long(12)]],
    ['no key of a document', `{"a-key-of-many-characters":7}`, []],
    ['more lines: the long words', `some words\nkey: ${long(12)}`, [long(12)]],
    ['no words of eleven in more lines', `some words\n${long(11)}`, []],
    ['no address and no name of a field', 'https://example.com/a\na-name-of-a-field:\nb', []],
    ['words up to quotes, commas and semicolons', `x\n"${IN_FILE[0]}",'${IN_FILE[1]}';\`${IN_FILE[2]}\``, IN_FILE],
  ])('of more than one part: %s', (_, value, parts) => {
    const [whole, pieces] = withParts(value, ...parts)
    expect(secretParts(value)).toEqual({ whole, pieces })
  })

  it.each([`ftp://me:${long(8)}@h/x`, 'ftp://me:a%2Fb%2Fc%2Fd%2Fe%2Ff@h'])(
    'a short password only as a whole, also as it is when decoded: %s',
    (value) => {
      const password = /me:(.*)@/.exec(value)?.[1] ?? ''
      expect(secretParts(value)).toEqual({
        whole: [value, password, decodeURIComponent(password)],
        pieces: [password].filter(({ length }) => length >= 12),
      })
    },
  )

  it.each([
    `me:abc://${long(9)}`,
    `me:${long(12)}@h`,
    `x ftp://me:${long(12)}@h`,
    'ftp://me:pass word@[h',
    `{${long(12)}`,
    `[${long(12)}`,
  ])('no address and no document, but one secret: %s', (value) => {
    const [whole, pieces] = alone(value)
    expect(secretParts(value)).toEqual({ whole, pieces })
  })
})

describe('encodedForms', () => {
  it('has each form once', () => {
    expect(encodedForms('a b/c?<é>&="\n')).toEqual([
      'a b/c?<é>&="\n',
      ...['YSBiL2M/PMOpPiY9Ig', 'EgYi9jPzzDqT4mPSIK', 'hIGIvYz88w6k+Jj0iC'],
      ...['YSBiL2M_PMOpPiY9Ig', 'hIGIvYz88w6k-Jj0iC'],
      ...['6120622f633f3cc3a93e263d220a', '6120622F633F3CC3A93E263D220A'],
      ...['a%20b%2Fc%3F%3C%C3%A9%3E%26%3D%22%0A', 'a+b%2Fc%3F%3C%C3%A9%3E%26%3D%22%0A'],
      'a%20b%2fc%3f%3c%c3%a9%3e%26%3d%22%0a',
      ...['a b/c?<é>&=\\"\\n', 'a b/c?<é>&=\\\\\\"\\\\n', 'a b\\/c?<é>&=\\"\\n'],
      'a b/c?\\u003cé\\u003e\\u0026\\u003d\\"\\n',
      'a b/c?&lt;é&gt;&amp;="\n',
    ])
    expect(encodedForms('a+b')).toContain('a\\u002bb')
    expect(encodedForms('plain')).toEqual(['plain', 'cGxhaW', 'BsYWlu', 'wbGFpb', '706c61696e', '706C61696E'])
  })

  it('a half of a pair of characters stops nothing', () => {
    expect(encodedForms('a\ud800b')).toContain('a%EF%BF%BDb')
  })

  it.each([0, 1, 2])('has the base64 of itself behind %i other bytes', (shift) => {
    const value = 'a secret of many words'
    const text = Buffer.from(`${'-'.repeat(shift)}${value}${'.'.repeat(3)}`).toString('base64')
    expect(encodedForms(value).some((form) => form.length > 25 && text.includes(form))).toBe(true)
  })
})
