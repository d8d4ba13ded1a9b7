import { closeSync, constants, fstatSync, openSync, read, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { type ExitReason, RunError } from '../../contracts/errors.ts'

/**
 * The text of a file that the user named: a regular file (or a link to one), UTF-8, at most `maxBytes`. Never blocks on
 * a pipe or device. Otherwise throws a `RunError` with the given reason, starting with `label`. Reads synchronously: at
 * the start of a run, Node's file threads are busy compiling, and waiting for them costs more.
 */
export async function readInputFile(file: string, options: InputFileOptions): Promise<string> {
  const { label, reason, maxBytes } = options
  const fail = (problem: string, cause?: unknown) => new RunError(reason, `${label} ${file}: ${problem}`, { cause })
  const inherited = options.mayInherit === true ? descriptorOf(file) : undefined
  const bytes =
    inherited === undefined
      ? readNamed(file, maxBytes, fail)
      : await readDescriptor(inherited, maxBytes).catch((error: unknown) => {
          throw fail('cannot be read.', error)
        })
  if (bytes === undefined || bytes.length > maxBytes)
    throw fail(`is larger than ${Math.floor(maxBytes / 1_000_000)} MB.`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw fail('is not UTF-8 text.')
  }
}

type Fail = (problem: string, cause?: unknown) => RunError

/** Undefined for a file that says itself that it is larger. */
function readNamed(file: string, maxBytes: number, fail: Fail): Buffer | undefined {
  const descriptor = openInput(file, fail)
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) throw fail('is not a regular file.')
    return stat.size > maxBytes ? undefined : readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function openInput(file: string, fail: Fail): number {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw fail(code === 'ENOENT' ? 'there is no such file.' : `cannot be opened (${code}).`, error)
  }
}

export type InputFileOptions = {
  readonly label: string
  readonly reason: ExitReason
  readonly maxBytes: number
  /** True: `/dev/fd/N`, which a shell writes for `<(command)`, is read to its end and closed. */
  readonly mayInherit?: boolean
}

const CHUNK = 64 * 1024

const readSome = promisify(read)

/** The number in `/dev/fd/63`, as a shell writes it for `<(command)`. */
export function descriptorOf(path: string): number | undefined {
  const [, number] = /^\/(?:dev|proc\/self)\/fd\/(\d{1,6})$/.exec(path) ?? []
  return number === undefined ? undefined : Number(number)
}

/**
 * What an open descriptor gives to its end, at most one chunk more than `maxBytes`; it is closed when this returns. Not by
 * a stream: one that is left early closes the descriptor later, when its number may belong to another file.
 */
export async function readDescriptor(fd: number, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  try {
    for (let size = 0; size <= maxBytes; ) {
      const { bytesRead, buffer } = await readSome(fd, Buffer.alloc(CHUNK), 0, CHUNK, null)
      if (bytesRead === 0) break
      chunks.push(buffer.subarray(0, bytesRead))
      size += bytesRead
    }
  } finally {
    closeSync(fd)
  }
  return Buffer.concat(chunks)
}
