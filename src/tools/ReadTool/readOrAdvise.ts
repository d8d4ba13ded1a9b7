import { basename, dirname, join } from 'node:path'
import { MAX_TEXT_BYTES } from '../../files/readTextFile.ts'
import { nearest } from '../../lib/text/nearest.ts'
import { visibleName } from '../../lib/text/visibleName.ts'
import { type FileContent, FileError, type FileStat, type ToolUseContext } from '../../Tool.ts'

/** Reads a file. Adds advice to the errors of the guard. */
export async function readOrAdvise(path: string, context: ToolUseContext): Promise<FileContent> {
  try {
    return await context.files.read(path, { maxBytes: MAX_TEXT_BYTES })
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    const advice = await adviceFor(error, path, context)
    throw advice === undefined ? error : new FileError(error.code, `${error.message}. ${advice}`, { cause: error })
  }
}

async function adviceFor(error: FileError, path: string, context: ToolUseContext): Promise<string | undefined> {
  if (error.code === 'not_regular') return (await kindOf(path, context)) === 'directory' ? 'LS lists it.' : undefined
  if (error.code !== 'not_found') return undefined
  const folder = dirname(path)
  const elsewhere = `Glob ${visibleName(basename(path))} finds files of that name at every depth.`
  if ((await kindOf(folder, context)) === undefined) return `Its folder does not exist either. ${elsewhere}`
  const close = nearest(basename(path), await readableNames(folder, context))
  return close === undefined ? elsewhere : `Did you mean ${visibleName(join(folder, close))}?`
}

async function kindOf(path: string, { files }: ToolUseContext): Promise<FileStat['kind'] | undefined> {
  // For the model, what the guard hides does not exist.
  return (await files.stat(path).catch(() => undefined))?.kind
}

/** Names in a folder, without those of files that the rules hide. */
async function readableNames(folder: string, context: ToolUseContext): Promise<readonly string[]> {
  const entries = await context.files.list(folder).catch(() => [])
  return entries.map(({ name }) => name).filter((name) => context.mayRead(join(folder, name)))
}
