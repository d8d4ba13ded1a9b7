import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { GlobTool, splitPattern } from '../../src/tools/GlobTool/GlobTool.ts'
import { createToolContext, runTool, type TestContext } from '../helpers/tools/toolContext.ts'

let context: TestContext
const put = (name: string, content = '', age = 0) => {
  const path = join(context.cwd, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  utimesSync(path, 1_700_000_000 - age, 1_700_000_000 - age)
}
const glob = (pattern: string, path?: string) =>
  runTool(GlobTool, path === undefined ? { pattern } : { pattern, path }, context)
const names = async (pattern: string, path?: string) => (await glob(pattern, path)).data?.filenames

beforeEach(() => {
  context = createToolContext()
})

describe('Glob', () => {
  test('says how to find the files of a folder that the pattern names', async () => {
    put('src/deep/a.ts')
    for (const pattern of ['src', 'src/', 'src/deep'])
      expect((await glob(pattern)).text).toBe('No files found. That is a folder: add /** to find the files in it.')
    expect((await glob('deep')).text).toBe('No files found')
    expect(await names('src/deep/**')).toEqual(['src/deep/a.ts'])
    const hidden = await runTool(GlobTool, { pattern: 'src' }, { ...context, mayRead: () => false })
    expect(hidden.text).toBe('No files found')
  })

  test('reads brackets as a character class, and as part of a file name', async () => {
    for (const name of ['app/[id]/page.tsx', 'app/[...all]/page.tsx', 'app/d/page.tsx', 'app/x/page.tsx']) put(name)
    expect(await names('app/[id]/page.tsx')).toEqual(['app/[id]/page.tsx', 'app/d/page.tsx'])
    expect(await names('app/[...all]/*')).toEqual(['app/[...all]/page.tsx'])
    expect(await names('app/\\[id\\]/*.tsx')).toEqual(['app/[id]/page.tsx'])
  })

  test('shows names that are not UTF-8 with escaped bytes', async () => {
    put('a.txt')
    writeFileSync(Buffer.from(join(context.cwd, 'caf\xe9.txt'), 'latin1'), '')
    expect(await names('*.txt')).toEqual(['a.txt', 'caf\\xe9.txt'])
  })

  test('finds by pattern, the newest first, then by name', async () => {
    put('src/old.ts', '', 50)
    put('src/b.ts')
    put('src/a.ts')
    put('src/deep/new.ts', '', -50)
    put('src/x.js')
    expect(await names('**/*.ts')).toEqual(['src/deep/new.ts', 'src/a.ts', 'src/b.ts', 'src/old.ts'])
    expect(await names('*.ts', 'src')).toEqual(['src/deep/new.ts', 'src/a.ts', 'src/b.ts', 'src/old.ts'])
    expect(await names('./*.ts', 'src')).toEqual(['src/a.ts', 'src/b.ts', 'src/old.ts'])
    expect(await names('*.ts')).toEqual(['src/deep/new.ts', 'src/a.ts', 'src/b.ts', 'src/old.ts'])
    expect(await names('x.js')).toEqual(['src/x.js'])
    expect(await names('src/*.{js,ts}')).toEqual(['src/a.ts', 'src/b.ts', 'src/x.js', 'src/old.ts'])
    expect(await names(join(context.cwd, 'src/deep/*'))).toEqual(['src/deep/new.ts'])
    expect(await names('src/a.ts')).toEqual(['src/a.ts'])
    expect((await glob('*.py')).text).toBe('No files found')
  })

  test('respects .gitignore at every level, and searches an ignored folder that is named', async () => {
    put('.gitignore', 'dist/\n*.log\n!keep.log\n/only-here\n')
    put('packages/.gitignore', 'local\n!*.log')
    for (const name of [
      'dist/a',
      'a.log',
      'keep.log',
      'only-here',
      'packages/only-here',
      'packages/local',
      'packages/b.log',
    ]) {
      put(name)
    }
    put('.git/config')
    expect((await glob('packages/local')).text).toBe('No files found. Left out by .gitignore: packages/local')
    expect((await glob('**/a.lo?')).text).toBe('No files found. Left out by .gitignore: a.log, dist')
    expect((await glob('packages/*.py')).text).toBe('No files found')
    expect(await names('**')).toEqual([
      '.gitignore',
      'keep.log',
      'packages/.gitignore',
      'packages/b.log',
      'packages/only-here',
    ])
    expect(await names('*', 'packages')).toEqual(['packages/.gitignore', 'packages/b.log', 'packages/only-here'])
    expect(await names('*', 'dist')).toEqual(['dist/a'])
    expect(await names('**/*.log')).toEqual(['keep.log', 'packages/b.log'])
  })

  test('never shows unreadable files or follows links', async () => {
    put('a.txt')
    put('.env')
    mkdirSync(join(context.base, 'outside'))
    writeFileSync(join(context.base, 'outside/secret'), '')
    symlinkSync('../outside', join(context.cwd, 'link'))
    symlinkSync('../outside/secret', join(context.cwd, 'file-link'))
    context = { ...context, mayRead: (path) => !path.endsWith('.env') }
    expect(await names('**')).toEqual(['a.txt'])
    for (const [pattern, path] of [
      ['*', '../outside'],
      ['../outside/*', undefined],
      ['link/*', undefined],
    ] as const) {
      expect(await glob(pattern, path)).toMatchObject({
        isError: true,
        text: expect.stringMatching(/outside the working/),
      })
    }
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
    expect(await glob('x/**/../../*')).toMatchObject({ isError: true, step: 'validate' })
    expect(await glob('a'.repeat(5000))).toMatchObject({ isError: true, step: 'validate' })
  })

  test('is judged by the folder it starts in', () => {
    const folderOf = (pattern: string, path?: string) =>
      GlobTool.subjects(path === undefined ? { pattern } : { pattern, path }, context)
    expect(folderOf('../other/**/*.ts')).toMatchObject([
      { access: 'read', path: { lexical: join(context.base, 'other') } },
    ])
    expect(folderOf('**')).toMatchObject([{ path: { lexical: context.cwd } }])
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
