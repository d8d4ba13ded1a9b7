import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { GlobTool, splitPattern } from '../../src/tools/GlobTool/GlobTool.ts'
import { createToolContext, runTool, type TestContext } from '../helpers/tools/toolContext.ts'

let context: TestContext
/** A file of that age. */
const put = (name: string, age = 0) => {
  context.put({ [name]: '' })
  utimesSync(context.at(name), 1_700_000_000 - age, 1_700_000_000 - age)
}
const glob = (pattern: string, path?: string) =>
  runTool(GlobTool, path === undefined ? { pattern } : { pattern, path }, context)
const names = async (pattern: string, path?: string) => (await glob(pattern, path)).data?.filenames

beforeEach(() => {
  context = createToolContext()
})

describe('Glob', () => {
  test('shows names that are not UTF-8 with escaped bytes', async () => {
    put('a.txt')
    writeFileSync(Buffer.from(join(context.cwd, 'caf\xe9.txt'), 'latin1'), '')
    expect(await names('*.txt')).toEqual(['a.txt', 'caf\\xe9.txt'])
  })

  test('finds by pattern, the newest first, then by name', async () => {
    put('src/old.ts', 50)
    put('src/b.ts')
    put('src/a.ts')
    put('src/deep/new.ts', -50)
    expect(await names('**/*.ts')).toEqual(['src/deep/new.ts', 'src/a.ts', 'src/b.ts', 'src/old.ts'])
    expect(await names(join(context.cwd, 'src/deep/*'))).toEqual(['src/deep/new.ts'])
  })

  test('shows a hundred of many', async () => {
    for (let index = 0; index < 120; index += 1) put(`f${index}`)
    const { text, data } = await glob('f*')
    expect(data).toMatchObject({ numFiles: 120, truncated: true })
    expect(text).toMatch(/\(120 files match; the newest 100 are shown\)$/)
  })

  test('a hostile pattern is cheap', async () => {
    put('a'.repeat(60))
    expect(await names(`${'a*'.repeat(12)}b`)).toEqual([])
    expect(await names('{1..99999}{1..99999}')).toEqual([])
    expect(await glob('a'.repeat(5000))).toMatchObject({ isError: true, step: 'validate' })
  })
})

test.each([
  ['**/*.ts', undefined, '.', '**/*.ts'],
  ['src/*.ts', undefined, 'src', '*.ts'],
  ['src/a.ts', 'lib', 'lib/src', 'a.ts'],
  ['a.ts', undefined, '.', '**/a.ts'],
  ['*.{ts,tsx}', 'lib', 'lib', '**/*.{ts,tsx}'],
  ['./a.ts', undefined, '.', 'a.ts'],
  ['/etc/*', 'lib', '/etc', '*'],
  ['/*', undefined, '/', '*'],
  ['~/x/*', 'lib', '~/x', '*'],
  ['../{a,b}/c', undefined, '..', '{a,b}/c'],
  ['./src//**/', undefined, 'src', '**'],
])('splitPattern(%j, %j)', (pattern, path, folder, rest) => {
  expect(splitPattern(pattern, path)).toEqual({ folder, rest })
})
