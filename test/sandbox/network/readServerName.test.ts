import { expect, it } from 'vitest'
import { readServerName } from '../../../src/sandbox/network/readServerName.ts'
import { helloFor } from './helloFor.ts'

it('reads the name that a TLS client asks for', async () => {
  expect(readServerName(await helloFor('Example.com'))).toEqual({ serverName: 'example.com' })
  expect(readServerName(await helloFor(''))).toEqual({ serverName: undefined })
})

it('waits for the whole ClientHello, and recognizes other data', async () => {
  const hello = await helloFor('example.com')
  for (let length = 0; length < hello.length; length++) {
    expect(readServerName(hello.subarray(0, length))).toBe('incomplete')
  }
  expect(readServerName(Buffer.from('SSH-2.0-OpenSSH'))).toBe('plain')
  const broken = Buffer.from(hello)
  broken.fill(0xff, 43)
  expect(['plain', 'incomplete']).toContain(readServerName(broken))
})

/** Handshake records of these parts of a message. */
function records(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat(parts.flatMap((part) => [Buffer.from([22, 3, 1, part.length >> 8, part.length & 255]), part]))
}

/** A ClientHello of a client that sends little: one cipher, no session, and these extensions. */
function helloWith(extensions?: Buffer): Buffer {
  const lengths = extensions === undefined ? [] : [Buffer.from([0, extensions.length]), extensions]
  const body = Buffer.concat([Buffer.alloc(34), Buffer.from([0, 0, 2, 0x13, 1, 1, 0]), ...lengths])
  return Buffer.concat([Buffer.from([1, 0, 0, body.length]), body])
}
const NAMED = Buffer.from([0, 0, 0, 8, 0, 6, 0, 0, 3, ...Buffer.from('A.b')])

it('reads a ClientHello that is split over two records', async () => {
  const message = (await helloFor('example.com')).subarray(5)
  const split = records(message.subarray(0, 60), message.subarray(60))
  expect(readServerName(split)).toEqual({ serverName: 'example.com' })
  const alert = Buffer.concat([records(message.subarray(0, 60)), Buffer.from([21, 3, 1, 0, 2, 1, 0])])
  expect(readServerName(Buffer.concat([alert, message.subarray(60)]))).toBe('incomplete')
  const other = records(message.subarray(60))
  other[0] = 23
  expect(readServerName(Buffer.concat([records(message.subarray(0, 60)), other]))).toBe('incomplete')
})

it.each<[string, Buffer, ReturnType<typeof readServerName>]>([
  ['a client that sends no extensions names nothing', helloWith(), { serverName: undefined }],
  ['nor does one with none in its list', helloWith(Buffer.alloc(0)), { serverName: undefined }],
  ['nor one with others', helloWith(Buffer.from([0, 23, 0, 0])), { serverName: undefined }],
  ['the name may follow others', helloWith(Buffer.from([0, 16, 0, 3, 9, 9, 9, ...NAMED])), { serverName: 'a.b' }],
  ['and others may follow it', helloWith(Buffer.from([...NAMED, 0, 23, 0, 0])), { serverName: 'a.b' }],
  ['a ServerHello is nothing that a client sends', Buffer.from([2, ...helloWith(NAMED).subarray(1)]), 'plain'],
  ['a ClientHello of nothing is none', Buffer.from([1, 0, 0, 0]), 'plain'],
  ['a part of its head is not enough', Buffer.from([1, 0, 0]), 'incomplete'],
])('%s', (_what, message, expected) => {
  expect(readServerName(records(message))).toEqual(expected)
})
