import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { messageOf, RunError } from '../contracts/errors.ts'

const MAX_BYTES = 4096

export type ApiKeySources = {
  /** `--api-key-fd`: read to its end and closed. */
  readonly descriptor?: number | undefined
  /** `--api-key-file`. */
  readonly file?: string | undefined
  /** The value of an environment variable, with its name. */
  readonly variable?: { readonly name: string; readonly value: string } | undefined
}

/**
 * The API key from the first source that is given: descriptor, file, environment. Undefined where none is. Throws `auth`
 * for one that cannot be read or cannot be a key; no message holds any of it.
 */
export function readApiKey({ descriptor, file, variable }: ApiKeySources): string | undefined {
  if (descriptor !== undefined) return clean(readDescriptor(descriptor), `--api-key-fd ${descriptor}`)
  if (file !== undefined) return clean(readFile(file), `--api-key-file ${file}`)
  return variable === undefined || variable.value.trim() === '' ? undefined : clean(variable.value, variable.name)
}

/** Every HTTP library puts a key with a line end in it into its error message; so it does not get that far. */
function clean(text: string, source: string): string {
  const key = text.trim()
  if (key === '') throw new RunError('auth', `${source} is empty: it must hold the API key`)
  if (key.length > MAX_BYTES)
    throw new RunError('auth', `${source} is longer than ${MAX_BYTES} bytes: that is no API key`)
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new RunError('auth', `${source} holds white space or other characters that no API key has`)
  }
  return key
}

function readFile(path: string): string {
  let descriptor: number
  try {
    descriptor = openSync(path, 'r')
  } catch (error) {
    throw new RunError('auth', `the API key file cannot be opened: ${messageOf(error)}`, { cause: error })
  }
  return readDescriptor(descriptor)
}

/** One byte more than a key may have is enough to refuse it. */
function readDescriptor(descriptor: number): string {
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile() && !stat.isFIFO() && !stat.isSocket()) throw new Error('it is neither a file nor a pipe')
    const bytes = Buffer.alloc(MAX_BYTES + 1)
    let size = 0
    for (let count = -1; count !== 0 && size < bytes.length; size += count) {
      count = readSync(descriptor, bytes, size, bytes.length - size, null)
    }
    return bytes.toString('utf8', 0, size)
  } catch (error) {
    throw new RunError('auth', `the API key cannot be read from descriptor ${descriptor}: ${messageOf(error)}`, {
      cause: error,
    })
  } finally {
    close(descriptor)
  }
}

/** It may never have been open. */
function close(descriptor: number): void {
  try {
    closeSync(descriptor)
  } catch (error) {
    if (!messageOf(error).includes('EBADF')) throw error
  }
}
