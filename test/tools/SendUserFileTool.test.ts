import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SendUserFileTool } from '../../src/tools/SendUserFileTool/SendUserFileTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

describe('SendUserFile', () => {
  it('copies files, byte for byte, under names of their own', async () => {
    const image = Uint8Array.from([0x89, 0x50, 0, 0xff, 0xfe])
    const context = createToolContext()
    context.put({ 'a.txt': '\uFEFFé\r\n', 'b.png': image })
    const { text } = await runTool(SendUserFileTool, { files: ['a.txt', 'b.png', './a.txt'] }, context)
    expect(readdirSync(context.artifacts).sort()).toEqual(['a-2.txt', 'a.txt', 'b.png'])
    expect(readFileSync(join(context.artifacts, 'a.txt'))).toEqual(readFileSync(join(context.cwd, 'a.txt')))
    expect([...readFileSync(join(context.artifacts, 'b.png'))]).toEqual([...image])
    expect(text).toContain('b.png: 5 bytes handed over as b.png')
  })

  it('reads only permitted files, and names them as subjects', async () => {
    const context = createToolContext()
    context.put({ '../x.txt': 'outside', 'link.txt': '-> ../x.txt' })
    for (const path of ['../x.txt', 'link.txt', '.', 'missing']) {
      expect((await runTool(SendUserFileTool, { files: [path] }, context)).isError).toBe(true)
    }
    expect(readdirSync(context.artifacts)).toEqual([])
    expect(SendUserFileTool.subjects({ files: ['link.txt'] }, context)).toMatchObject([
      { kind: 'name', tool: 'SendUserFile' },
      { kind: 'path', access: 'read', source: 'tool', path: { resolved: join(context.base, 'x.txt') } },
    ])
  })
})
