/** What the first bytes of a connection are: not TLS, not enough bytes yet, or a ClientHello with or without a name. */
export type Greeting = 'plain' | 'incomplete' | { readonly serverName: string | undefined }

const HANDSHAKE = 22
const CLIENT_HELLO = 1
const SERVER_NAME = 0

/** The server name that a TLS client requests, in lower case: RFC 8446, sections 4.1.2 and 5.1; RFC 6066, section 3. */
export function readServerName(bytes: Buffer): Greeting {
  if (bytes.length === 0) return 'incomplete'
  if (bytes[0] !== HANDSHAKE) return 'plain'
  const hello = joinRecords(bytes)
  if (hello.length < 4) return 'incomplete'
  if (hello[0] !== CLIENT_HELLO) return 'plain'
  const end = 4 + hello.readUIntBE(1, 3)
  if (hello.length < end) return 'incomplete'
  try {
    return { serverName: findServerName(hello.subarray(0, end)) }
  } catch {
    return 'plain'
  }
}

/** A ClientHello may be split into several records. */
function joinRecords(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at + 5 <= bytes.length && bytes[at] === HANDSHAKE; ) {
    const length = bytes.readUInt16BE(at + 3)
    parts.push(bytes.subarray(at + 5, at + 5 + length))
    at += 5 + length
  }
  return Buffer.concat(parts)
}

/** Reading past the end throws a RangeError. */
function findServerName(hello: Buffer): string | undefined {
  let at = 4 + 2 + 32
  at += 1 + hello.readUInt8(at)
  at += 2 + hello.readUInt16BE(at)
  at += 1 + hello.readUInt8(at)
  if (at === hello.length) return undefined
  const end = at + 2 + hello.readUInt16BE(at)
  for (at += 2; at < end; ) {
    const type = hello.readUInt16BE(at)
    const length = hello.readUInt16BE(at + 2)
    if (type === SERVER_NAME) {
      const nameLength = hello.readUInt16BE(at + 7)
      return hello.toString('latin1', at + 9, at + 9 + nameLength).toLowerCase()
    }
    at += 4 + length
  }
  return undefined
}
