import { join } from 'node:path'
import type { FileAccess } from '../contracts/files.ts'
import { fileError } from './toFileError.ts'

/** The new state of a file; without content it is removed. `mode` is git's. */
export type NewFile = { readonly path: string; readonly mode: string; readonly content: Uint8Array | undefined }

/** The largest file that can be restored. */
const MAX_BYTES = 512 * 1024 * 1024

/**
 * Brings files to a new state through the guard of all in-process writes, all or none. If one fails, the earlier ones
 * are restored, with who may run them, and the error is thrown.
 */
export async function writeStaged(top: string, files: readonly NewFile[], access: FileAccess): Promise<void> {
  const undo: (() => Promise<unknown>)[] = []
  try {
    for (const { path, mode, content } of files) {
      const place = join(top, path)
      const old = await stateOf(place, access)
      if (content !== undefined) await access.write(place, content, { isExecutable: mode === '100755' })
      else await access.remove(place)
      undo.unshift(() => (old === undefined ? access.remove(place) : access.write(place, old.bytes, old)))
    }
  } catch (error) {
    for (const step of undo) await step().catch(() => undefined)
    throw error
  }
}

async function stateOf(place: string, access: FileAccess) {
  const stat = await access.stat(place)
  if (stat === undefined) return undefined
  const { bytes, size } = await access.read(place, { maxBytes: MAX_BYTES })
  if (bytes.length < size) throw fileError('too_large', place, 'is too large to be restored')
  return { bytes, isExecutable: stat.isExecutable }
}
