import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EditTool } from '../../src/tools/EditTool/EditTool.ts'
import { ReadTool } from '../../src/tools/ReadTool/ReadTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

function open() {
  const context = createToolContext()
  const file = context.at('a.txt')
  const edit = (old_string: string, new_string: string) =>
    runTool(EditTool, { file_path: file, old_string, new_string }, context)
  return { context, file, edit }
}

test('changes the file, keeps its mode, and needs no further Read', async () => {
  const { context, file, edit } = open()
  context.put({ 'a.txt': 'one\ntwo\nthree\n' })
  chmodSync(file, 0o755)
  await runTool(ReadTool, { file_path: file }, context)
  const { text, data, isError } = await edit('two', 'zwei\nzwo')
  expect({ text, isError }).toEqual({ text: `Edited ${file} (+2 -1 lines).`, isError: false })
  expect(readFileSync(file, 'utf8')).toBe('one\nzwei\nzwo\nthree\n')
  expect(statSync(file).mode & 0o777).toBe(0o755)
  expect(data).toMatchObject({
    originalFile: 'one\ntwo\nthree\n',
    structuredPatch: [{ oldStart: 1, oldLines: 3, newStart: 1, newLines: 4 }],
  })
  expect(data && EditTool.renderResult?.(data, {} as never)).toBe(
    '```diff\n@@ -1,3 +1,4 @@\n one\n-two\n+zwei\n+zwo\n three\n```',
  )
  expect(await edit('zwei\n', '')).toMatchObject({ isError: false })
  expect(readFileSync(file, 'utf8')).toBe('one\nzwo\nthree\n')
})

test('a file that was removed since it was read is not created again', async () => {
  const { context, file, edit } = open()
  context.readFileState.set(file, { mtimeMs: 0, size: 1, sha256: 'x', isWhole: true })
  expect(await edit('a', 'b')).toMatchObject({
    isError: true,
    text: expect.stringMatching(/does not exist; Write makes/),
  })
  expect(existsSync(file)).toBe(false)
})
