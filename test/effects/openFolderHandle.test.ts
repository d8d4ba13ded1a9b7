import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openFolderHandle } from '../../src/effects/openFolderHandle.ts'
import { makeFolder } from '../helpers/makeFolder.ts'

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
