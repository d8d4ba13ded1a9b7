import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFileAccess } from '../../src/files/createFileAccess.ts'
import { MemoryReadTool } from '../../src/tools/MemoryReadTool/MemoryReadTool.ts'
import { MemoryWriteTool } from '../../src/tools/MemoryWriteTool/MemoryWriteTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

function createContext() {
  const context = createToolContext()
  context.put({ '../memory/': '', '../x.md': 'outside' })
  const memory = join(context.base, 'memory')
  return { ...context, memory, memoryFiles: createFileAccess({ roots: [memory], forbidden: [] }) }
}

describe('memory', () => {
  it('says that there are more files than it lists', async () => {
    const context = createContext()
    for (let n = 0; n < 501; n += 1) writeFileSync(join(context.memory, `${n}.md`), '')
    expect((await runTool(MemoryReadTool, {}, context)).text).toMatch(/\d\.md\n… and more than 500 files in all$/)
  })

  it.each(['../x.md', '/etc/passwd', '.', 'a/../../x.md', 'link/x.md', 'link.md', 'a\0b'])(
    'stays in its folder: %j',
    async (file_path) => {
      const context = createContext()
      context.put({ '../memory/link': `-> ${context.base}`, '../memory/link.md': '-> ../x.md' })
      const read = await runTool(MemoryReadTool, { file_path }, context)
      const write = await runTool(MemoryWriteTool, { file_path, content: 'new' }, context)
      expect([read.isError, write.isError]).toEqual([true, true])
      expect(readFileSync(join(context.base, 'x.md'), 'utf8')).toBe('outside')
      expect((await runTool(MemoryReadTool, {}, context)).text).not.toContain('outside')
    },
  )
})
