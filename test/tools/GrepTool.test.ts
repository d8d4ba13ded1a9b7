import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { createLineMatcher } from '../../src/tools/GrepTool/createLineMatcher.ts'
import { findRipgrep } from '../../src/tools/GrepTool/findRipgrep.ts'
import { GrepTool } from '../../src/tools/GrepTool/GrepTool.ts'
import { sampled } from '../helpers/sampled.ts'
import { createToolContext, runTool, type TestContext } from '../helpers/tools/toolContext.ts'

const hasRipgrep = (await findRipgrep([])) !== undefined
const ENGINES = ['ripgrep', 'javascript'] as const

let context: TestContext
const put = (name: string, content: string | Buffer) => {
  const path = join(context.cwd, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}
/** A ripgrep inside a working directory is not trusted, so with `/` as one the search goes on without. */
const use = (engine: (typeof ENGINES)[number]) => {
  context = createToolContext()
  if (engine === 'javascript') context = { ...context, workingDirectories: [context.cwd, '/'] }
}
const grep = (pattern: string, more: Record<string, unknown> = {}) => runTool(GrepTool, { pattern, ...more }, context)
const contentOf = async (pattern: string, more: Record<string, unknown> = {}) =>
  (await grep(pattern, { output_mode: 'content', ...more })).data?.content.split('\n')

test.skipIf(!hasRipgrep)('names that are not UTF-8 are shown with escaped bytes (needs ripgrep)', async () => {
  use('ripgrep')
  put('b.txt', 'roses')
  for (const name of ['caf\xe9.txt', 'caf\xe8.txt']) {
    writeFileSync(Buffer.from(join(context.cwd, name), 'latin1'), 'roses\n')
  }
  expect((await grep('roses')).data?.filenames).toEqual(['b.txt', 'caf\\xe8.txt', 'caf\\xe9.txt'])
  expect(await contentOf('roses')).toEqual([
    'b.txt:1:roses',
    ...['8', '9'].map(
      (digit) => `caf\\xe${digit}.txt:[it matches; its name is not UTF-8, so it cannot be opened here]`,
    ),
  ])
})

describe.each(ENGINES)('Grep with %s', (engine) => {
  beforeEach((test) => {
    test.skip(engine === 'ripgrep' && !hasRipgrep, 'needs ripgrep')
    use(engine)
  })

  const poem = 'roses\nviolets\nsugar\r\nROSES and more\n\nlast roses'

  test.each(
    sampled(
      [
        ['roses', {}, ['a.txt:1:roses', 'a.txt:6:last roses']],
        ['r.ses', { '-o': true, '-C': 3 }, ['a.txt:1:roses', 'a.txt:6:roses']],
        ['o|s', { '-o': true, head_limit: 3 }, ['a.txt:1:o', 'a.txt:1:s', 'a.txt:1:s']],
        ['sugar', { context: 1 }, ['a.txt-2-violets', 'a.txt:3:sugar', 'a.txt-4-ROSES and more']],
        ['roses', { '-n': 'false' }, ['a.txt:roses', 'a.txt:last roses']],
        ['roses', { '-i': true, head_limit: 2 }, ['a.txt:1:roses', 'a.txt:4:ROSES and more']],
        ['roses', { '-i': true, head_limit: '1', offset: 1 }, ['a.txt:4:ROSES and more']],
        ['(?i)^roses$', {}, ['a.txt:1:roses']],
        ['sugar$', {}, ['a.txt:3:sugar']],
        ['sugar', { '-A': 1 }, ['a.txt:3:sugar', 'a.txt-4-ROSES and more']],
        ['sugar', { '-B': 1 }, ['a.txt-2-violets', 'a.txt:3:sugar']],
        ['^[rl].*roses$|^v', { '-C': 0 }, ['a.txt:2:violets', 'a.txt:6:last roses']],
        [
          'violets|last',
          { '-C': 1 },
          ['a.txt-1-roses', 'a.txt:2:violets', 'a.txt-3-sugar', '--', 'a.txt-5-', 'a.txt:6:last roses'],
        ],
        ['roses.violets', { multiline: true }, ['a.txt:1:roses', 'a.txt:2:violets']],
        ['roses.violets', {}, ['']],
        ['o\\w+s\\b', { head_limit: 1 }, ['a.txt:1:roses']],
        ['\\p{Lu}{5}', {}, ['a.txt:4:ROSES and more']],
      ],
      1,
    ),
  )('content of %j %j', async (pattern, more, expected) => {
    put('a.txt', poem)
    expect(await contentOf(pattern, more)).toEqual(expected)
  })

  test('names files and counts lines, in the order of paths', async () => {
    put('b/two.txt', 'x x\nx\n')
    put('a.txt', 'x')
    put('c.txt', 'y')
    expect(await grep('x')).toMatchObject({
      text: expect.stringMatching(/^Found 2 files\na\.txt\nb\/two\.txt($|\n\(s)/),
      data: { engine, numFiles: 2 },
    })
    expect((await grep('x', { output_mode: 'count' })).data?.content).toBe('a.txt:1\nb/two.txt:2')
    expect((await grep('x', { output_mode: 'count' })).text).toMatch(/\n3 matching lines in 2 files($|\n\(s)/)
    expect((await grep('nothing')).text).toMatch(/^No files found($|\n\(s)/)
    expect((await grep('nothing', { output_mode: 'content' })).text).toMatch(/^No matches found($|\n\(s)/)
    expect((await grep('x', { head_limit: 1 })).text).toMatch(/^a\.txt\n\(cut at head_limit; continue with offset=1\)/)
    expect((await grep('x', { offset: 9 })).text).toMatch(/^No more matches\./)
  })

  test('filters by path, glob and type', { tags: 'long' }, async () => {
    for (const name of ['a.ts', 'a.js', 'src/b.ts', 'src/b.py', 'src/deep/c.tsx']) put(name, 'x')
    const found = async (more: Record<string, unknown>) => (await grep('x', more)).data?.filenames
    expect(await found({ path: 'src' })).toEqual(['src/b.py', 'src/b.ts', 'src/deep/c.tsx'])
    expect(await found({ path: 'src/b.py' })).toEqual(['src/b.py'])
    expect(await found({ glob: '*.{ts,tsx}' })).toEqual(['a.ts', 'src/b.ts', 'src/deep/c.tsx'])
    expect(await found({ glob: '*.py, *.js' })).toEqual(['a.js', 'src/b.py'])
    expect(await found({ glob: '!*.ts' })).toEqual(['a.js', 'src/b.py', 'src/deep/c.tsx'])
    expect(await found({ glob: 'src/**/*.ts' })).toEqual(['src/b.ts'])
    expect(await found({ type: 'ts' })).toEqual(['a.ts', 'src/b.ts', 'src/deep/c.tsx'])
    expect(await grep('x', { type: 'nonsense' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/nonsense/),
    })
  })

  test('respects .gitignore, searches hidden files, skips .git and binary files', async () => {
    put('.gitignore', 'dist\n')
    put('dist/a', 'x')
    put('.hidden', 'x')
    put('.git/config', 'x')
    put('binary', Buffer.from('\0x'))
    expect((await grep('x')).data?.filenames).toEqual(['.hidden'])
    expect((await grep('x', { path: 'dist' })).data?.filenames).toEqual(['dist/a'])
  })

  test('applies .gitignore from the project down, never from above', { tags: 'long' }, async () => {
    writeFileSync(join(context.base, '.gitignore'), '*\n')
    put('.gitignore', '/a/out\n*.log\ntmp/**\n')
    put('a/.gitignore', 'deep/\n/b/hid*\n')
    for (const name of ['out/1', 'b/2', 'b/3.log', 'b/deep/4', 'b/hidden', 'b/c/.hidden']) put(`a/${name}`, 'x')
    expect((await grep('x')).data?.filenames).toEqual(['a/b/2', 'a/b/c/.hidden'])
    expect((await grep('x', { path: 'a' })).data?.filenames).toEqual(['a/b/2', 'a/b/c/.hidden'])
    expect((await grep('x', { path: 'a/b', output_mode: 'count' })).data?.content).toBe('a/b/2:1\na/b/c/.hidden:1')
    expect(await contentOf('x', { path: 'a/b/c' })).toEqual(['a/b/c/.hidden:1:x'])
  })

  test.each(['content', 'count', 'files_with_matches'])(
    '%s never contains a file that may not be read',
    async (output_mode) => {
      put('a.txt', 'SECRET here')
      put('.env', 'SECRET=1')
      put('policy/denied', 'SECRET=2')
      writeFileSync(join(context.base, 'outside'), 'SECRET=3')
      symlinkSync('../outside', join(context.cwd, 'link'))
      const { data, text } = await runTool(
        GrepTool,
        { pattern: 'SECRET', output_mode },
        { ...context, mayRead: (path) => !/\.env$|denied$/.test(path) },
      )
      expect(data?.filenames).toEqual(['a.txt'])
      expect(text).not.toMatch(/=\d|env|denied|link/)
    },
  )

  test('cuts long lines', { tags: 'long' }, async () => {
    put('min.js', `${'y'.repeat(3_000_000)}x`)
    put('ok.js', `x${'y'.repeat(1000)}`)
    const { text } = await grep('x', { output_mode: 'content' })
    expect(text.length).toBeLessThan(3000)
    expect(text).toMatch(/^min\.js:/m)
    expect(text).toContain(`ok.js:1:x${'y'.repeat(499)} […]`)
  })

  test.each(
    sampled(
      [
        ['far in', `${'y'.repeat(900)}name${'z'.repeat(900)}`, `[…] ${'y'.repeat(100)}name${'z'.repeat(396)} […]`],
        ['at the end', `${'y'.repeat(900)}name`, `[…] ${'y'.repeat(100)}name`],
      ],
      1,
    ),
  )('shows the part of a long line that has the match: %s', async (_, line, shown) => {
    put('min.js', `${line}\n`)
    expect(await contentOf('na?me')).toEqual([`min.js:1:${shown}`])
    expect(await contentOf('na?me', { multiline: true })).toEqual([`min.js:1:${shown}`])
  })

  test.each(['(', '[', 'a{2,1}'])('says what is wrong with %j', async (pattern) => {
    put('a', 'x')
    const { isError, text } = await grep(pattern)
    expect(isError).toBe(true)
    expect(text).toMatch(/regex|regular expression/i)
  })

  test.each([
    ['..', /outside/],
    ['missing', /does not exist/],
    ['/proc/self', /never opened/],
    ['link', /outside/],
  ])('refuses to search %s', async (path, message) => {
    symlinkSync('..', join(context.cwd, 'link'))
    expect(await grep('x', { path })).toMatchObject({ isError: true, text: expect.stringMatching(message) })
  })

  test('a pattern is never taken for an option', { tags: 'long' }, async () => {
    put('a', '--files\n-e x')
    expect(await contentOf('--files')).toEqual(['a:1:--files'])
    expect(await contentOf('-e')).toEqual(['a:2:-e x'])
    expect(await grep('x', { glob: '--pre=id' })).toMatchObject({ isError: false })
    expect(await grep('x', { type: 'js --pre=id' })).toMatchObject({ isError: true })
  })
})

describe('the program', () => {
  test('has its errors explained in terms of the tool', async () => {
    use('ripgrep')
    put('a', 'x\ny')
    expect((await grep('x\\ny')).text).toMatch(/Set multiline/)
    const { text } = await grep('(?<=x)y')
    expect(text).toMatch(/without it/)
    expect(text).not.toMatch(/pcre2/i)
    expect((await grep('f(')).text).toMatch(/only after a \\/)
    expect((await grep('x', { type: 'nonsense' })).text).toMatch(/give a glob/)
  })

  test('is not one from the workspace', async () => {
    use('ripgrep')
    put('rg', '#!/bin/sh\ntouch planted\n')
    put('node_modules/.bin/rg', '#!/bin/sh\ntouch planted\n')
    chmodSync(join(context.cwd, 'rg'), 0o755)
    put('.ripgreprc', '--pre=./rg')
    put('a', 'x')
    await grep('x')
    expect((await grep('x', { glob: '*' })).data?.filenames).not.toContain('planted')
    const found = await findRipgrep([context.cwd])
    expect(found === undefined || found.startsWith('/')).toBe(true)
    expect(await findRipgrep(['/'])).toBeUndefined()
  })

  test('an expression that would run forever is ended', async () => {
    const query = { pattern: '(a+)+$', isCaseIgnored: false, isMultiline: false } as Parameters<
      typeof createLineMatcher
    >[0]
    const controller = new AbortController()
    const matcher = createLineMatcher(query, controller.signal)
    const matching = matcher.match(`${'a'.repeat(60)}b`)
    setImmediate(() => controller.abort(new Error('out of time')))
    await expect(matching).rejects.toThrow('out of time')
    await matcher.close()
  })
})
