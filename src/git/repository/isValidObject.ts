import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { orElse } from '../../lib/orElse.ts'

const MAX_BYTES = 1024 ** 3

/**
 * True if the content of a loose object matches its name. Git does not check this when it reads one, so a wrong object
 * would pass as another.
 */
export function isValidObject(name: string, bytes: Uint8Array): boolean {
  return orElse(false, () => {
    const oid = name.replace(/^objects\/|\//g, '')
    const content = inflateSync(bytes, { maxOutputLength: MAX_BYTES })
    return (
      createHash(oid.length === 64 ? 'sha256' : 'sha1')
        .update(content)
        .digest('hex') === oid
    )
  })
}
