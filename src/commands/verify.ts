import { resolve } from 'node:path'
import { EXIT_CODES } from '../contracts/errors.ts'
import type { ProcessIo } from '../contracts/processIo.ts'
import { type Verification, verifyTranscript } from '../report/transcript/verifyTranscript.ts'
import type { CommandLine } from './runCommandLine.ts'

/**
 * `kode-run verify TRANSCRIPT`: says whether a record is whole and untouched, and its head. Exit 65 names the first bad number;
 * a run that was killed has no end record, and is not whole.
 */
export async function verify(io: ProcessIo, { positionals: [file = ''], flags }: CommandLine): Promise<number> {
  const verification = await verifyTranscript(resolve(io.cwd, file), flags['head'] as string | undefined)
  io.print(flags['json'] === true ? `${JSON.stringify(verification, null, 2)}\n` : render(file, verification))
  return verification.isIntact ? 0 : EXIT_CODES.transcript_damaged.code
}

function render(file: string, verification: Verification): string {
  const { isIntact, isUnfinished, problems, run, records, calls, head } = verification
  const [first] = problems
  const facts = `${records} records of run ${run ?? '(none)'}, head ${head}`
  if (isIntact || first === undefined) return `${file}: intact, ${facts}\n`
  const lines = problems.map(({ seq, line, reason }) => `  line ${line}, record ${seq}: ${reason}`)
  if (isUnfinished) {
    const last = calls === 0 ? 'before its first call ended' : `after call ${calls}`
    return `${file}: intact but unfinished: killed ${last}, or still running. ${facts}\n${lines.join('\n')}\n`
  }
  return `${file}: not intact from record ${first.seq} on, ${facts}\n${lines.join('\n')}\n`
}
