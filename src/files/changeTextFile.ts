import { type FileAccess, FileError, type ReadStamp } from '../contracts/files.ts'
import { visibleName } from '../lib/text/visibleName.ts'
import { diffTexts, type Hunk, type TextDiff } from './diffTexts.ts'
import { noteStamp } from './noteStamp.ts'
import { isSameContent } from './readRegularFile.ts'
import { readTextFile, toBytes } from './readTextFile.ts'

/** What a change needs from the run: the file guard, and what the model has read, by resolved path. */
export type FileMemory = { readonly files: FileAccess; readonly readFileState: Map<string, ReadStamp> }

/** The result of a change, for tool results and reports. `originalFile` is null for a new one. */
export type TextChange = {
  readonly filePath: string
  readonly originalFile: string | null
  readonly structuredPatch: readonly Hunk[]
  readonly diff: TextDiff
  /** True if the file changed after it was read and the edit still matched. */
  readonly wasStale: boolean
}

/**
 * Changes a text file that the model has read; keeps encoding, BOM and mode. `change` gets the present text, and
 * whether it differs from what was read. If `change` throws, the file stays as it is.
 */
export async function changeTextFile(
  memory: FileMemory,
  path: string,
  change: (text: string, isStale: boolean) => string,
): Promise<TextChange> {
  const { text, format, stamp } = await readExisting(memory.files, path)
  const known = memory.readFileState.get(path)
  if (!known) throw new FileError('changed', `${visibleName(path)} has not been read yet; Read it first`)
  const wasStale = !isSameContent(stamp, known)
  const changed = change(text, wasStale)
  const written = await memory.files.write(path, toBytes(path, changed, format), { expect: stamp })
  noteStamp(memory.readFileState, path, { ...written, isWhole: known.isWhole && !wasStale })
  return toTextChange(path, text, changed, wasStale)
}

async function readExisting(files: FileAccess, path: string): ReturnType<typeof readTextFile> {
  try {
    return await readTextFile(files, path)
  } catch (error) {
    if (!(error instanceof FileError) || error.code !== 'not_found') throw error
    throw new FileError('not_found', `${error.message}; Write makes a new file`, { cause: error })
  }
}

/** The record of a change that was made. */
export async function toTextChange(
  filePath: string,
  before: string | null,
  after: string,
  wasStale = false,
): Promise<TextChange> {
  const diff = await diffTexts(before ?? '', after)
  return { filePath, originalFile: before, structuredPatch: diff.hunks ?? [], diff, wasStale }
}
