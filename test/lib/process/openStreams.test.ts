import { closeSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { openInput, openPipe } from '../../../src/lib/process/openStreams.ts'

/** Of this process: others may be making theirs. */
const OWN = new RegExp(`^kode-run-input-${process.pid}_`)
const leftovers = () => readdirSync(tmpdir()).filter((name) => OWN.test(name))

test.skipIf(process.platform !== 'linux')('many pipes at the same time do not mix (needs Linux)', async () => {
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
