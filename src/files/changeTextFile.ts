import * as z from 'zod'
import { type FileAccess, FileError, type ReadStamp } from '../contracts/files.ts'
import { applyEdits } from './applyEdits.ts'
import { UTF_8 } from './decodeText.ts'
import { diffTexts, hunkSchema, type TextDiff } from './diffTexts.ts'
import { isSameContent } from './readRegularFile.ts'
import { readTextFile, toBytes } from './readTextFile.ts'
import type { TextEdit } from './replaceText.ts'
import { fileError } from './toFileError.ts'

/** What a change needs from the run: the file guard, and what the model has read, by resolved path. */
type FileMemory = { readonly files: FileAccess; readonly readFileState: Map<string, ReadStamp> }

/** The result of a change, for tool results and reports: what tools that change a file promise of their output. */
export const textChangeSchema = z.object({
  filePath: z.string(),
  /** Null for a new file. */
  originalFile: z.string().nullable(),
  structuredPatch: z.array(hunkSchema).readonly(),
  diff: z.custom<TextDiff>((value) => typeof value === 'object' && value !== null && 'added' in value),
  /** True if the file changed after it was read and the edit still matched. */
  wasStale: z.boolean(),
})

export type TextChange = Readonly<z.infer<typeof textChangeSchema>>

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
  if (!known) throw fileError('changed', path, 'has not been read yet; Read it first')
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

/** Applies edits to a file, or makes a new one if the first has no old text. */
export async function editTextFile(memory: FileMemory, path: string, edits: readonly TextEdit[]): Promise<TextChange> {
  if (edits[0]?.oldText === '') return createTextFile(memory, path, applyEdits(path, '', edits, false))
  return changeTextFile(memory, path, (text, isStale) => applyEdits(path, text, edits, isStale))
}

/** Writes a new text file, or one that exists but is empty. Never touches one that has content. */
export async function createTextFile(
  { files, readFileState }: FileMemory,
  path: string,
  text: string,
): Promise<TextChange> {
  const old = await files.stat(path)
  if (old && (old.kind !== 'file' || old.size > 0))
    throw fileError('changed', path, 'exists already; Read it, then name the text to replace')
  noteStamp(readFileState, path, await files.write(path, toBytes(path, text, UTF_8)))
  return toTextChange(path, old ? '' : null, text)
}

/** Notes what the model knows of a file. The file that was noted last comes last, also if it was known before. */
export function noteStamp(readFileState: Map<string, ReadStamp>, path: string, stamp: ReadStamp): void {
  readFileState.delete(path)
  readFileState.set(path, stamp)
}
