import { dirname, join } from 'node:path'
import type { CheckLeftover, InitEvent, RefChange } from '../contracts/events.ts'
import { visibleName } from '../lib/text/visibleName.ts'
import { counted, formatDuration, oneLine, someOf } from '../lib/text/words.ts'
import { spellWord } from '../shell/words/quoteWord.ts'
import type { CheckReport, Refusal, RunReport } from './fold/runReport.ts'

/** `network none (enforced)`, `network: unrestricted`: an open network enforces nothing, so it has no state. */
export function networkWords({ mode, state }: InitEvent['network']): string {
  return mode === 'open' ? 'network: unrestricted' : `network ${mode} (${state})`
}

/** What is in force, in one phrase, with the reason where there is no sandbox and how to find out more. */
export function wallWords({ sandbox, effects, network }: InitEvent): string {
  const { mode, state, detail } = sandbox
  const why =
    state === 'enforced' ? '' : mode === 'off' ? ' by the policy' : ` (${oneLine(detail, 200)}; see kode-run doctor)`
  const wall = detail.startsWith('landlock') ? 'landlock' : state
  return `sandbox ${wall}${why}${effects === undefined ? '' : `, changes ${effects.state}`}, ${networkWords(network)}`
}

/** `new at 1a2b3c4`, `removed`, `refs/heads/main → refs/heads/work`: what happened to a name of git's. */
export function refWords({ before, now }: RefChange): string {
  const short = (word: string) => (word.startsWith('refs/') ? word : word.slice(0, 7))
  if (now === null) return 'removed'
  return before === null ? `new at ${short(now)}` : `${short(before)} → ${short(now)}`
}

/** `passed, 1.2 s`, `failed with exit code 1, 2 attempts, 3 s`. */
export function checkWords({ ok, exit_code, attempts, duration_ms }: Omit<CheckReport, 'output'>): string {
  const state = ok ? 'passed' : `failed ${checkFailure(exit_code)}`
  return `${state}${attempts > 1 ? `, ${attempts} attempts` : ''}, ${formatDuration(duration_ms)}`
}

/** How a check failed, to follow "failed": its exit code, or a success that its output contradicts. */
export function checkFailure(exitCode: number | null): string {
  if (exitCode === null) return 'with no exit code'
  return exitCode === 0 ? 'although its exit code is 0' : `with exit code ${exitCode}`
}

/** The name of the file with what a run proposed, in the folder of its transcript. */
export function outputsFileName(run: string): string {
  return `${run}-outputs.jsonl`
}

type Proposed = { readonly transcript: string; readonly run: string; readonly policy: string | undefined }

/** What a run proposed, and the command that applies it. */
export function proposalWords(kinds: readonly string[], { transcript, run, policy }: Proposed) {
  const counts = [...new Set(kinds)].map((kind) =>
    counted(kinds.filter((each) => each === kind).length, kind.replaceAll('_', ' ')),
  )
  const file = join(dirname(transcript), outputsFileName(run))
  const under = policy === undefined ? '' : ` --policy ${spellWord(policy)}`
  return { what: counts.join(', '), command: `kode-run apply ${spellWord(file)}${under}` }
}

/** What a check may have used that no rule covered, and what would mend it; '' for nothing. `nameOf`: of a call. */
export function leftoverWords(
  leftovers: readonly CheckLeftover[] = [],
  nameOf: (id: string) => string = (id) => id,
): string {
  if (leftovers.length === 0) return ''
  const authors = (by: readonly string[]) => someOf([...new Set(by.map(nameOf))], SHOWN)
  const what = leftovers.map(({ what, by }) => `${oneLine(what, 100)} by ${authors(by)}`).join(', ')
  const mend = leftovers.some(({ path }) => path !== undefined) ? '; `checks.prepare` makes ignored files anew' : ''
  return `It may have used what commands left: ${what}${mend}.`
}

const SHOWN = 3

/** Advice for the model alone; older records lack "thing". */
const ADVICE =
  / (?:Do not look for another way to do the same(?: thing)?|Leave it out by name, or look elsewhere|Name the files in the line)\.$/

/** Why a call was denied, for people: without the place of the rule, which is shown beside it, and advice to the model. */
export function denialText({ reason, source, line }: Refusal): string {
  return withoutAdvice(source === null ? reason : reason.replace(` (${source}:${line})`, ''))
}

/** A sentence for the model, as people read it. */
export function withoutAdvice(sentence: string): string {
  return sentence.replace(ADVICE, '')
}

/** One sentence for each thing to know: the warnings of the run, and what nobody accounts for. */
export function warningWords({ warnings, integrity }: Pick<RunReport, 'warnings' | 'integrity'>): readonly string[] {
  const { unaccounted_files = [], command_files_touched = [], processes_left = 0 } = integrity ?? {}
  return [
    ...warnings,
    ...unaccounted_files.map((file) => `Changed by no known call: \`${visibleName(file)}\``),
    ...command_files_touched.map((file) => `Runner command file touched: \`${visibleName(file)}\``),
    ...(processes_left > 0 ? [`Processes left behind: ${processes_left}`] : []),
  ]
}

/** How many calls were denied; equal ones count each. */
export function deniedCalls({ denials }: Pick<RunReport, 'denials'>): number {
  return denials.reduce((sum, { count }) => sum + count, 0)
}

/** ` × 3`, after a call that is shown once; empty for a single one. */
export function timesWords(count: number): string {
  return count > 1 ? ` × ${count}` : ''
}

/** `ci/policy.yml:7`, or the file alone where no line is known. */
export function placeWords(file: string, line: number | null): string {
  return line === null || line === 0 ? file : `${file}:${line}`
}
