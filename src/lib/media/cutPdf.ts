/** Some pages of a PDF as a document of their own. */
export type CutPdf = {
  /** Undefined if the document has none of these pages. */
  readonly bytes: Uint8Array | undefined
  /** Pages of the whole document. */
  readonly pages: number
}

/** The pages from `first` to `last`, counted from 1; undefined if the library cannot read the document. */
export async function cutPdf(bytes: Uint8Array, first: number, last: number): Promise<CutPdf | undefined> {
  const { PDFDocument } = await import('@cantoo/pdf-lib')
  try {
    const whole = await PDFDocument.load(bytes, { updateMetadata: false })
    const pages = whole.getPageCount()
    const wanted = Array.from({ length: Math.max(0, Math.min(last, pages) - first + 1) }, (_, at) => first - 1 + at)
    if (wanted.length === 0) return { bytes: undefined, pages }
    const part = await PDFDocument.create({ updateMetadata: false })
    for (const page of await part.copyPages(whole, wanted)) part.addPage(page)
    return { bytes: await part.save(), pages }
  } catch {
    return undefined
  }
}
