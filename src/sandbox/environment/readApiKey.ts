import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, RunError } from '../../contracts/errors.ts'
import { orElse } from '../../lib/orElse.ts'

const MAX_BYTES = 4096

/** How long the writer of a pipe may take. */
const PATIENCE_MS = 10_000
const LOOK_MS = 20
const O_UNBLOCKED = constants.O_RDONLY | constants.O_NONBLOCK

export type ApiKeySources = {
  /** `--api-key-fd`: read to its end and closed. */
  readonly descriptor?: number | undefined
  /** `--api-key-file`. */
  readonly file?: string | undefined
  /** The value of an environment variable, with its name. */
  readonly variable?: { readonly name: string; readonly value: string } | undefined
}

/**
 * The API key from the first given source: descriptor, file, environment. Undefined without a source. Throws `auth` for
 * a key that cannot be read or is invalid; no message contains any part of it.
 */
export async function readApiKey({ descriptor, file, variable }: ApiKeySources): Promise<string | undefined> {
  if (descriptor !== undefined) return clean(await readDescriptor(descriptor), `--api-key-fd ${descriptor}`)
  if (file !== undefined) return clean(await readFile(file), `--api-key-file ${file}`)
  return variable === undefined || variable.value.trim() === '' ? undefined : clean(variable.value, variable.name)
}

/** The variable with the key: `ANTHROPIC_AUTH_TOKEN`, as for Claude Code, before `ANTHROPIC_API_KEY`. Both are sent as a bearer token. */
export function keyVariable(environment: Readonly<Record<string, string | undefined>>): ApiKeySources['variable'] {
  const name = ['ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_API_KEY'].find((each) => (environment[each] ?? '').trim() !== '')
  return name === undefined ? undefined : { name, value: environment[name] ?? '' }
}

/** Every HTTP library puts a key with a line end into its error message, so such a key is rejected here. */
function clean(text: string, source: string): string {
  const key = text.trim()
  if (key === '') throw new RunError('auth', `${source} is empty: it must hold the API key`)
  if (key.length > MAX_BYTES)
    throw new RunError('auth', `${source} is longer than ${MAX_BYTES} bytes, so it is not an API key`)
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new RunError('auth', `${source} contains white space or other characters that an API key never has`)
  }
  return key
}

async function readFile(path: string): Promise<string> {
  let descriptor: number
  try {
    descriptor = openSync(path, O_UNBLOCKED)
  } catch (error) {
    throw new RunError('auth', `the API key file cannot be opened: ${messageOf(error)}`, { cause: error })
  }
  return readAll(descriptor, `the API key cannot be read from ${path}`, true)
}

/** The pipe is opened a second time, so that reading never blocks. If that fails, it is read as it is. */
async function readDescriptor(descriptor: number): Promise<string> {
  const label = `the API key cannot be read from descriptor ${descriptor}`
  const isPipe = () => fstatSync(descriptor).isFIFO()
  const own = orElse(descriptor, () => (isPipe() ? openSync(`/proc/self/fd/${descriptor}`, O_UNBLOCKED) : descriptor))
  try {
    return await readAll(own, label, false)
  } finally {
    if (own !== descriptor) close(descriptor)
  }
}

/**
 * One byte more than a key may have is enough to reject it. The writer of a pipe has a few seconds. `mayBegin`: a pipe
 * that reads as ended may not have been opened for writing yet.
 */
async function readAll(descriptor: number, label: string, mayBegin: boolean): Promise<string> {
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile() && !stat.isFIFO() && !stat.isSocket()) throw new Error('it is neither a file nor a pipe')
    const bytes = Buffer.alloc(MAX_BYTES + 1)
    const end = performance.now() + PATIENCE_MS
    let size = 0
    while (size < bytes.length) {
      const count = tryRead(descriptor, bytes.subarray(size))
      size += count ?? 0
      if (count === 0 && (size > 0 || !mayBegin || !stat.isFIFO())) break
      if (count !== undefined && count > 0) continue
      if (performance.now() > end) throw new Error(`nobody wrote it within ${PATIENCE_MS / 1000} s`)
      await sleep(LOOK_MS)
    }
    return bytes.toString('utf8', 0, size)
  } catch (error) {
    throw new RunError('auth', `${label}: ${messageOf(error)}`, { cause: error })
  } finally {
    close(descriptor)
  }
}

/** Undefined if there is nothing yet. */
function tryRead(descriptor: number, bytes: Uint8Array): number | undefined {
  try {
    return readSync(descriptor, bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined
    throw error
  }
}

/** It may never have been open. */
function close(descriptor: number): void {
  orElse(undefined, () => closeSync(descriptor))
}
