import { closeSync, createReadStream } from 'node:fs'

/** The number in `/dev/fd/63`, as a shell writes it for `<(command)`. */
export function descriptorOf(path: string): number | undefined {
  const [, number] = /^\/(?:dev|proc\/self)\/fd\/(\d{1,6})$/.exec(path) ?? []
  return number === undefined ? undefined : Number(number)
}

/** What an open descriptor gives to its end, at most one chunk more than `maxBytes`; it is closed when this returns. */
export async function readDescriptor(fd: number, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of createReadStream('', { fd, autoClose: false })) {
      chunks.push(chunk as Buffer)
      size += (chunk as Buffer).length
      if (size > maxBytes) break
    }
  } finally {
    closeSync(fd)
  }
  return Buffer.concat(chunks)
}
