import { closeSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openInput, openPipe } from '../../../src/lib/process/openStreams.ts'

const isLinux = process.platform === 'linux'
/** Of this process: others may be making theirs. */
const OWN = new RegExp(`^kode-run-input-${process.pid}_`)
const leftovers = () => readdirSync(tmpdir()).filter((name) => OWN.test(name))

test.skipIf(!isLinux)('a pipe delivers everything, and ends when its writer closes (needs Linux)', async () => {
  const pipe = await openPipe()
  writeSync(pipe?.end ?? -1, 'through the pipe')
  closeSync(pipe?.end ?? -1)
  expect(pipe && (await text(pipe.stream))).toBe('through the pipe')
})

test.skipIf(!isLinux)('many pipes at the same time do not mix (needs Linux)', async () => {
  const pipes = await Promise.all(Array.from({ length: 30 }, () => openPipe()))
  expect(new Set(pipes.map((pipe) => pipe?.end)).size).toBe(30)
  for (const pipe of pipes) {
    closeSync(pipe?.end ?? -1)
    pipe?.stream.destroy()
  }
})

test('an input is read from the start, and its file has no name', () => {
  const descriptor = openInput('hällo')
  expect(leftovers()).toEqual([])
  expect(readFileSync(descriptor, 'utf8')).toBe('hällo')
  closeSync(descriptor)
})
