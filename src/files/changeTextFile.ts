import { type FileAccess, FileError, type ReadStamp } from '../contracts/files.ts'
import { diffTexts, type Hunk, type TextDiff } from '../lib/diffTexts.ts'
import { isSameContent } from './readRegularFile.ts'
import { readTextFile, toBytes } from './readTextFile.ts'

/** What a change needs of the run: the guard, and what the model has read by resolved path. */
export type FileMemory = { readonly files: FileAccess; readonly readFileState: Map<string, ReadStamp> }

/** What became of a file, for results and reports. `originalFile` is null for a new one. */
export type TextChange = {
  readonly filePath: string
  readonly originalFile: string | null
  readonly structuredPatch: readonly Hunk[]
  readonly diff: TextDiff
  /** True where the file had changed since it was read and the edit still fitted. */
  readonly wasStale: boolean
}

/**
 * Changes a text file that the model has read, keeping encoding, BOM and mode. `change` gets the text as it is now and
 * whether that differs from what was read; what it throws leaves the file alone.
 */
export async function changeTextFile(
  memory: FileMemory,
  path: string,
  change: (text: string, isStale: boolean) => string,
): Promise<TextChange> {
  const { text, format, stamp } = await readExisting(memory.files, path)
  const known = memory.readFileState.get(path)
  if (!known) throw new FileError('changed', `${path} has not been read yet; Read it first`)
  const wasStale = !isSameContent(stamp, known)
  const changed = change(text, wasStale)
  const written = await memory.files.write(path, toBytes(path, changed, format), { expect: stamp })
  memory.readFileState.set(path, { ...written, isWhole: known.isWhole && !wasStale })
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
