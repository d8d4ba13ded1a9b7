import { join, relative } from 'node:path'
import * as z from 'zod'
import type { FileAccess } from '../../contracts/files.ts'
import { pathInside } from '../../lib/fs/paths.ts'
import { buildTool, ONLY_READS, type ToolUseContext } from '../../Tool.ts'

const INDEX = 'index.md'
const MAX_BYTES = 256_000
const MAX_FILES = 500

/** Reads notes of earlier runs, only from the policy's memory folder. */
export const MemoryReadTool = buildTool({
  name: 'MemoryRead',
  searchHint: 'notes of earlier runs',
  shouldDefer: true,
  isSearchOrReadCommand: true,
  inputSchema: () =>
    z.strictObject({ file_path: z.string().optional().describe('in the memory folder; default: index.md and a list') }),
  outputSchema: () => z.object({ path: z.string(), content: z.string(), files: z.array(z.string()).readonly() }),
  isAvailable: ({ hasMemory }) => hasMemory,
  description: () => 'Reads notes of earlier runs: index.md and the list of files, or one file.',
  ...ONLY_READS,
  activity: ({ file_path }) => `Reading the memory${file_path === undefined ? '' : `: ${file_path}`}`,
  async *call({ file_path }, context) {
    const { memory, files } = memoryOf(context)
    const path = pathInside(memory, file_path ?? INDEX)
    if (path === undefined) throw new Error(`${file_path} is not inside the memory folder.`)
    const isIndex = file_path === undefined
    const content = isIndex && (await files.stat(path)) === undefined ? '' : await readText(files, path)
    const list = isIndex ? await listFiles(files, memory) : []
    yield { type: 'result', data: { path: relative(memory, path), content, files: list } }
  },
  mapResult({ content, files }) {
    const more = files.length > MAX_FILES ? [`… and more than ${MAX_FILES} files in all`] : []
    const list = files.length === 0 ? '' : `Files:\n${[...files.slice(0, MAX_FILES), ...more].join('\n')}`
    const text = [content.trimEnd(), list].filter((part) => part !== '').join('\n\n')
    return { content: text === '' ? 'Nothing is remembered yet.' : text }
  },
})

function memoryOf({ memory, memoryFiles, resolvePath }: ToolUseContext): { memory: string; files: FileAccess } {
  if (memory === undefined || memoryFiles === undefined)
    throw new Error('The policy names no memory folder (`memory:`).')
  return { memory: resolvePath(memory).resolved, files: memoryFiles }
}

async function readText(files: FileAccess, path: string): Promise<string> {
  const { bytes, size } = await files.read(path, { maxBytes: MAX_BYTES })
  const text = new TextDecoder().decode(bytes)
  return size > bytes.length ? `${text}\n[cut: the file has ${size} bytes]` : text
}

async function listFiles(files: FileAccess, memory: string): Promise<readonly string[]> {
  const found: string[] = []
  const folders = [memory]
  for (let folder = folders.shift(); folder !== undefined && found.length <= MAX_FILES; folder = folders.shift()) {
    if ((await files.stat(folder))?.kind !== 'directory') continue
    for (const { name, kind } of await files.list(folder)) {
      if (kind === 'directory') folders.push(join(folder, name))
      if (kind === 'file') found.push(relative(memory, join(folder, name)))
    }
  }
  return found
}
