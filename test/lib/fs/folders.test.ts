import fs, { existsSync, fstatSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder, syncFolder } from '../../../src/lib/fs/folders.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'
import { stubCalls } from '../../helpers/stubCalls.ts'

it('creates a folder with its parents for the owner only, and accepts an existing one', () => {
  const folder = join(makeFiles(), 'a', 'b', 'c')
  makeFolder(folder)
  makeFolder(folder)
  expect([folder, join(folder, '..')].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700])
})

it('throws if a file is in the way', () => {
  const folder = makeFiles()
  writeFileSync(join(folder, 'file'), '')
  expect(() => makeFolder(join(folder, 'file'))).toThrow('EEXIST')
  expect(() => makeFolder(join(folder, 'file', 'below'))).toThrow('ENOTDIR')
})

it('uses a folder that another process made in the meantime', () => {
  const folder = join(makeFiles(), 'a')
  const { mkdirSync } = fs
  stubCalls({ mkdirSync: (path: string) => void [mkdirSync(path), mkdirSync(path)] })
  makeFolder(folder)
  expect(existsSync(folder)).toBe(true)
})

it.runIf(existsSync('/proc/self'))(
  'throws in a place where nothing can be made, and does not try for ever (needs Linux)',
  () => {
    expect(() => makeFolder('/proc/.local/state/kode-run')).toThrow(/ENOENT|EACCES|EPERM/)
  },
)

it('closes a folder that cannot be synced', () => {
  const left: number[] = []
  const fsyncSync = (descriptor: number) => {
    left.push(descriptor)
    throw new Error('EIO')
  }
  stubCalls({ fsyncSync })
  expect(() => syncFolder(makeFiles())).toThrow('EIO')
  expect(left).toHaveLength(1)
  expect(() => fstatSync(left[0] ?? -1)).toThrow('EBADF')
})
