import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createBlobStore } from '../../../src/lib/fs/blobStore.ts'

const newFolder = (): string => join(mkdtempSync(join(tmpdir(), 'blobs-')), 'blobs')
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

it('owns its own files and nothing else', () => {
  const folder = newFolder()
  const store = createBlobStore(folder, redact)
  expect(store.owns(store.put('x'))).toBe(true)
  for (const path of [folder, `${folder}x/a`, `${folder}/../a`, `${folder}/a/b`]) expect(store.owns(path)).toBe(false)
})
