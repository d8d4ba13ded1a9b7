/** What is known about a PDF without parsing its objects. `pages` is undefined if the page tree is compressed. */
export type PdfInfo = {
  readonly pages: number | undefined
  readonly isEncrypted: boolean
  readonly isComplete: boolean
}

/** Facts about a PDF by its markers; undefined if the bytes are not a PDF. */
export function readPdfInfo(bytes: Uint8Array): PdfInfo | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  if (!text.startsWith('%PDF-')) return undefined
  const counted = [...text.matchAll(/\/Type\s*\/Pages\b[^>]{0,2000}?\/Count\s+(\d{1,7})/g)].map((match) =>
    Number(match[1]),
  )
  const listed = text.match(/\/Type\s*\/Page\b/g)?.length ?? 0
  const pages = Math.max(listed, ...counted)
  return {
    pages: pages > 0 ? pages : undefined,
    isEncrypted: /\/Encrypt\s+\d+\s+\d+\s+R/.test(text),
    isComplete: text.slice(-2048).includes('%%EOF'),
  }
}
