import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type FileAccess, FileError, type WriteOptions } from '../../src/contracts/files.ts'
import { applyEdits } from '../../src/files/applyEdits.ts'
import { changeTextFile, createTextFile, textChangeSchema, toTextChange } from '../../src/files/changeTextFile.ts'
import { isSameContent } from '../../src/files/readRegularFile.ts'
import { MAX_TEXT_BYTES, readTextFile, toBytes } from '../../src/files/readTextFile.ts'
import { createToolContext } from '../helpers/tools/toolContext.ts'

const edit = (oldText: string, newText: string, isAll = false) => ({ oldText, newText, isAll })
const refused = (act: () => unknown): string => {
  try {
    return `allowed: ${act()}`
  } catch (error) {
    return error instanceof FileError ? `${error.code}: ${error.message}` : `a defect: ${error}`
  }
}

describe('applyEdits', () => {
  const missing = 'old_string was not found in f. It must match exactly, including all white space.'
  const twice = 'Include more of the lines around it, or set replace_all to change all of them.'
  const stale = 'f changed on disk since it was read, and old_string does not match exactly once; Read it again'
  const numbered = ' Leave out the line numbers that Read puts before each line.'
  it.each([
    ['one edit names no number', [edit('x', 'y')], missing],
    ['of more, the one that fails is named', [edit('a', 'b'), edit('a', 'c')], `edit 2 of 2: ${missing}`],
    ['a text that is there twice', [edit('z', 'b')], `old_string was found 2 times in f. ${twice}`],
    ['all of them in a file that changed', [edit('z', 'b', true)], stale],
    ['numbers of lines of several figures', [edit('one\n   12\ta', 'b')], `${missing}${numbered}`],
    ['a number and a tab within a line are none', [edit('x 1\ta', 'b')], missing],
  ])('%s', (_, edits, message) => {
    const isStale = message === stale
    expect(refused(() => applyEdits('f', 'a z z', edits, isStale))).toBe(`changed: ${message}`)
  })

  it('knows a notebook by the end of its name', () => {
    const words = ' This is a notebook: use NotebookEdit, which changes its cells.'
    expect(refused(() => applyEdits('a.ipynb', 'a', [edit('x', 'y')], false))).toContain(words)
    expect(refused(() => applyEdits('.ipynb.txt', 'a', [edit('x', 'y')], false))).not.toContain(words)
  })

  it('each edit works on the result of the one before', () => {
    expect(applyEdits('f', 'a a', [edit('a', 'b', true), edit('b b', 'c')], false)).toBe('c')
    expect(applyEdits('f', 'a', [edit('a', 'b')], true)).toBe('b')
    expect(applyEdits('f', 'a', [], false)).toBe('a')
  })
})

function open(content: string) {
  const { cwd, files, at, put } = createToolContext()
  const path = at('a')
  put({ a: content })
  const memory = { files, readFileState: new Map() }
  const read = async () => memory.readFileState.set(path, (await files.read(path)).stamp)
  return { cwd, files, at, path, memory, read, state: () => memory.readFileState.get(path) }
}

describe('changeTextFile', () => {
  it('notes the new state: whole if the whole file is known, last of all that were read', async () => {
    const { memory, path, read, state, files } = open('one')
    await read()
    memory.readFileState.set('/other', state())
    const change = await changeTextFile(memory, path, (text) => `${text} two`)
    expect(change).toMatchObject({ filePath: path, originalFile: 'one', wasStale: false })
    expect(state()).toEqual((await files.read(path)).stamp)
    expect([...memory.readFileState.keys()]).toEqual(['/other', path])
  })

  it.each([
    ['was read in part', true, false],
    ['has changed since it was read', false, true],
  ])('a file that %s is not known as a whole', async (_, isPart, isChanged) => {
    const { memory, path, read, state } = open('one')
    await read()
    if (isPart) memory.readFileState.set(path, { ...state(), isWhole: false })
    if (isChanged) writeFileSync(path, 'two')
    const seen: boolean[] = []
    const change = await changeTextFile(memory, path, (text, isStale) => {
      seen.push(isStale)
      return `${text} three`
    })
    expect([seen, change.wasStale, state()?.isWhole]).toEqual([[isChanged], isChanged, false])
  })

  it('writes only over what it read', async () => {
    const { memory, path, read, files } = open('one')
    await read()
    const asked: (WriteOptions | undefined)[] = []
    const watched: FileAccess = {
      ...files,
      write: (to, content, options) => {
        asked.push(options)
        return files.write(to, content, options)
      },
    }
    await changeTextFile({ ...memory, files: watched }, path, () => 'two')
    expect(asked).toMatchObject([{ expect: { size: 3, isWhole: true } }])
  })

  it('asks for a Read first, and says how a file is made that is not there', async () => {
    const { memory, path, at } = open('one')
    await expect(changeTextFile(memory, path, () => 'two')).rejects.toMatchObject({
      ...{ code: 'changed', message: `${path} has not been read yet; Read it first` },
    })
    await expect(changeTextFile(memory, at('gone'), () => 'two')).rejects.toMatchObject({
      ...{ code: 'not_found', message: `${at('gone')} does not exist; Write makes a new file` },
      cause: { code: 'not_found' },
    })
    for (const error of [new FileError('protected', 'no'), Object.assign(new Error('a bug'), { code: 'not_found' })]) {
      const files: FileAccess = { ...memory.files, read: () => Promise.reject(error) }
      await expect(changeTextFile({ ...memory, files }, path, () => 'two')).rejects.toBe(error)
    }
  })
})

