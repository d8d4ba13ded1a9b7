import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { createWriter } from '../../../src/report/transcript/writer.ts'

/** A stream that keeps what it gets, or fails with a code. */
function open(code?: string) {
  const written: string[] = []
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      written.push(String(chunk))
      done(code === undefined ? null : Object.assign(new Error(code), { code }))
    },
  })
  return { stream, written, writer: createWriter(stream) }
}

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

it('takes a failure by its own code: a full disk is none of a terminal that was closed', async () => {
  const { stream, writer } = open('ENOSPC')
  Object.assign(stream, { isTTY: true })
  writer.write('a')
  await writer.drain()
  expect(writer.failure()?.message).toBe('ENOSPC')
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
