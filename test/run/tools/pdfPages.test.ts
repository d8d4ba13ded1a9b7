import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import { describe, expect, it } from 'vitest'
import { playRun } from '../../helpers/runs/playRun.ts'

async function pdf(useObjectStreams: boolean): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  for (const width of [100, 101, 102]) document.addPage([width, 100]).drawText('words')
  return document.save({ useObjectStreams })
}

describe('pages of a PDF', () => {
  it('are cut by the built program, which has only a part of the PDF library', { tags: 'long' }, async () => {
    const [plain, packed] = [await pdf(false), await pdf(true)]
    const read = (file_path: string) => ({ name: 'Read', input: { file_path, pages: '2-3' } })
    const run = await playRun([read('plain.pdf'), read('packed.pdf')], {
      isProcess: true,
      prepare: (project) => {
        writeFileSync(join(project, 'plain.pdf'), plain)
        writeFileSync(join(project, 'packed.pdf'), packed)
      },
    })
    expect(run.told).toEqual(Array.from({ length: 2 }, () => 'PDF, 3 pages, only pages 2-3.\n[document]'))
  })
})
