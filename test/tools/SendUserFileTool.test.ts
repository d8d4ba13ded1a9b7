import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SendUserFileTool } from '../../src/tools/SendUserFileTool/SendUserFileTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

it('copies files that may be read, byte for byte, under names of their own', async () => {
  const image = Uint8Array.from([0x89, 0x50, 0, 0xff, 0xfe])
  const context = createToolContext()
  context.put({ 'a.txt': '\uFEFFé\r\n', 'b.png': image, '../x.txt': 'outside', 'link.txt': '-> ../x.txt' })
  const send = (...files: readonly string[]) => runTool(SendUserFileTool, { files }, context)
  expect((await send('a.txt', 'b.png', './a.txt')).text).toContain('b.png: 5 bytes handed over as b.png')
  for (const path of ['../x.txt', 'link.txt', '.', 'missing']) expect((await send(path)).isError).toBe(true)
  expect(readdirSync(context.artifacts).sort()).toEqual(['a-2.txt', 'a.txt', 'b.png'])
  expect(readFileSync(join(context.artifacts, 'a.txt'))).toEqual(readFileSync(context.at('a.txt')))
  expect([...readFileSync(join(context.artifacts, 'b.png'))]).toEqual([...image])
  expect(SendUserFileTool.subjects({ files: ['link.txt'] }, context)).toMatchObject([
    { kind: 'name', tool: 'SendUserFile' },
    { kind: 'path', access: 'read', source: 'tool', path: { resolved: join(context.base, 'x.txt') } },
  ])
})
