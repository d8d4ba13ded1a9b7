import { createHash } from 'node:crypto'
import fs, { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createBlobStore } from '../../../src/report/transcript/blobStore.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { recordFiles } from '../../helpers/runs/recordFiles.ts'

const newFolder = (): string => join(makeFolder(), 'blobs')
const redact = (text: string): string => text.replaceAll('secret', '[REDACTED:S]')

it('keeps a body under its hash, once, for its owner alone', () => {
  const folder = newFolder()
  const store = createBlobStore(folder, redact)
  expect(existsSync(folder)).toBe(false)
  const path = store.put('body')
  expect(store.put(Buffer.from('body'))).toBe(path)
  expect(readdirSync(folder)).toHaveLength(1)
  expect(path).toMatch(/\/[0-9a-f]{64}$/)
  expect(readFileSync(path, 'utf8')).toBe('body')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

it('redacts texts and binary data', () => {
  const store = createBlobStore(newFolder(), redact)
  expect(readFileSync(store.put('a secret ü'), 'utf8')).toBe('a [REDACTED:S] ü')
  const bytes = Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from('secret')])
  expect(readFileSync(store.put(bytes)).equals(Buffer.from('\xff\x00[REDACTED:S]', 'latin1'))).toBe(true)
})

it('finds a secret with other letters than English ones, in a text and in its bytes', () => {
  const store = createBlobStore(newFolder(), (text) => text.replaceAll('grüße', '[REDACTED:S]'))
  for (const body of ['viele grüße!', Buffer.from('viele grüße!')])
    expect(readFileSync(store.put(body), 'utf8')).toBe('viele [REDACTED:S]!')
})

it('owns its own files and nothing else', () => {
  const folder = newFolder()
  const store = createBlobStore(folder, redact)
  expect(store.owns(store.put('x'))).toBe(true)
  for (const path of [folder, `${folder}x/a`, `${folder}/../a`, `${folder}/a/b`]) expect(store.owns(path)).toBe(false)
})

it('is on the disk before it has its name, and the name before its path is told', () => {
  const folder = newFolder()
  const { calls } = recordFiles(folder)
  const { renameSync } = fs
  let before: readonly string[] = []
  const rename: typeof renameSync = (from, to) => {
    before = [...calls]
    renameSync(from, to)
  }
  Object.assign(fs, { renameSync: rename })
  syncBuiltinESMExports()
  onTestFinished(() => {
    Object.assign(fs, { renameSync })
    syncBuiltinESMExports()
  })
  const name = basename(createBlobStore(folder, redact).put('body'))
  expect(before.map((call) => call.replace(new RegExp(`${name}.[0-9a-f]{12}$`), '*'))).toEqual([
    'open *',
    'write *',
    'fsync *',
    'close *',
  ])
  expect(calls.slice(4)).toEqual(['open .', 'fsync .', 'close .'])
  expect(readdirSync(folder)).toEqual([name])
})

it('writes no body twice', () => {
  const store = createBlobStore(newFolder(), redact)
  const path = store.put('body')
  utimesSync(path, 1, 1)
  store.put('body')
  expect(statSync(path).mtimeMs).toBe(1_000)
})

it('says which body cannot be written, and why', () => {
  const file = newFolder()
  writeFileSync(file, '')
  const path = join(file, createHash('sha256').update('body').digest('hex'))
  const cause = expect.objectContaining({ syscall: expect.any(String) })
  try {
    createBlobStore(file, redact).put('body')
    expect.unreachable()
  } catch (error) {
    expect(error).toMatchObject({ reason: 'io_error', cause })
    expect((error as Error).message).toMatch(`a body of the record, ${path}, cannot be written: E`)
  }
})
