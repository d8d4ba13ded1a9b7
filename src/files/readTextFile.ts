import { type FileAccess, FileError, type ReadStamp } from '../contracts/files.ts'
import { visibleName } from '../lib/text/visibleName.ts'
import { type DecodedText, decodeText, encodeText, type TextFormat } from './decodeText.ts'
import { fileError } from './toFileError.ts'

/** The largest file that is held in memory as text. */
export const MAX_TEXT_BYTES = 16 * 1024 * 1024

/** A whole text file with its format. Throws for binary files and for files too large to edit. */
export async function readTextFile(
  files: FileAccess,
  path: string,
): Promise<DecodedText & { readonly stamp: ReadStamp }> {
  const { bytes, size, stamp } = await files.read(path, { maxBytes: MAX_TEXT_BYTES })
  if (bytes.length < size)
    throw fileError('too_large', path, `has ${size} bytes; files over ${MAX_TEXT_BYTES} are only for commands`)
  const decoded = decodeText(bytes)
  if (!decoded) throw fileError('not_regular', path, 'is a binary file; only a command can read or change it')
  return { ...decoded, stamp }
}

/** The bytes of a text in a file's own format. Throws if the format cannot represent it. */
export function toBytes(path: string, text: string, format: TextFormat): Uint8Array {
  const bytes = encodeText(text, format)
  if (bytes) return bytes
  const message = `the new text has characters that ${visibleName(path)} cannot hold: it is ${format.encoding}`
  throw new FileError('io', message)
}
