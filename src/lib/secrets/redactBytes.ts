/** A file's bytes after redaction; `isText` if they are UTF-8. */
export type RedactedBytes = { readonly bytes: Uint8Array; readonly isText: boolean; readonly isChanged: boolean }

/** Applies a text redaction to bytes: to the text if they are UTF-8, otherwise byte by byte. */
export function redactBytes(bytes: Uint8Array, redact: (text: string) => string): RedactedBytes {
  const text = decodeText(bytes)
  const before = text ?? Buffer.from(bytes).toString('latin1')
  const after = redact(before)
  const isText = text !== undefined
  if (after === before) return { bytes, isText, isChanged: false }
  return { bytes: Buffer.from(after, isText ? 'utf8' : 'latin1'), isText, isChanged: true }
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // Not UTF-8, so not text.
    return undefined
  }
}
