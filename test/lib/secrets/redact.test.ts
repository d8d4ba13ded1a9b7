import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePatterns } from '../../../src/lib/secrets/compilePatterns.ts'
import { createRedactor, hasRedactionMark, redactBytes } from '../../../src/lib/secrets/redact.ts'
import { encodedForms } from '../../../src/lib/secrets/secretForms.ts'

const KEY = 'Zq7-Kp2_vN4xW9tR1bY6mD3'
const PHRASE = 'grüße an/alle "Vögel" & Bäume=ja'
const patterns = await compilePatterns(['INT-[0-9]{6}'])
/** Made in each test, so that a fault in it is a fault of the test. */
const open = () =>
  createRedactor({
    secrets: [
      { name: 'DEPLOY_KEY', value: KEY },
      { name: 'PASS_PHRASE', value: PHRASE },
      { name: 'SHORT', value: 'hunter2!' },
      {
        name: 'DATABASE_URL',
        value: 'postgres://app:wX4%2Fpq7Lm9ZrT@db.internal.example.com:5432/production?sslmode=require',
      },
    ],
    patterns,
  })

/** Every piece of 12 characters of `secret` that is left in `text`. */
function leaks(text: string, secret: string): string[] {
  const pieces = Array.from({ length: Math.max(0, secret.length - 11) }, (_, at) => secret.slice(at, at + 12))
  return pieces.filter((piece) => text.includes(piece))
}

describe('text', () => {
  it('names what it redacted', () => {
    const redactor = open()
    expect(redactor.text(`key=${KEY};`)).toBe('key=[REDACTED:DEPLOY_KEY];')
    expect(redactor.text('say hunter2! now')).toBe('say [REDACTED:SHORT] now')
    expect(redactor.text('see INT-123456')).toBe('see [REDACTED:PATTERN]')
  })

  it('names it in letters, figures and underscores, at most 60, also where it is the whole text', async () => {
    const secrets = [{ name: `a b-ü]${'x'.repeat(80)}`, value: 'hunter2!' }]
    const own = createRedactor({ secrets, patterns: await compilePatterns(['PIN[0-9]']) })
    const mark = `[REDACTED:a_b___${'x'.repeat(54)}]`
    expect(['hunter2!', 'PIN7', 'hunter2'].map(own.text)).toEqual([mark, '[REDACTED:PATTERN]', 'hunter2'])
    expect(own.value({ pin: 'PIN7' })).toEqual({ pin: '[REDACTED:PATTERN]' })
  })

  it.each([`${'-'.repeat(12)}${KEY}`, `${KEY}${'-'.repeat(12)}`])(
    'leaves no end of %s, which is in no piece',
    (value) => {
      const own = createRedactor({ secrets: [{ name: 'K', value }] })
      expect(own.text(`<${value}>`)).toBe('<[REDACTED:K]>')
    },
  )

  it('leaves other text as it is', () => {
    const redactor = open()
    expect(redactor.contains(KEY)).toBe(true)
    for (const text of ['', 'hello', '-'.repeat(4000), 'Zq7-Kp2_vN4', 'a [REDACTED:DEPLOY_KEY] b']) {
      expect(redactor.text(text)).toBe(text)
      expect(redactor.contains(text)).toBe(false)
    }
  })

  it('takes out a piece', () => {
    const redactor = open()
    for (const piece of [KEY.slice(0, -7), KEY.slice(7), KEY.slice(5, 17)])
      expect(redactor.text(`<${piece}>`)).toBe('<[REDACTED:DEPLOY_KEY]>')
  })

  it('takes out each encoded form, base64 after any number of other bytes', () => {
    const redactor = open()
    for (const value of [KEY, PHRASE]) {
      for (const form of encodedForms(value)) expect(leaks(redactor.text(`<${form}>`), form), form).toEqual([])
      for (const before of [0, 1, 2, 3, 4, 5]) {
        const text = Buffer.from(`${'x'.repeat(before)}${value}`).toString(before % 2 === 0 ? 'base64' : 'base64url')
        const core = text.slice(Math.ceil((before * 8) / 6)).replace(/=+$/, '')
        expect(leaks(redactor.text(text), core.slice(0, -1)), text).toEqual([])
      }
    }
  })

  it('takes the password out of a URL and leaves host and path', () => {
    const redactor = open()
    const out = redactor.text('connect db.internal.example.com:5432/production with wX4%2Fpq7Lm9ZrT or wX4/pq7Lm9ZrT')
    expect(out).toBe(
      'connect db.internal.example.com:5432/production with [REDACTED:DATABASE_URL] or [REDACTED:DATABASE_URL]',
    )
  })

  it('is stable: a second pass changes nothing', () => {
    const redactor = open()
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(KEY, PHRASE, ' ', 'x', 'hunter2!', KEY.slice(3), '[', ']', 'REDACTED:')),
        (parts) => {
          const once = redactor.text(parts.join(''))
          expect(redactor.text(once)).toBe(once)
        },
      ),
    )
  })

  it('leaves no piece of a secret, wherever it stands', () => {
    const redactor = open()
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat(11), fc.nat(11), (before, after, from, cut) => {
        const piece = KEY.slice(from, KEY.length - Math.min(cut, KEY.length - from - 12))
        expect(leaks(redactor.text(before + piece + after), KEY)).toEqual([])
      }),
    )
  })
})

