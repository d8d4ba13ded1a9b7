import { EXIT_CODES, messageOf, reasonOf } from '../contracts/errors.ts'
import type { ProcessIo } from '../contracts/processIo.ts'
import { openOutputFile } from '../files/openOutputFile.ts'
import { encodeUntrusted } from '../report/markdown/encodeUntrusted.ts'

/** Appends a text to a summary. A failure is a warning; never throws. */
export async function addSummary({ warn }: Pick<ProcessIo, 'warn'>, file: string, text: string): Promise<void> {
  try {
    await openOutputFile(file, []).append(text)
  } catch (error) {
    warn(`summary ${file}: ${messageOf(error)}\n`)
  }
}

export async function addRefusal(io: Pick<ProcessIo, 'warn'>, file: string, error: unknown): Promise<void> {
  const reason = reasonOf(error)
  const quoted = encodeUntrusted(messageOf(error)).replace(/^/gm, '    ')
  const head = `## ⛔ kode-run did not start (\`${reason}\`, exit code ${EXIT_CODES[reason].code})`
  await addSummary(io, file, `${head}\n\n${quoted}\n`)
}
