import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { orFail } from '../../contracts/errors.ts'
import { syncFolder } from '../../lib/fs/folders.ts'
import { redactBytes } from '../../lib/secrets/redact.ts'

export type Blobs = ReturnType<typeof createBlobStore>

/**
 * Bodies too large for a record, stored by content beside the transcript: `blobs/<sha256>`. `folder` is created for the
 * first body, and `redact` sees every body before it is written.
 */
export function createBlobStore(folder: string, redact: (text: string) => string) {
  return {
    /** Stores a body, without secrets, and returns its absolute path. The file is on disk when this returns. */
    put(content: string | Uint8Array): string {
      const { bytes } = redactBytes(typeof content === 'string' ? Buffer.from(content) : content, redact)
      const path = join(folder, createHash('sha256').update(bytes).digest('hex'))
      const fault = `a body of the record, ${path}, cannot be written`
      if (!existsSync(path)) orFail('io_error', fault, () => writeDurably(path, bytes))
      return path
    },
    /** True for a path inside the blob folder. */
    owns: (path: string): boolean => path.startsWith(folder + sep) && dirname(path) === folder,
  }
}

function writeDurably(path: string, bytes: Uint8Array): void {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(temporary, bytes, { flag: 'wx', mode: 0o600, flush: true })
  renameSync(temporary, path)
  syncFolder(folder)
}
