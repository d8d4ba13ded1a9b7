import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { FileAccess } from '../../src/contracts/files.ts'
import { type NewFile, writeStaged } from '../../src/files/writeStaged.ts'
import { createToolContext } from '../helpers/tools/toolContext.ts'

const file = (path: string, text: string | undefined, mode = '100644'): NewFile => ({
  ...{ path, mode },
  content: text === undefined ? undefined : Buffer.from(text),
})
function open() {
  const { cwd, files, at, put } = createToolContext()
  put({ 'sub/': '', kept: 'old', gone: 'was here', run: 'old' })
  chmodSync(at('run'), 0o755)
  const state = () =>
    readdirSync(cwd)
      .filter((name) => name !== 'sub')
      .map((name) => `${name} ${readFileSync(at(name), 'utf8')} ${(statSync(at(name)).mode & 0o100) > 0}`)
  return { cwd, files, at, state }
}
const BEFORE = ['gone was here false', 'kept old false', 'run old true']

it('writes, changes, removes, and sets who may run a file', async () => {
  const { cwd, files, at, state } = open()
  const staged = [file('kept', 'new', '100755'), file('gone', undefined), file('run', 'new'), file('sub/fresh', 'x')]
  await writeStaged(cwd, staged, files)
  expect(state()).toEqual(['kept new true', 'run new false'])
  expect(readFileSync(at('sub/fresh'), 'utf8')).toBe('x')
})

it('restores all of them, and who may run them, if one fails', async () => {
  const { cwd, files, state } = open()
  const staged = [
    ...[file('kept', 'new', '100755'), file('run', undefined), file('gone', undefined), file('fresh', 'x')],
    file('sub', 'a folder is in the way'),
  ]
  await expect(writeStaged(cwd, staged, files)).rejects.toThrow('is a folder')
  expect(state()).toEqual(BEFORE)
})

it('undoes the last one first, so that a file that was written twice is as before', async () => {
  const { cwd, files, state } = open()
  const staged = [file('kept', 'one'), file('kept', 'two'), file('sub', undefined)]
  await expect(writeStaged(cwd, staged, files)).rejects.toThrow('is a folder')
  expect(state()).toEqual(BEFORE)
})

it('restores what it can, and says what failed first', async () => {
  const { cwd, files, state } = open()
  const stubborn: FileAccess = {
    ...files,
    write: async (path, content, options) => {
      if (path.endsWith('run') && Buffer.from(content).toString() === 'old') throw new Error('the second failure')
      return files.write(path, content, options)
    },
  }
  const staged = [file('kept', 'new'), file('run', 'new', '100755'), file('sub', 'x')]
  await expect(writeStaged(cwd, staged, stubborn)).rejects.toThrow('is a folder')
  expect(state()).toEqual(['gone was here false', 'kept old false', 'run new true'])
})

it('reads no more of an old file than it can restore', async () => {
  const { cwd, files, at } = open()
  const asked: unknown[] = []
  const access: FileAccess = {
    ...files,
    read: (path, options) => {
      asked.push(options)
      return files.read(path, options)
    },
  }
  await writeStaged(cwd, [file('kept', 'new'), file('fresh', 'x')], access)
  expect(asked).toEqual([{ maxBytes: 512 * 1024 * 1024 }])
  expect(existsSync(at('fresh'))).toBe(true)
})

it('changes no file that is too large to be restored', async () => {
  const { cwd, files, at, state } = open()
  const cut: FileAccess = { ...files, read: (path) => files.read(path, { maxBytes: 2 }) }
  await expect(writeStaged(cwd, [file('kept', 'new')], cut)).rejects.toMatchObject({
    ...{ code: 'too_large', message: `${at('kept')} is too large to be restored` },
  })
  expect(state()).toEqual(BEFORE)
})
