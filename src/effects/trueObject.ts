import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'

const MOST_BYTES = 1024 ** 3

/**
 * True where the content of a loose object has the name that it stands under. Git does not look when it reads one: an
 * object with another's name would be taken for it.
 */
export function isTrueObject(name: string, bytes: Uint8Array): boolean {
  try {
    const oid = name.replace(/^objects\/|\//g, '')
    const content = inflateSync(bytes, { maxOutputLength: MOST_BYTES })
    return (
      createHash(oid.length === 64 ? 'sha256' : 'sha1')
        .update(content)
        .digest('hex') === oid
    )
  } catch {
    return false
  }
}
