import { createHash } from 'node:crypto'

/** The link from one record of a transcript to the next: SHA-256 of the line's bytes without the line end. */
export function hashOfLine(line: string | Buffer): string {
  return createHash('sha256').update(line).digest('hex')
}
