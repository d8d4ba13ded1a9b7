import { closeSync, read } from 'node:fs'
import { promisify } from 'node:util'

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
