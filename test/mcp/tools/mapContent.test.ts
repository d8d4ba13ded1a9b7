import { expect, test } from 'vitest'
import { mapContent } from '../../../src/mcp/tools/mapContent.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')

function map(result: Parameters<typeof mapContent>[0]) {
  const kept: (string | Uint8Array)[] = []
  const blobs = {
    put: (content: string | Uint8Array) => `/blobs/${kept.push(content)}`,
    owns: () => true,
  }
  return { content: mapContent(result, 'srv', blobs), kept }
}
const text = (value: string) => ({ type: 'text' as const, text: value })
const image = (bytes: Buffer, mimeType = 'image/png') => ({
  type: 'image' as const,
  data: bytes.toString('base64'),
  mimeType,
})

test('an empty answer says so', () => {
  expect(map({ content: [] }).content).toEqual([text('(the answer is empty)')])
  expect(map({ content: [text(' \n')] }).content).toEqual([text('(the answer is empty)')])
})

test('structured content replaces a missing text, but is not added to one', () => {
  const structuredContent = { temperature: 21 }
  expect(map({ content: [], structuredContent }).content).toEqual([text('{"temperature":21}')])
  expect(map({ content: [text('21 degrees')], structuredContent }).content).toEqual([text('21 degrees')])
})

test('text up to 25,000 tokens stays, longer text goes to a blob', () => {
  const fits = 'a'.repeat(75_000)
  expect(map({ content: [text(fits)] })).toEqual({ content: [text(fits)], kept: [] })
  const long = `begin${'a'.repeat(200_000)}end`
  const { content, kept } = map({ content: [text(long)] })
  expect(kept).toEqual([long])
  const [block] = content
  if (block?.type !== 'text') throw new Error('no text')
  expect(block.text).toMatch(/^begin[\s\S]*the whole answer: \/blobs\/1[\s\S]*end$/)
  expect(Buffer.byteLength(block.text)).toBeLessThan(76_000)
})

test('text in other scripts is cut earlier', () => {
  const [block] = map({ content: [text('語'.repeat(60_000))] }).content
  expect(Buffer.byteLength(block?.type === 'text' ? block.text : '')).toBeLessThan(76_000)
})

test('many blocks count as one text for the limit', () => {
  const { kept } = map({ content: Array.from({ length: 1_000 }, () => text('x'.repeat(1_000))) })
  expect(kept).toHaveLength(1)
})

test('the type of an image comes from its bytes, not from the sender', () => {
  const [block] = map({ content: [image(PNG, 'image/jpeg')] }).content
  expect(block).toMatchObject({ type: 'image', source: { media_type: 'image/png' } })
})

const wide = Buffer.from(PNG)
wide.writeUInt32BE(9_000, 16)

test.each<[string, Buffer]>([
  ['no image at all', Buffer.from('<html>')],
  ['nothing', Buffer.alloc(0)],
  ['cut short', PNG.subarray(0, 20)],
  ['too large', Buffer.concat([PNG, Buffer.alloc(4 * 1024 * 1024)])],
  ['too wide', wide],
])('an image that is %s is kept in a blob', (_, bytes) => {
  const { content, kept } = map({ content: [image(bytes)] })
  expect(content).toEqual([text(`[image/png, ${bytes.length} bytes: /blobs/1]`)])
  expect(bytes.equals(Buffer.from(kept[0] ?? 'nothing'))).toBe(true)
})

test('what cannot be shown is named', () => {
  const data = Buffer.from('<svg/>').toString('base64')
  const { content } = map({
    content: [
      text('half a \ud83d pair'),
      { type: 'image', data, mimeType: 'image/png' },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'file:///notes.md', name: 'notes', mimeType: 'text/markdown' },
      { type: 'resource_link', uri: 'x://y', name: 'plain' },
      { type: 'resource', resource: { uri: 'file:///a.txt', text: 'inside' } },
      { type: 'resource', resource: { uri: 'file:///a.bin', blob: 'AAEC', mimeType: 'application/x-thing' } },
      { type: 'resource', resource: { uri: 'file:///b.bin', blob: 'AAEC' } },
    ],
  })
  expect(content.map((block) => block.type === 'text' && block.text.split('\n'))).toEqual([
    [
      'half a \ufffd pair',
      '[image/png, 6 bytes: /blobs/1]',
      '[audio/wav, 3 bytes: /blobs/2]',
      '[resource notes (text/markdown): ReadMcpResource with server "srv" and uri "file:///notes.md" reads it]',
      '[resource plain: ReadMcpResource with server "srv" and uri "x://y" reads it]',
      '[resource file:///a.txt]',
      'inside',
      '[resource file:///a.bin, application/x-thing, 3 bytes: /blobs/3]',
      '[resource file:///b.bin, application/octet-stream, 3 bytes: /blobs/4]',
    ],
  ])
})

test('images have a limit, alone and together', () => {
  const small = map({ content: Array.from({ length: 12 }, () => image(PNG)) })
  expect([small.content.filter(({ type }) => type === 'image').length, small.kept.length]).toEqual([10, 2])
  const large = Buffer.concat([PNG, Buffer.alloc(3 * 1024 * 1024)])
  const { content, kept } = map({ content: Array.from({ length: 6 }, () => image(large)) })
  expect(content.filter((block) => block.type === 'image')).toHaveLength(3)
  expect(kept).toHaveLength(3)
})
