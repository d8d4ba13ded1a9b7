import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { LSTool } from '../../src/tools/LSTool/LSTool.ts'
import { createToolContext, runTool, type TestContext } from '../helpers/tools/toolContext.ts'

let context: TestContext
const put = (...names: readonly string[]) => {
  for (const name of names) {
    mkdirSync(dirname(join(context.cwd, name)), { recursive: true })
    writeFileSync(join(context.cwd, name), '')
  }
}
const list = (path: string, ignore?: readonly string[]) =>
  runTool(LSTool, ignore ? { path, ignore } : { path }, context)

beforeEach(() => {
  context = createToolContext()
})

describe('LS', () => {
  test('shows the project by default', async () => {
    put('a')
    expect((await list('')).text).toBe('./\n  a')
    expect((await runTool(LSTool, {}, context)).text).toBe('./\n  a')
  })

  test('shows a tree, and does not open what is ignored', async () => {
    put('.gitignore', 'a/b/c.txt', 'a/d.txt', '.git/config', 'node_modules/x/y', 'z')
    writeFileSync(join(context.cwd, '.gitignore'), 'node_modules\n')
    mkdirSync(join(context.cwd, 'empty'))
    symlinkSync('/etc', join(context.cwd, 'link'))
    execFileSync('mkfifo', [join(context.cwd, 'pipe')])
    expect((await list('.')).text.split('\n')).toEqual([
      './',
      '  .git/',
      '  .gitignore',
      '  a/',
      '    b/',
      '      c.txt',
      '    d.txt',
      '  empty/',
      '  link@',
      '  node_modules/',
      '  pipe|',
      '  z',
    ])
    expect((await list('node_modules')).text).toBe('node_modules/\n  x/\n    y')
    expect((await list('empty')).text).toBe('empty/ (nothing to show)')
  })

  test('leaves out what is ignored and what may not be read', async () => {
    put('a.ts', 'a.js', 'sub/b.js', 'sub/b.ts', '.env')
    context = { ...context, mayRead: (path) => !path.endsWith('.env') }
    expect((await list('.', ['*.js'])).text).toBe('./\n  a.ts\n  sub/\n    b.ts')
    expect((await list('.', ['sub/'])).text).toBe('./\n  a.js\n  a.ts')
  })

  test('asks neither for more files than fit, nor for rules that are not there', async () => {
    put(...Array.from({ length: 500 }, (_, folder) => [`d${folder}/a`, `d${folder}/b`]).flat())
    let asked = 0
    const opened: string[] = []
    const { files } = context
    context = {
      ...context,
      mayRead: () => ++asked > 0,
      files: { ...files, read: (path, ...more) => files.read(path, ...more).finally(() => opened.push(path)) },
    }
    expect((await list('.')).text).toContain('d499/')
    expect(asked).toBe(1)
    expect(opened).toEqual([])
  })

  test('shows upper levels first when there is too much', async () => {
    for (let folder = 0; folder < 10; folder += 1)
      put(...Array.from({ length: 90 }, (_, index) => `d${folder}/f${index}`))
    const { text, data } = await list('.')
    expect(data?.entries).toHaveLength(10)
    expect(data?.truncated).toBe(true)
    expect(text).toMatch(/deeper folders are not shown/)
  })

  test.each([
    ['..', /outside/],
    ['missing', /does not exist/],
    ['file', /not a folder, or lies below a file/],
    ['link', /outside/],
    ['/proc', /never opened/],
  ])('refuses %s', async (path, message) => {
    put('file')
    symlinkSync('..', join(context.cwd, 'link'))
    expect(await list(path)).toMatchObject({ isError: true, text: expect.stringMatching(message) })
  })
})
