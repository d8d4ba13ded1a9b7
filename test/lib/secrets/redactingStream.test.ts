import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../../src/lib/secrets/redact.ts'

const KEY = 'Zq7-Kp2_vN4xW9tR1bY6mD3'
const words = (count: number) => 'word '.repeat(count)
const open = (secrets: readonly { readonly name: string; readonly value: string }[] = [{ name: 'KEY', value: KEY }]) =>
  createRedactor({ secrets }).stream()

describe('a text in chunks', () => {
  it('gives out what no secret can extend into: all but the last word, and at least twelve characters', () => {
    const stream = open()
    expect(stream.push('a b c d e f g h')).toBe('a b')
    expect(stream.push(' i')).toBe(' c')
    expect(stream.push(' and-a-word-of-many-signs')).toBe(' d e f g h i ')
    expect(stream.push('')).toBe('')
    expect(stream.flush()).toBe('and-a-word-of-many-signs')
    expect(stream.flush()).toBe('')
  })

  it('gives out a secret that ends at the cut, and holds back the word of one that begins behind it', () => {
    expect(open().push(`${KEY} a b c d e f`)).toBe('[REDACTED:KEY]')
    expect(open().push(`a b c d e f g h before${KEY}`)).toBe('a b c d e f g h ')
  })

  it('holds back as much as the longest secret that is found only as a whole', () => {
    const value = `${'x '.repeat(20)}x`
    const stream = open([{ name: 'X', value }])
    expect(stream.push('y '.repeat(30))).toBe('y '.repeat(10).slice(0, 60 - value.length))
    expect(stream.push(value.slice(0, 30))).not.toContain('x')
    expect(stream.push(`${value.slice(30)}.`) + stream.flush()).toContain('[REDACTED:X]')
  })

  it('a secret that ends behind the cut is held back whole', () => {
    const secret = 'correct horse battery staple'
    const stream = open([{ name: 'PHRASE', value: secret }])
    expect(stream.push(`say ${secret} a b c`)).toBe('say ')
    expect(stream.push(` ${words(5)}`)).toMatch(/^\[REDACTED:PHRASE\] a b c/)
  })

  it('a word longer than 4,096 characters is given out but for its end', () => {
    const stream = open()
    expect(stream.push('y'.repeat(4_096))).toBe('')
    expect(stream.push('y'.repeat(904)).length).toBe(904)
    expect(stream.flush().length).toBe(4_096)
  })

  it('a key that has begun is held back until it ends, but not for ever', () => {
    const begun = `-----BEGIN OPENSSH PRIVATE KEY-----\n${words(100)}`
    const stream = open()
    expect(stream.push(`one two three ${begun}`)).toBe('one two three ')
    expect(stream.push(words(100))).toBe('')
    expect(stream.push(words(10_000))).toMatch(/^\[REDACTED:PRIVATE_KEY\][dorw ]+$/)
    const other = open()
    expect(other.push(`-----BEGIN CERTIFICATE-----\n${words(100)}-----END CERTIFICATE-----\n${words(9)}`)).toContain(
      '-----END CERTIFICATE-----',
    )
  })

  it('a key that ended before another began', () => {
    const stream = open()
    expect(stream.push(`-----END X-----\n-----BEGIN X-----\n${words(100)}`)).toBe('-----END X-----\n')
  })

  it('the most that is held back is twice 32 kB, and keys in a row are all found', () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'MIIEpAIBAAKCAQEA7Zb\n'.repeat(800)}`
    const stream = open()
    expect(stream.push(key)).toBe('')
    const out = stream.push(key.repeat(8)) + stream.flush()
    expect(out).not.toContain('MIIEpAIBAAKC')
    expect(out).toContain('[REDACTED:PRIVATE_KEY]')
  })
})