describe('createTextFile', () => {
  it.each([
    ['a new file', undefined, null],
    ['one that is empty', '', ''],
  ])('writes %s', async (_, before, originalFile) => {
    const { memory, path, at } = open(before ?? 'other')
    const filePath = before === undefined ? at('new') : path
    expect(await createTextFile(memory, filePath, 'x\n')).toMatchObject({ filePath, originalFile, wasStale: false })
    expect(memory.readFileState.get(filePath)).toMatchObject({ size: 2, isWhole: true })
  })

  it('never one that has content, and no folder, not even an empty one', async () => {
    const { memory, path, cwd } = open('x')
    for (const at of [path, cwd])
      await expect(createTextFile(memory, at, 'y')).rejects.toMatchObject({
        ...{ code: 'changed', message: `${at} exists already; Read it, then name the text to replace` },
      })
    const stat: FileAccess['stat'] = async () => ({ kind: 'directory', size: 0, mtimeMs: 0, isExecutable: true })
    const files: FileAccess = { ...memory.files, stat }
    await expect(createTextFile({ ...memory, files }, cwd, 'y')).rejects.toThrow('exists already')
  })
})

describe('a text file', () => {
  it('of 16 MiB is read, and a larger one is refused without being read whole', async () => {
    const asked: unknown[] = []
    const of = (size: number): FileAccess => ({
      ...createToolContext().files,
      read: async (_, options) => {
        asked.push(options)
        return { bytes: Buffer.from('abc'), size, stamp: { mtimeMs: 0, size, sha256: '', isWhole: false } }
      },
    })
    expect((await readTextFile(of(3), '/a')).text).toBe('abc')
    await expect(readTextFile(of(4), '/a')).rejects.toMatchObject({
      ...{ code: 'too_large', message: `/a has 4 bytes; files over ${MAX_TEXT_BYTES} are only for commands` },
    })
    expect(asked).toEqual([{ maxBytes: 16 * 1024 * 1024 }, { maxBytes: 16 * 1024 * 1024 }])
  })

  it('is no binary file, and holds no sign that its format has not', async () => {
    const { files, path } = open('a\0b')
    await expect(readTextFile(files, path)).rejects.toMatchObject({
      ...{ code: 'not_regular', message: `${path} is a binary file; only a command can read or change it` },
    })
    expect(refused(() => toBytes('/a', '€', { encoding: 'latin1', hasBom: false }))).toBe(
      'io: the new text has characters that /a cannot hold: it is latin1',
    )
  })

  const stamp = (sha256: string, size = 1, mtimeMs = 1) => ({ sha256, size, mtimeMs, isWhole: true })
  it.each([
    ['one hash, whatever else', stamp('a', 1, 1), stamp('a', 2, 2), true],
    ['two hashes', stamp('a'), stamp('b'), false],
    ['no hash: size and time', stamp(''), stamp('b'), true],
    ['no hash on the other side', stamp('a'), stamp(''), true],
    ['no hashes', stamp(''), stamp(''), true],
    ['another size', stamp(''), stamp('', 2), false],
    ['another time', stamp(''), stamp('', 1, 2), false],
  ])('is the same by %s', (_, a, b, expected) => {
    expect(isSameContent(a, b)).toBe(expected)
  })

  it.each([
    ['a diff', { added: 1 }, true],
    ['another object', { lines: 1 }, false],
    ['nothing', null, false],
    ['a text', 'added', false],
  ])('its change is told with %s: %s', async (_, diff, isValid) => {
    const change = await toTextChange('/a', null, 'x')
    expect(textChangeSchema.safeParse(change).success).toBe(true)
    expect(textChangeSchema.safeParse({ ...change, diff }).success).toBe(isValid)
  })
})
