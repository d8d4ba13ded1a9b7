import { FileError } from '../contracts/files.ts'
import { visibleName } from '../lib/text/visibleName.ts'

const MESSAGES: Readonly<Record<string, readonly [FileError['code'], string]>> = {
  ENOENT: ['not_found', 'does not exist'],
  ENOTDIR: ['not_found', 'is not a folder, or lies below a file'],
  EISDIR: ['not_regular', 'is a folder, not a file'],
  ELOOP: ['changed', 'is reached by a link that was not there when the call was judged'],
  ENXIO: ['not_regular', 'is not a regular file'],
  EACCES: ['io', 'cannot be opened: permission denied'],
  EPERM: ['io', 'cannot be changed: operation not permitted'],
  EROFS: ['io', 'cannot be written: the file system is read-only'],
  ENOSPC: ['io', 'was not written: no space left on the device'],
  EDQUOT: ['io', 'was not written: disk quota exceeded'],
  EFBIG: ['io', 'was not written: too large for the file system'],
  EMFILE: ['io', 'cannot be opened: too many open files'],
  ENAMETOOLONG: ['io', 'has a name that is too long'],
}

/** An error about a file, which the text says without its name: `is a folder`. */
export function fileError(code: FileError['code'], path: string, text: string, options?: ErrorOptions): FileError {
  return new FileError(code, `${visibleName(path)} ${text}`, options)
}

/** Turns a file system error into one for the model; a `FileError` is unchanged. */
export function toFileError(error: unknown, path: string): FileError {
  if (error instanceof FileError) return error
  const { code = 'unknown error' } = error as NodeJS.ErrnoException
  const [kind, text] = MESSAGES[code] ?? ['io', `failed: ${code}`]
  return fileError(kind, path, text, { cause: error })
}

/** True for errors of the file system with that code. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '')
}
