import { expect, it } from 'vitest'
import { redactBytes } from '../../../src/lib/secrets/redactBytes.ts'

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
