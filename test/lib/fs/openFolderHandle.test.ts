import { existsSync, lstatSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  holdFolders,
  openFolderHandle,
  removeEntry,
  setMode,
  throughFolder,
} from '../../../src/lib/fs/openFolderHandle.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'

it.skipIf(process.platform !== 'linux')('a folder is the one that was meant, and stays it', () => {
  const top = makeFiles({ 'real/in/a': 'mine', link: '-> real' })
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
  const top = makeFiles({ 'away/in/a': 'mine', 'real/link': '-> ../away/in', 'real/file': '-> ../away/in/a' })
  const file = join(top, 'real/link/a')
  const folders = holdFolders()
  expect(throughFolder(file, existsSync)).toBeUndefined()
  expect(existsSync(folders.find(file))).toBe(false)
  expect(() => folders.entry(file)).toThrow('ENOTDIR')
  expect(() => setMode(folders.entry(join(top, 'real/file')), 0o777)).toThrow()
  setMode(folders.entry(join(top, 'away/in/a')), 0o640)
  expect(lstatSync(join(top, 'away/in/a')).mode & 0o777).toBe(0o640)
  removeEntry(folders.hold(top), 'real')
  expect([existsSync(join(top, 'real')), throughFolder(join(top, 'away/in/a'), existsSync)]).toEqual([false, true])
  folders.close()
})
