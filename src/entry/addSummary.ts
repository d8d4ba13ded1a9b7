import { messageOf } from '../contracts/errors.ts'
import type { ProcessIo } from '../contracts/processIo.ts'
import { openOutputFile } from '../files/openOutputFile.ts'

/** Appends a text to a summary. A failure is a warning; never throws. */
export async function addSummary({ warn }: Pick<ProcessIo, 'warn'>, file: string, text: string): Promise<void> {
  try {
    await openOutputFile(file, []).append(text)
  } catch (error) {
    warn(`summary ${file}: ${messageOf(error)}\n`)
  }
}
