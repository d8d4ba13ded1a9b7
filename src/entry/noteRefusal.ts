import { resolve } from 'node:path'
import { EXIT_CODES, messageOf, RunError } from '../contracts/errors.ts'
import type { ProcessIo } from '../contracts/processIo.ts'
import { removeOutput } from '../files/outputProblem.ts'
import { encodeUntrusted } from '../report/markdown/encodeUntrusted.ts'
import { addSummary } from './addSummary.ts'
import type { RunInvocation } from './readRequest.ts'

/** Writes a requested summary for a run that did not start, leaves no statement about it, and rethrows its error. */
export async function noteRefusal(io: ProcessIo, { flags }: RunInvocation, error: unknown): Promise<never> {
  const file = flags['summary'] as string | undefined
  if (file !== undefined && error instanceof RunError) {
    const { reason } = error
    const quoted = encodeUntrusted(messageOf(error)).replace(/^/gm, '    ')
    const head = `## ⛔ kode-run did not start (\`${reason}\`, exit code ${EXIT_CODES[reason].code})`
    await addSummary(io, resolve(io.cwd, file), `${head}\n\n${quoted}\n`)
  }
  const attest = flags['attest'] as string | undefined
  // A statement of an earlier run would look like one of this run.
  try {
    if (attest !== undefined) removeOutput(resolve(io.cwd, attest))
  } catch {
    // The refusal of the run matters more.
  }
  throw error
}
