import type { ProcessIo } from '../contracts/processIo.ts'
import { escapeWorkflowCommands } from '../report/markdown/encodeUntrusted.ts'
import { verifyTranscript } from '../report/transcript/verifyTranscript.ts'
import type { NamedTranscript } from './findTranscript.ts'

/**
 * What shows or judges a record takes the file as it stands. It says where the hash chain shows a change; null if
 * nowhere.
 */
export async function warnOfChange(io: ProcessIo, { path, shown }: NamedTranscript, what: string) {
  const { isIntact, isUnfinished, problems } = await verifyTranscript(path)
  const [first] = problems
  if (isIntact || isUnfinished || first === undefined) return null
  const problem = `not intact from record ${first.seq} on (${first.reason}): do not trust ${what}.`
  io.warn(escapeWorkflowCommands(`${shown}:${first.line}: ${problem}\n`))
  return problem
}
