import { expect, it } from 'vitest'
import { parseInput } from '../../../src/query/runTools/parseInput.ts'
import { ReadTool } from '../../../src/tools/ReadTool/ReadTool.ts'

it('names what is missing, and what is of another kind, in words that need no schema library', () => {
  expect(parseInput(ReadTool, {})).toEqual({
    ok: false,
    message: 'The input of Read does not fit:\n- file_path: is missing',
  })
  expect(parseInput(ReadTool, { file_path: 'a', limit: -1 })).toMatchObject({
    message: expect.stringMatching(/^The input of Read does not fit:\n- limit: Too small/),
  })
})
