import { extname } from 'node:path'
import { readImageInfo } from '../../lib/media/readImageInfo.ts'
import { FileError } from '../../Tool.ts'
import type { OutputOf } from './readOutputSchema.ts'

type ImageOutput = OutputOf<'image'>
export type PdfOutput = OutputOf<'pdf'>

/** The API's limits: 5 MB of base64 and 8,000 pixels a side for an image; 32 MB and 100 pages for a request with a PDF. */
const MAX_IMAGE_BYTES = (5 * 1024 * 1024 * 3) / 4
const MAX_IMAGE_SIDE = 8000
export const MAX_PDF_BYTES = 15 * 1024 * 1024
export const MAX_PDF_PAGES = 100

const SMALLER = '. Where Bash is allowed, make a smaller copy'
const IMAGE_NAMES = ['.png', '.jpg', '.jpeg', '.gif', '.webp']

/**
 * An image or a PDF as the API accepts it; undefined for any other file. Throws if the API would reject it. `isPart`:
 * only some pages of a PDF are wanted, whatever their total.
 */
export function readMedia(
  filePath: string,
  bytes: Uint8Array,
  { size, isPart }: { readonly size: number; readonly isPart: boolean },
): ImageOutput | PdfOutput | undefined {
  const pdf = readPdfInfo(bytes.subarray(0, 1024)) && readPdf(filePath, bytes, { size, isPart })
  return pdf ?? readImage(filePath, bytes, size)
}

function readImage(filePath: string, bytes: Uint8Array, size: number): ImageOutput | undefined {
  const info = readImageInfo(bytes)
  if (!info) {
    const extension = extname(filePath).toLowerCase()
    if (!IMAGE_NAMES.includes(extension)) return undefined
    throw new FileError('not_regular', `${filePath} cannot be shown: its ${size} bytes are not a whole image`)
  }
  const { mediaType, width, height } = info
  if (size > MAX_IMAGE_BYTES) {
    throw new FileError('too_large', `${filePath} cannot be shown: ${size} bytes, at most ${MAX_IMAGE_BYTES}${SMALLER}`)
  }
  if (Math.max(width, height) > MAX_IMAGE_SIDE) {
    const limit = `at most ${MAX_IMAGE_SIDE} a side`
    throw new FileError('too_large', `${filePath} cannot be shown: ${width} × ${height} pixels, ${limit}${SMALLER}`)
  }
  if (!info.isComplete) throw new FileError('not_regular', `${filePath} cannot be shown: the image is cut off`)
  return { type: 'image', filePath, mediaType, base64: Buffer.from(bytes).toString('base64'), width, height }
}

function readPdf(
  filePath: string,
  bytes: Uint8Array,
  { size, isPart }: { readonly size: number; readonly isPart: boolean },
): PdfOutput {
  const refuse = (why: string) =>
    new FileError('too_large', `${filePath} cannot be shown: ${why}. Where Bash is allowed, pdftotext gives its text`)
  if (size > MAX_PDF_BYTES) throw refuse(`the PDF has ${size} bytes, at most ${MAX_PDF_BYTES}`)
  const info = readPdfInfo(bytes)
  if (!info?.isComplete) throw refuse('the PDF is cut off')
  if (info.isEncrypted) throw refuse('the PDF is encrypted')
  if (!isPart && (info.pages ?? 0) > MAX_PDF_PAGES) {
    throw refuse(`the PDF has ${info.pages} pages, at most ${MAX_PDF_PAGES} at once: give pages`)
  }
  return { type: 'pdf', filePath, base64: Buffer.from(bytes).toString('base64'), pages: info.pages ?? null }
}

/** What is known about a PDF without parsing its objects. `pages` is undefined if the page tree is compressed. */
type PdfInfo = {
  readonly pages: number | undefined
  readonly isEncrypted: boolean
  readonly isComplete: boolean
}

/** Facts about a PDF by its markers; undefined if the bytes are not a PDF. */
function readPdfInfo(bytes: Uint8Array): PdfInfo | undefined {
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
