import type { ProcessIo } from '../contracts/processIo.ts'
import { escapeWorkflowCommands } from '../report/markdown/encodeUntrusted.ts'
import { verifyTranscript } from '../report/transcript/verifyTranscript.ts'
import type { NamedTranscript } from './findTranscript.ts'

/** What shows or judges a record takes the file as it stands. It says where the hash chain shows a change; true if it does. */
export async function warnOfChange(io: ProcessIo, { path, shown }: NamedTranscript, what: string): Promise<boolean> {
  const { isIntact, isUnfinished, problems } = await verifyTranscript(path)
  const [first] = problems
  if (isIntact || isUnfinished || first === undefined) return false
  const problem = `${shown}:${first.line}: not intact from record ${first.seq} on (${first.reason})`
  io.warn(escapeWorkflowCommands(`${problem}: do not trust ${what}.\n`))
  return true
}
