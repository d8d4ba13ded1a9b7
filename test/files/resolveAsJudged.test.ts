import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Subject } from '../../src/contracts/subject.ts'
import { resolveAsJudged } from '../../src/files/resolvePath.ts'
import { WriteTool } from '../../src/tools/WriteTool/WriteTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

test('a link that is redirected after the judgment does not redirect the call', async () => {
  const context = createToolContext()
  const at = (name: string) => join(context.cwd, name)
  mkdirSync(at('src'))
  mkdirSync(at('docs'))
  symlinkSync('src', at('link'))
  const input = { file_path: 'link/a', content: 'new' }
  const subjects = WriteTool.subjects(input, context)
  symlinkSync('docs', at('other'))
  renameSync(at('other'), at('link'))
  const judged = { ...context, resolvePath: resolveAsJudged(subjects, context.resolvePath) }
  expect(await runTool(WriteTool, input, judged)).toMatchObject({ isError: false, data: { filePath: at('src/a') } })
  expect(readFileSync(at('src/a'), 'utf8')).toBe('new')
  expect(judged.resolvePath('link/b').resolved).toBe(at('docs/b'))
  expect(judged.resolvePath('link/a', context.base).resolved).toBe(join(context.base, 'link/a'))
})

test('what a call touches besides paths is left alone', () => {
  const path = { given: 'a', lexical: '/p/a', resolved: '/q/a', physical: '/q/a' }
  const subjects: readonly Subject[] = [
    { kind: 'domain', url: 'https://example.com/', host: 'example.com' },
    { kind: 'path', access: 'read', path, source: 'tool' },
  ]
  const fresh = { given: 'b', lexical: '/p/b', resolved: '/p/b', physical: '/p/b' }
  const resolve = resolveAsJudged(subjects, () => fresh)
  expect([resolve('a'), resolve('b'), resolve('example.com')]).toEqual([path, fresh, fresh])
})

test('a judged folder that became a link is refused', async () => {
  const context = createToolContext()
  mkdirSync(join(context.cwd, 'src'))
  mkdirSync(join(context.cwd, 'docs'))
  writeFileSync(join(context.cwd, 'docs/a'), 'old')
  const input = { file_path: 'src/a', content: 'new' }
  const subjects = WriteTool.subjects(input, context)
  renameSync(join(context.cwd, 'src'), join(context.cwd, 'was'))
  symlinkSync('docs', join(context.cwd, 'src'))
  const judged = { ...context, resolvePath: resolveAsJudged(subjects, context.resolvePath) }
  expect(await runTool(WriteTool, input, judged)).toMatchObject({
    isError: true,
    text: expect.stringMatching(/link that was not/),
  })
  expect(readFileSync(join(context.cwd, 'docs/a'), 'utf8')).toBe('old')
})
