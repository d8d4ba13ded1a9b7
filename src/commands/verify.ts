import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { EXIT_CODES, orFail, RunError } from '../contracts/errors.ts'
import type { ProcessIo } from '../contracts/processIo.ts'
import { counted } from '../lib/text/words.ts'
import { createReportFold } from '../report/fold/foldReport.ts'
import { createStatement, parseStatement, statementDifferences } from '../report/formats/attestation.ts'
import { escapeWorkflowCommands } from '../report/markdown/encodeUntrusted.ts'
import { isUnbegun } from '../report/transcript/isUnbegun.ts'
import { readTranscript } from '../report/transcript/readTranscript.ts'
import { type Verification, verifyTranscript } from '../report/transcript/verifyTranscript.ts'
import { spellWord } from '../shell/words/quoteWord.ts'
import { findTranscript } from './findTranscript.ts'
import type { CommandLine } from './runCommandLine.ts'

/**
 * `kode-run verify TRANSCRIPT`: checks that a transcript is complete and unchanged, and prints its head hash. Otherwise
 * exits with 65 and names the first bad record. A run that was killed has no end record, so it is not complete.
 */
export async function verify(io: ProcessIo, line: CommandLine): Promise<number> {
  const { positionals, flags } = line
  const head = flags['head'] as string | undefined
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(head))
    throw new RunError(
      'usage',
      `--head: ${JSON.stringify(head)} is no head. It has the 64 hex digits that a run prints at its end.`,
    )
  const { path, shown } = await findTranscript(io, line, positionals[0] ?? '')
  const verification = await verifyTranscript(path, head)
  const file = flags['attestation'] as string | undefined
  const attestation = file && { file, differences: await attested(path, resolve(io.cwd, file)) }
  const text = isUnbegun(path) ? unbegun(shown, verification) : render(shown, verification)
  const all = attestation ? `${text}${renderAttested(attestation)}` : text
  const json = { ...verification, ...(attestation && { attestation }) }
  io.print(flags['json'] === true ? `${JSON.stringify(json, null, 2)}\n` : escapeWorkflowCommands(all))
  const isGood = verification.isIntact && !(attestation && attestation.differences.length > 0)
  return isGood ? 0 : EXIT_CODES.transcript_damaged.code
}

/** In what the statement differs from the one that this transcript gives. Throws `bad_input` if there is none. */
async function attested(path: string, file: string): Promise<string[]> {
  const given = orFail('bad_input', `--attestation ${file}`, () => parseStatement(readFileSync(file, 'utf8')))
  const fold = createReportFold()
  const digest = createHash('sha256')
  for await (const item of readTranscript(path)) if (item.kind === 'record') fold.add(item.record)
  for await (const chunk of createReadStream(path)) digest.update(chunk)
  return statementDifferences(given, createStatement(fold.report(), { transcript: digest.digest('hex') }))
}

function renderAttested({ file, differences }: { readonly file: string; readonly differences: readonly string[] }) {
  if (differences.length === 0) return `${file}: is about this transcript (who signed it is not checked here)\n`
  return `${file}: is not about this transcript\n${differences.map((line) => `  ${line}\n`).join('')}`
}

function unbegun(file: string, { problems }: Verification): string {
  return `${file}: nothing was done: killed before the first record, or still starting.\n${linesOf(problems)}\n`
}

function render(file: string, verification: Verification): string {
  const { isUnfinished, problems, run, records, calls, hasEnd, head } = verification
  const [first] = problems
  const facts = `${counted(records, 'record')} of run ${run ?? '(none)'}, head ${head}`
  if (first === undefined) return `${file}: intact, ${facts}\n`
  if (records === 0) return `${file}: no transcript: it contains no record (line ${first.line}: ${first.reason})\n`
  if (isUnfinished) {
    const last = calls === 0 ? 'before its first call ended' : `after call ${calls}`
    const why = hasEnd ? 'not everything could be written' : `killed ${last}, or still running`
    return `${file}: intact but unfinished: ${why}. ${facts}\n${linesOf(problems)}\n${nextSteps(file)}`
  }
  return `${file}: not intact from record ${first.seq} on, ${facts}\n${linesOf(problems)}\n`
}

function nextSteps(file: string): string {
  const name = spellWord(file)
  return `See what it did: kode-run report ${name}\nIf it has ended, continue it: kode-run --resume ${name}\n`
}

function linesOf(problems: Verification['problems']): string {
  return problems.map(({ seq, line, reason }) => `  line ${line}, record ${seq}: ${reason}`).join('\n')
}
