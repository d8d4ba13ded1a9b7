import type { Door } from '../contracts/door.ts'
import { messageOf } from '../contracts/errors.ts'
import { openOutputFile } from '../files/openOutputFile.ts'

/** Adds a text to the summary that GitHub's runner offers. Where that cannot be done it is said: never throws. */
export async function addSummary({ warn }: Pick<Door, 'warn'>, file: string, text: string): Promise<void> {
  try {
    await openOutputFile(file, []).append(text)
  } catch (error) {
    warn(`GITHUB_STEP_SUMMARY ${file}: ${messageOf(error)}\n`)
  }
}
