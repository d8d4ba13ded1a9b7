import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { rememberReads } from '../../src/tools/BashTool/changedReads.ts'
import { EditTool } from '../../src/tools/EditTool/EditTool.ts'
import { ReadTool } from '../../src/tools/ReadTool/ReadTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

it('before a command, the contents of the files are kept that the model worked with last', async () => {
  const context = createToolContext()
  const place = (at: number) => join(context.cwd, `${at}.txt`)
  for (let at = 0; at < 30; at++) {
    writeFileSync(place(at), `text ${at}\n`)
    await runTool(ReadTool, { file_path: place(at) }, context)
  }
  await runTool(ReadTool, { file_path: place(0) }, context)
  await runTool(EditTool, { file_path: place(1), old_string: 'text', new_string: 'words' }, context)
  const kept = [...(await rememberReads(context)).keys()]
  expect(kept).toEqual([...Array.from({ length: 18 }, (_, at) => place(at + 12)), place(0), place(1)])
})
