import { FileError } from '../../Tool.ts'
import { MAX_PDF_BYTES, MAX_PDF_PAGES, type PdfOutput } from './readMedia.ts'

/** `3` or `1-5`; undefined for anything else. */
export function parsePages(pages: string): { readonly first: number; readonly last: number } | undefined {
  const [, from = '', to = from] = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(pages) ?? []
  const [first, last] = [Number(from), Number(to)]
  return from === '' || first < 1 || last < first ? undefined : { first, last }
}

/** `page 3` or `pages 1-5`. */
export function pagesOf(wanted: string): string {
  return `page${wanted.includes('-') ? 's' : ''} ${wanted.trim()}`
}

/** The requested pages of a PDF, or the whole PDF if it cannot be split (`isCut` is false). */
export async function readPdfPages(whole: PdfOutput, wanted: string): Promise<PdfOutput> {
  const range = parsePages(wanted)
  const cut = range && (await cutPdf(Buffer.from(whole.base64, 'base64'), range.first, range.last))
  if (cut === undefined && (whole.pages ?? 0) <= MAX_PDF_PAGES) return { ...whole, isCut: false }
  if (range === undefined || cut === undefined) throw refused(whole, 'its pages cannot be taken apart')
  if (range.last - range.first >= MAX_PDF_PAGES) throw refused(whole, `at most ${MAX_PDF_PAGES} pages at once`)
  if (cut.bytes === undefined) throw refused(whole, `it has ${cut.pages} pages, and you asked for ${pagesOf(wanted)}`)
  if (cut.bytes.length > MAX_PDF_BYTES)
    throw refused(whole, `these pages have ${cut.bytes.length} bytes; ask for fewer`)
  return { ...whole, base64: Buffer.from(cut.bytes).toString('base64'), pages: cut.pages, isCut: true }
}

function refused({ filePath }: PdfOutput, why: string): FileError {
  return new FileError('too_large', `${filePath} cannot be shown: ${why}`)
}

/** These pages as a document, without bytes if there are none, and the number of all. Undefined: not readable. */
async function cutPdf(bytes: Uint8Array, first: number, last: number) {
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
