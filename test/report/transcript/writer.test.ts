import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough, Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { createWriter } from '../../../src/report/transcript/writer.ts'

/** A stream whose writes wait until `release`. */
function slowStream(): { stream: Writable; release(): void; text(): string } {
  const waiting: (() => void)[] = []
  let isOpen = false
  let text = ''
  const stream = new Writable({
    write: (chunk, _, done) => {
      text += String(chunk)
      if (isOpen) done()
      else waiting.push(done)
    },
  })
  const release = (): void => {
    isOpen = true
    for (const done of waiting) done()
  }
  return { stream, release, text: () => text }
}

/** A stream that keeps what it gets, or fails with a code. */
function open(code?: string, more: object = {}) {
  const written: string[] = []
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      written.push(String(chunk))
      done(code === undefined ? null : Object.assign(new Error(code), { code }))
    },
  })
  return { stream, written, writer: createWriter(Object.assign(stream, more)) }
}

it('passes everything on, in order', async () => {
  const stream = new PassThrough()
  const writer = createWriter(stream)
  for (let index = 0; index < 5; index++) writer.write(`${index}\n`)
  await writer.drain()
  expect(stream.read().toString()).toBe('0\n1\n2\n3\n4\n')
})

it('drops output for a slow reader, says how much, and continues', async () => {
  const { stream, release, text } = slowStream()
  const writer = createWriter(stream, { maxWaiting: 1_000 })
  for (let index = 0; index < 100; index++) writer.write(`${'x'.repeat(99)}\n`)
  release()
  await writer.drain()
  writer.write('after\n')
  await writer.drain()
  expect(text()).toMatch(/│ … 89 lines left out.*\nafter\n$/)
})

it('waits for a slow reader if nothing may be lost', async () => {
  const { stream, release, text } = slowStream()
  const writer = createWriter(stream)
  for (let index = 0; index < 1_000; index++) writer.write('x'.repeat(1_000))
  const drained = writer.drain()
  release()
  await drained
  expect(text()).toHaveLength(1_000_000)
})

it.each<[string, object, string | undefined]>([
  ['ENOSPC', {}, 'ENOSPC'],
  ['ENOSPC', { isTTY: true }, 'ENOSPC'],
  ['EIO', {}, 'EIO'],
  ['EIO', { isTTY: true }, undefined],
  ['EPIPE', {}, undefined],
])('distinguishes a full disk from a closed pipe: %s %j', async (code, more, failure) => {
  const { writer } = open(code, more)
  writer.write('x')
  await writer.drain()
  expect(writer.failure()?.message).toBe(failure)
})

it('is open until its stream is closed, fails, or is destroyed', async () => {
  const { stream, writer } = open()
  writer.write('a')
  await writer.drain()
  expect(writer.isClosed()).toBe(false)
  stream.destroy()
  expect(writer.isClosed()).toBe(true)

  const broken = open('EPIPE')
  broken.writer.write('a')
  await broken.writer.drain()
  expect(broken.writer.isClosed()).toBe(true)
})

it('writes nothing to a stream that has ended, and does not wait for it', async () => {
  const destroyed = open()
  destroyed.stream.destroy()
  const ended = open()
  ended.stream.end()
  const broken = open('ENOSPC')
  broken.writer.write('first')
  await broken.writer.drain()
  for (const { writer, stream } of [destroyed, ended, broken]) {
    const errors: unknown[] = []
    stream.on('error', (error) => errors.push(error))
    writer.write('late')
    await writer.drain()
    // A stream tells of a write after its end in a later turn.
    await new Promise(setImmediate)
    expect(errors).toEqual([])
  }
  expect([destroyed.written, ended.written, broken.written]).toEqual([[], [], ['first']])
  expect(ended.writer.failure()).toBeUndefined()
})

it('keeps the first failure, and writes no more, also to a stream that lives on: as stdout does', async () => {
  const { stream, writer, written } = open()
  for (const code of ['EPIPE', 'ENOSPC', 'EIO']) stream.emit('error', Object.assign(new Error(code), { code }))
  expect(writer.failure()?.message).toBe('ENOSPC')
  writer.write('late')
  await writer.drain()
  expect([stream.destroyed, writer.isClosed(), written]).toEqual([false, true, []])
})

it('does not wait longer than the stream lives, and leaves no listener behind', async () => {
  const stream = new Writable({ write: () => undefined })
  const writer = createWriter(stream)
  const before = ['close', 'error'].map((name) => stream.listenerCount(name))
  writer.write('never taken')
  const drained = writer.drain()
  stream.destroy()
  await drained
  const other = open()
  for (let turn = 0; turn < 3; turn++) await other.writer.drain()
  expect(['close', 'error'].map((name) => other.stream.listenerCount(name))).toEqual(before)
})

it('survives a closed pipe', async () => {
  const script = `
    import { createWriter } from './src/report/transcript/writer.ts'
    const writer = createWriter(process.stdout)
    for (let count = 0; !writer.isClosed() && count < 2e6; count++) {
      writer.write('line\\n')
      if (count % 500 === 0) await writer.drain()
    }
    await writer.drain()
    process.stderr.write(writer.isClosed() ? 'closed' : 'open')
  `
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.once('data', () => child.stdout.destroy())
  let said = ''
  child.stderr.on('data', (data) => {
    said += String(data)
  })
  const [code] = await once(child, 'close')
  expect([code, said]).toEqual([0, 'closed'])
})
