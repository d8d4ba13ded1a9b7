import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createLineMatcher } from '../../src/tools/GrepTool/createLineMatcher.ts'
import { findRipgrep } from '../../src/tools/GrepTool/findRipgrep.ts'
import { GrepTool } from '../../src/tools/GrepTool/GrepTool.ts'
import type { SearchQuery } from '../../src/tools/GrepTool/SearchQuery.ts'
import { playScene, type Scene } from '../helpers/tools/playScenes.ts'
import { createToolContext, runTool, type TestContext } from '../helpers/tools/toolContext.ts'

const hasRipgrep = (await findRipgrep([])) !== undefined
const ENGINES = ['ripgrep', 'javascript'] as const

let context: TestContext
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
  context.put({ 'b.txt': 'roses' })
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

const scenes = parse(readFileSync(new URL('./scenes/search.yml', import.meta.url), 'utf8')) as readonly Scene[]
/** Each engine has its own words for what it does not understand. */
const isUnderstood = ({ Grep = {} }: Scene['calls'][number]) => {
  const { pattern = '', type } = Grep as { pattern?: string; type?: string }
  return !['(', '['].includes(pattern) && type !== 'nonsense'
}

test.skipIf(!hasRipgrep).each(scenes.filter(({ scene }) => scene.startsWith('Grep')))(
  'ripgrep finds what JavaScript finds: $scene (needs ripgrep)',
  async (scene) => {
    const calls = scene.calls.filter(isUnderstood)
    const found = await playScene({ ...scene, calls })
    const note = '\n  (searched without ripgrep: JavaScript regular expressions)'
    expect(await playScene({ ...scene, calls }, true)).toBe(found.replaceAll(note, ''))
  },
)

describe.each(ENGINES)('Grep with %s', (engine) => {
  beforeEach((test) => {
    test.skip(engine === 'ripgrep' && !hasRipgrep, 'needs ripgrep')
    use(engine)
  })

  test.each(['content', 'count', 'files_with_matches'])(
    '%s never contains a file that may not be read',
    async (output_mode) => {
      context.put({ 'a.txt': 'SECRET here', '.env': 'SECRET=1', 'policy/denied': 'SECRET=2' })
      context.put({ '../outside': 'SECRET=3', link: '-> ../outside' })
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
    context.put({ 'min.js': `${'y'.repeat(3_000_000)}x`, 'ok.js': `x${'y'.repeat(1000)}` })
    const { text } = await grep('x', { output_mode: 'content' })
    expect(text.length).toBeLessThan(3000)
    expect(text).toMatch(/^min\.js:/m)
    expect(text).toContain(`ok.js:1:x${'y'.repeat(499)} […]`)
  })

  test('a pattern is never taken for an option', { tags: 'long' }, async () => {
    context.put({ a: '--files\n-e x' })
    expect(await contentOf('--files')).toEqual(['a:1:--files'])
    expect(await contentOf('-e')).toEqual(['a:2:-e x'])
    expect(await grep('x', { glob: '--pre=id' })).toMatchObject({ isError: false })
    expect(await grep('x', { type: 'js --pre=id' })).toMatchObject({ isError: true })
  })
})

describe('the program', () => {
  test('has its errors explained in terms of the tool', async () => {
    use('ripgrep')
    context.put({ a: 'x\ny' })
    expect((await grep('x\\ny')).text).toMatch(/Set multiline/)
    const { text } = await grep('(?<=x)y')
    expect(text).toMatch(/without it/)
    expect(text).not.toMatch(/pcre2/i)
    expect((await grep('f(')).text).toMatch(/only after a \\/)
    expect((await grep('x', { type: 'nonsense' })).text).toMatch(/give a glob/)
  })

  test('is not one from the workspace', async () => {
    use('ripgrep')
    const script = '#!/bin/sh\ntouch planted\n'
    context.put({ rg: script, 'node_modules/.bin/rg': script, '.ripgreprc': '--pre=./rg', a: 'x' })
    chmodSync(context.at('rg'), 0o755)
    await grep('x')
    expect((await grep('x', { glob: '*' })).data?.filenames).not.toContain('planted')
    const found = await findRipgrep([context.cwd])
    expect(found === undefined || found.startsWith('/')).toBe(true)
    expect(await findRipgrep(['/'])).toBeUndefined()
  })

  test('an expression that would run forever is ended', async () => {
    const query = { pattern: '(a+)+$', isCaseIgnored: false, isMultiline: false } as SearchQuery
    const controller = new AbortController()
    const matcher = createLineMatcher(query, controller.signal)
    const matching = matcher.match(`${'a'.repeat(60)}b`)
    setImmediate(() => controller.abort(new Error('out of time')))
    await expect(matching).rejects.toThrow('out of time')
    await matcher.close()
  })
})
