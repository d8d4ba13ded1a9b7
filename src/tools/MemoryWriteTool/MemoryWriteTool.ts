import { relative } from 'node:path'
import * as z from 'zod'
import { pathInside } from '../../lib/fs/paths.ts'
import { buildTool } from '../../Tool.ts'

const MAX_CHARACTERS = 100_000

/** Writes a redacted note for later runs, only to the policy's memory folder. */
export const MemoryWriteTool = buildTool({
  name: 'MemoryWrite',
  searchHint: 'remember something for later runs',
  shouldDefer: true,
  interruptBehavior: 'block',
  inputSchema: () =>
    z.strictObject({
      file_path: z.string().min(1).describe('in the memory folder'),
      content: z.string().max(MAX_CHARACTERS).describe('the whole new text of the file'),
    }),
  outputSchema: () => z.object({ path: z.string(), bytes: z.number() }),
  isAvailable: ({ hasMemory }) => hasMemory,
  description: () => 'Writes a whole note for later runs. Keep index.md as the list of what is there.',
  activity: ({ file_path }) => `Remembering ${file_path}`,
  async *call({ file_path, content }, { memory, memoryFiles, resolvePath, redact }) {
    if (memory === undefined || memoryFiles === undefined)
      throw new Error('The policy names no memory folder (`memory:`).')
    const root = resolvePath(memory).resolved
    const path = pathInside(root, file_path)
    if (path === undefined) throw new Error(`${file_path} is not inside the memory folder.`)
    const bytes = new TextEncoder().encode(redact(content))
    await memoryFiles.write(path, bytes)
    yield { type: 'result', data: { path: relative(root, path), bytes: bytes.length } }
  },
  mapResult: ({ path, bytes }) => ({ content: `Kept ${bytes} bytes in ${path}.` }),
})
