import { EXIT_CODES } from '../contracts/errors.ts'
import type { ProcessIo } from '../contracts/processIo.ts'
import { escapeWorkflowCommands } from '../report/markdown/encodeUntrusted.ts'
import { isUnbegun } from '../report/transcript/isUnbegun.ts'
import { type Verification, verifyTranscript } from '../report/transcript/verifyTranscript.ts'
import { quotedPath } from '../report/words.ts'
import { findTranscript } from './findTranscript.ts'
import type { CommandLine } from './runCommandLine.ts'

/**
 * `kode-run verify TRANSCRIPT`: checks that a transcript is complete and unchanged, and prints its head hash. Otherwise
 * exits with 65 and names the first bad record. A run that was killed has no end record, so it is not complete.
 */
export async function verify(io: ProcessIo, line: CommandLine): Promise<number> {
  const { positionals, flags } = line
  const { path, shown } = await findTranscript(io, line, positionals[0] ?? '')
  const verification = await verifyTranscript(path, flags['head'] as string | undefined)
  const text = isUnbegun(path) ? unbegun(shown, verification) : render(shown, verification)
  io.print(flags['json'] === true ? `${JSON.stringify(verification, null, 2)}\n` : escapeWorkflowCommands(text))
  return verification.isIntact ? 0 : EXIT_CODES.transcript_damaged.code
}

function unbegun(file: string, { problems }: Verification): string {
  return `${file}: nothing was done: killed before the first record, or still starting.\n${linesOf(problems)}\n`
}

function render(file: string, verification: Verification): string {
  const { isUnfinished, problems, run, records, calls, head } = verification
  const [first] = problems
  const facts = `${records} records of run ${run ?? '(none)'}, head ${head}`
  if (first === undefined) return `${file}: intact, ${facts}\n`
  if (isUnfinished) {
    const last = calls === 0 ? 'before its first call ended' : `after call ${calls}`
    return `${file}: intact but unfinished: killed ${last}, or still running. ${facts}\n${linesOf(problems)}\n${nextSteps(file)}`
  }
  return `${file}: not intact from record ${first.seq} on, ${facts}\n${linesOf(problems)}\n`
}

/** What a person wants to know about a killed run: how far it came, and how to go on. */
function nextSteps(file: string): string {
  const name = quotedPath(file)
  return `See what it did: kode-run report ${name}\nIf it was killed, continue it: kode-run --resume ${name}\n`
}

function linesOf(problems: Verification['problems']): string {
  return problems.map(({ seq, line, reason }) => `  line ${line}, record ${seq}: ${reason}`).join('\n')
}
