import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Subject } from '../../src/contracts/subject.ts'
import { resolveAsJudged } from '../../src/files/resolvePath.ts'
import { WriteTool } from '../../src/tools/WriteTool/WriteTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

/** Writes a file whose folder, or the link to it, is replaced by a link to `docs` after the call was judged. */
async function writeLate(folder: 'src' | 'link') {
  const context = createToolContext()
  const { at, put } = context
  put({ 'src/': '', 'docs/a': 'old', link: '-> src' })
  const input = { file_path: `${folder}/a`, content: 'new' }
  const subjects = WriteTool.subjects(input, context)
  put({ other: '-> docs' })
  renameSync(at(folder), at('was'))
  renameSync(at('other'), at(folder))
  const judged = { ...context, resolvePath: resolveAsJudged(subjects, context.resolvePath) }
  return { ...judged, written: await runTool(WriteTool, input, judged) }
}

test('a link that is redirected after the judgment does not redirect the call', async () => {
  const { at, base, written, resolvePath } = await writeLate('link')
  expect(written).toMatchObject({ isError: false, data: { filePath: at('src/a') } })
  expect(readFileSync(at('src/a'), 'utf8')).toBe('new')
  expect(resolvePath('link/b').resolved).toBe(at('docs/b'))
  expect(resolvePath('link/a', base).resolved).toBe(join(base, 'link/a'))
})

test('a judged folder that became a link is refused', async () => {
  const { at, written } = await writeLate('src')
  expect(written).toMatchObject({ isError: true, text: expect.stringMatching(/link that was not/) })
  expect(readFileSync(at('docs/a'), 'utf8')).toBe('old')
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
