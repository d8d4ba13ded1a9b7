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

it('distinguishes a full disk from a closed pipe', async () => {
  const failing = (code: string) =>
    new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })) })
  const failureOf = async (code: string, more: object = {}) => {
    const writer = createWriter(Object.assign(failing(code), more))
    writer.write('x')
    await writer.drain()
    return writer.failure()?.message
  }
  expect(await failureOf('ENOSPC')).toBe('ENOSPC')
  expect(await failureOf('EIO')).toBe('EIO')
  expect(await failureOf('EIO', { isTTY: true })).toBeUndefined()
  expect(await failureOf('EPIPE')).toBeUndefined()
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
