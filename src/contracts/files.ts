export type ReadStamp = {
  readonly mtimeMs: number
  readonly size: number
  readonly sha256: string
  /** False if only a part was shown. */
  readonly isWhole: boolean
  /** The number of lines shown from the top, if `isWhole` is false. */
  readonly seenLines?: number
}

/**
 * The one way by which in-process tools touch files: regular files only, opened without following a last link, checked by
 * descriptor, inside the working directories (or named by a rule), never a protected place. Throws `FileError`.
 */
export interface FileAccess {
  /** At most `maxBytes`, from `offset`. `size` is the whole file's. */
  read(path: string, options?: { readonly maxBytes?: number; readonly offset?: number }): Promise<FileContent>
  /** Whole new content: temporary file in the same folder, fsync, mode kept unless one is given, rename. Creates missing parents. */
  write(path: string, content: Uint8Array, options?: WriteOptions): Promise<ReadStamp>
  stat(path: string): Promise<FileStat | undefined>
  /** Several entries of one folder, by name; those that are gone or refused are left out. The folder is opened once. */
  statIn(folder: string, names: readonly string[]): Promise<ReadonlyMap<string, FileStat>>
  /** Entries of a folder, sorted by name; links are named as links and not followed. */
  list(path: string): Promise<readonly FileEntry[]>
  remove(path: string): Promise<void>
}

export type WriteOptions = {
  readonly expect?: ReadStamp
  readonly isExecutable?: boolean
}

export type FileContent = { readonly bytes: Uint8Array; readonly size: number; readonly stamp: ReadStamp }
export type FileStat = {
  readonly kind: 'file' | 'directory' | 'link' | 'other'
  readonly size: number
  readonly mtimeMs: number
  readonly isExecutable: boolean
}
/** A name that is not UTF-8 is escaped (`caf\\xe9.txt`); such a file cannot be opened. */
export type FileEntry = { readonly name: string; readonly kind: FileStat['kind'] }

/** What `work` gives; undefined where the guard refuses the file, or it is gone. */
export function unlessRefused<Value>(work: Promise<Value>): Promise<Value | undefined> {
  return work.catch((error: unknown) => {
    if (error instanceof FileError) return undefined
    throw error
  })
}

/** An error whose message is meant for the model. */
export class FileError extends Error {
  override readonly name = 'FileError'
  readonly code: 'not_found' | 'not_regular' | 'outside' | 'protected' | 'too_large' | 'changed' | 'io'
  constructor(code: FileError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
