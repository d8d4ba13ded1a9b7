import { FileError } from '../contracts/files.ts'
import { visibleName } from '../lib/text/visibleName.ts'
import { type FileMemory, type TextChange, toTextChange } from './changeTextFile.ts'
import { UTF_8 } from './decodeText.ts'
import { noteStamp } from './noteStamp.ts'
import { toBytes } from './readTextFile.ts'

/** Writes a new text file, or one that exists but is empty. Never touches one that has content. */
export async function createTextFile(
  { files, readFileState }: FileMemory,
  path: string,
  text: string,
): Promise<TextChange> {
  const old = await files.stat(path)
  if (old && (old.kind !== 'file' || old.size > 0)) {
    throw new FileError('changed', `${visibleName(path)} exists already; Read it, then name the text to replace`)
  }
  noteStamp(readFileState, path, await files.write(path, toBytes(path, text, UTF_8)))
  return toTextChange(path, old ? '' : null, text)
}
