import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { type ExitReason, RunError } from '../contracts/errors.ts'

/**
 * The text of a file that the user named: a regular file (or what a link to one leads to), UTF-8, at most `maxBytes`.
 * Never blocks on a pipe or device. Otherwise a `RunError` with the given reason that starts with `label`.
 */
export async function readInputFile(file: string, options: InputFileOptions): Promise<string> {
  const { label, reason, maxBytes } = options
  const fail = (problem: string, cause?: unknown) => new RunError(reason, `${label} ${file}: ${problem}`, { cause })
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    throw fail(error.code === 'ENOENT' ? 'there is no such file.' : `cannot be opened (${error.code}).`, error)
  })
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) throw fail('is not a regular file.')
    if (stat.size > maxBytes) throw fail(`is larger than ${Math.floor(maxBytes / 1_000_000)} MB.`)
    const bytes = await handle.readFile()
    if (bytes.length > maxBytes) throw fail(`is larger than ${Math.floor(maxBytes / 1_000_000)} MB.`)
    return decode(bytes, fail)
  } finally {
    await handle.close()
  }
}

export type InputFileOptions = { readonly label: string; readonly reason: ExitReason; readonly maxBytes: number }

function decode(bytes: Uint8Array, fail: (problem: string) => RunError): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw fail('is not UTF-8 text.')
  }
}