describe('values', () => {
  it('redacts strings, keys and numbers at any depth', () => {
    const numbers = createRedactor({
      secrets: [
        { name: 'PIN', value: '8675309123' },
        { name: 'K', value: KEY },
      ],
    })
    const out = numbers.value({ [KEY]: [{ a: `x${KEY}`, n: 8675309123, m: 7, t: true, z: null }] } as object)
    expect(out).toEqual({ '[REDACTED:K]': [{ a: 'x[REDACTED:K]', n: '[REDACTED:PIN]', m: 7, t: true, z: null }] })
  })

  it('keeps both values if two keys become equal, and a `__proto__` key as a key', () => {
    const redactor = open()
    expect(Object.values(redactor.value({ [KEY]: 1, [KEY.slice(2)]: 2 }))).toEqual([1, 2])
    expect(JSON.stringify(redactor.value(JSON.parse('{"__proto__": {"a": 1}}')))).toBe('{"__proto__":{"a":1}}')
  })

  it('drops data that is nested too deep to search', () => {
    const redactor = open()
    const nested = (depth: number, wrap: (value: unknown) => unknown): unknown => {
      let value: unknown = 'here'
      for (let at = 0; at < depth; at++) value = wrap(value)
      return JSON.stringify(redactor.value(value))
    }
    for (const wrap of [(value: unknown) => [value], (value: unknown) => ({ a: value })]) {
      expect(nested(201, wrap)).toContain('here')
      expect(nested(202, wrap)).toContain('[REDACTED: text dropped')
      expect(nested(20_000, wrap)).toContain('[REDACTED: text dropped')
    }
  })
})

describe('for the model', () => {
  it('redacts only whole, long values, in any form', () => {
    const redactor = open()
    expect(redactor.forModel(`a ${KEY} b`)).toBe('a [REDACTED:DEPLOY_KEY] b')
    expect(redactor.forModel(Buffer.from(KEY).toString('hex'))).toBe('[REDACTED:DEPLOY_KEY]')
    const own = createRedactor({
      secrets: [
        { name: 'A', value: KEY.slice(0, 16) },
        { name: 'B', value: KEY.slice(-15) },
      ],
    })
    expect(own.forModel(KEY.slice(0, 16))).toBe('[REDACTED:A]')
    expect(own.forModel(KEY.slice(-15))).toBe(KEY.slice(-15))
    for (const text of [KEY.slice(1), 'hunter2!', 'AKIAIOSFODNN7EXAMPLE', 'INT-123456'])
      expect(redactor.forModel(text)).toBe(text)
  })

  it('marks text that must not be written back', () => {
    expect([open().forModel(KEY), '[REDACTED]'].map(hasRedactionMark)).toEqual([true, false])
  })
})

it('finds the long strings of a document and the tokens of a file, but no plain words', () => {
  const account = JSON.stringify({ type: 'service_account', key: 'mF9x2Lq8Tz4Vb7Nc1', uri: 'https://a.example.com/o' })
  const kube = `apiVersion: v1\ncertificate-authority-data: Qm9i7dGhlYnVpbGRlcg\n`
  const repeated = 'x'.repeat(20)
  const values = { GCP: account, KUBE: kube, X: repeated }
  const own = createRedactor({ secrets: Object.entries(values).map(([name, value]) => ({ name, value })) })
  expect(own.text('key mF9x2Lq8Tz4Vb7Nc1, data Qm9i7dGhlYnVpbGRlcg')).toBe('key [REDACTED:GCP], data [REDACTED:KUBE]')
  for (const text of ['https://a.example.com/o', 'certificate-authority-data:']) expect(own.text(text)).toBe(text)
  expect(own.text(`<${account}>`)).not.toContain('mF9x2Lq8')
  expect(own.text(`a ${repeated} b ${'x'.repeat(15)}`)).toBe(`a [REDACTED:X] b ${'x'.repeat(15)}`)
})

it('drops a text that cannot be searched', () => {
  const redactor = open()
  expect(Reflect.apply(redactor.text, null, [null])).toBe(
    '[REDACTED: text dropped, it could not be searched for secrets]',
  )
})

describe('stream', () => {
  const parts = fc.array(
    fc.oneof(fc.constantFrom(KEY, PHRASE, ' ', '\n', 'hunter2!', KEY.slice(0, 9), KEY.slice(9)), fc.string()),
  )

  it('gives the same result as for the whole text, however it is split', () => {
    const redactor = open()
    fc.assert(
      fc.property(parts, fc.array(fc.nat(40)), (texts, cuts) => {
        const whole = texts.join('')
        const stream = redactor.stream()
        let out = ''
        let at = 0
        for (const cut of cuts) {
          out += stream.push(whole.slice(at, at + cut))
          at += cut
        }
        out += stream.push(whole.slice(at)) + stream.flush()
        expect(out).toBe(redactor.text(whole))
      }),
      { numRuns: 500 },
    )
  })
})

const redact = (text: string) => text.replaceAll('secret', 'ü')

it.each([
  ['a text', Buffer.from('ä secret'), Buffer.from('ä ü'), true, true],
  ['a text without one', Buffer.from('ä'), Buffer.from('ä'), true, false],
  ['a text with a mark of its order', Buffer.from('\ufeffsecret'), Buffer.from('\ufeffü'), true, true],
  ['other bytes', Buffer.from('\xff secret \0', 'latin1'), Buffer.from('\xff \xfc \0', 'latin1'), false, true],
  ['other bytes without one', Buffer.from('\xff', 'latin1'), Buffer.from('\xff', 'latin1'), false, false],
])('%s', (_, before, after, isText, isChanged) => {
  const result = redactBytes(before, redact)
  expect({ ...result, bytes: Buffer.from(result.bytes) }).toEqual({ bytes: after, isText, isChanged })
})
