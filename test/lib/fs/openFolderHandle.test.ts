import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  holdFolders,
  openFolderHandle,
  removeEntry,
  setMode,
  throughFolder,
} from '../../../src/lib/fs/openFolderHandle.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

it.skipIf(process.platform !== 'linux')('a folder is the one that was meant, and stays it', () => {
  const top = makeFolder()
  mkdirSync(join(top, 'real/in'), { recursive: true })
  writeFileSync(join(top, 'real/in/a'), 'mine')
  symlinkSync('real', join(top, 'link'))
  const folder = openFolderHandle(join(top, 'real/in'))
  renameSync(join(top, 'real'), join(top, 'away'))
  expect(readFileSync(folder.entry('a'), 'utf8')).toBe('mine')
  folder.close()
  renameSync(join(top, 'away'), join(top, 'real'))
  const around = join(top, 'link/in')
  expect(() => openFolderHandle(around)).toThrow(`${around} is reached by a link that was not there before`)
  for (const path of ['link', 'real/in/a']) expect(() => openFolderHandle(join(top, path))).toThrow('ENOTDIR')
})

it.skipIf(process.platform !== 'linux')('nothing is read, removed or changed through a link', () => {
  const top = makeFolder()
  mkdirSync(join(top, 'away/in'), { recursive: true })
  writeFileSync(join(top, 'away/in/a'), 'mine', { mode: 0o600 })
  mkdirSync(join(top, 'real'))
  symlinkSync('../away/in', join(top, 'real/link'))
  const file = join(top, 'real/link/a')
  const folders = holdFolders()
  expect(throughFolder(file, existsSync)).toBeUndefined()
  expect(existsSync(folders.find(file))).toBe(false)
  expect(() => folders.entry(file)).toThrow('ENOTDIR')
  symlinkSync('../away/in/a', join(top, 'real/file'))
  expect(() => setMode(folders.entry(join(top, 'real/file')), 0o777)).toThrow()
  setMode(folders.entry(join(top, 'away/in/a')), 0o640)
  expect(lstatSync(join(top, 'away/in/a')).mode & 0o777).toBe(0o640)
  removeEntry(folders.hold(top), 'real')
  expect([existsSync(join(top, 'real')), throughFolder(join(top, 'away/in/a'), existsSync)]).toEqual([false, true])
  folders.close()
})
