import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { type ExitReason, RunError } from '../contracts/errors.ts'

/**
 * The text of a file that the user named: a regular file (or what a link to one leads to), UTF-8, at most `maxBytes`.
 * Never blocks on a pipe or device. Otherwise a `RunError` with the given reason that starts with `label`. Reads at once: at
 * a run's start, Node's threads for files wait behind those that compile, which costs more than the file.
 */
export async function readInputFile(file: string, options: InputFileOptions): Promise<string> {
  const { label, reason, maxBytes } = options
  const fail = (problem: string, cause?: unknown) => new RunError(reason, `${label} ${file}: ${problem}`, { cause })
  const descriptor = openInput(file, fail)
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) throw fail('is not a regular file.')
    if (stat.size > maxBytes) throw fail(`is larger than ${Math.floor(maxBytes / 1_000_000)} MB.`)
    const bytes = readFileSync(descriptor)
    if (bytes.length > maxBytes) throw fail(`is larger than ${Math.floor(maxBytes / 1_000_000)} MB.`)
    return decode(bytes, fail)
  } finally {
    closeSync(descriptor)
  }
}

type Fail = (problem: string, cause?: unknown) => RunError

function openInput(file: string, fail: Fail): number {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw fail(code === 'ENOENT' ? 'there is no such file.' : `cannot be opened (${code}).`, error)
  }
}

export type InputFileOptions = { readonly label: string; readonly reason: ExitReason; readonly maxBytes: number }

function decode(bytes: Uint8Array, fail: Fail): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw fail('is not UTF-8 text.')
  }
}
