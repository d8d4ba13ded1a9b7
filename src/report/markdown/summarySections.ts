import { visibleName } from '../../lib/text/visibleName.ts'
import { counted, formatCost, formatDuration, formatNumber, oneLine } from '../../lib/text/words.ts'
import { callLabel } from '../callLabel.ts'
import { nameOfCall } from '../fold/authorsOf.ts'
import type { CallReport, DenialReport, RunReport } from '../fold/runReport.ts'
import { groupRefused, suggestionYaml } from '../suggestionYaml.ts'
import {
  checkWords,
  denialText,
  deniedCalls,
  leftoverWords,
  placeWords,
  proposalWords,
  timesWords,
  wallWords,
  warningWords,
} from '../words.ts'
import { changeSections } from './changeSections.ts'
import { code, fenced, folded, literal, sentence, shortened } from './markdownText.ts'
import { listSection, plain, type SummarySection, tableHead, tableRow, tableSection } from './SummarySection.ts'
import { safeMarkdown } from './safeMarkdown.ts'
import type { SummaryOptions } from './summary.ts'

const LONGEST_ANSWER = 100_000
const LONGEST_OUTPUT = 6_000
const MAX_CALLS = 1_000

/** A verdict at a glance. */
export const VERDICT_MARKS = { good: '✅', failed: '❌', blocked: '⛔', limited: '⏱️', unknown: '❔' } as const

/** The sections of the summary, in reading order; empty ones are left out. */
export function summarySections(report: RunReport, options: SummaryOptions): SummarySection[] {
  return [
    verdictSection(report),
    answerSection(report),
    ...changeSections(report),
    proposalsSection(report),
    denialsSection(report),
    auditSection(report),
    suggestionSection(report),
    checksSection(report),
    findingsSection(report),
    warningsSection(report),
    costSection(report),
    callsSection(report),
    recordSection(report, options),
  ].filter((section) => section !== null)
}

/** What a person needs to see of one run among many: denials, checks and findings. */
export function urgentSections(report: RunReport): SummarySection[] {
  return [denialsSection(report), checksSection(report), findingsSection(report)].filter((section) => section !== null)
}

function verdictSection(report: RunReport): SummarySection {
  const { verdict, init, turns, calls, costUsd, isCostWhole, durationMs } = report
  const denied = deniedCalls(report)
  const facts = [
    verdict.exitCode === null ? 'no exit code' : `exit code ${verdict.exitCode} (${code(verdict.exitReason ?? '')})`,
    counted(turns, 'turn'),
    counted(calls.length, 'tool call'),
    denied === 0 ? 'none denied' : `**${denied} denied**`,
    `cost ${formatCost(costUsd, isCostWhole)}`,
    formatDuration(durationMs),
  ]
  const detail = verdict.detail === '' ? '' : `${sentence(oneLine(verdict.detail, 1_000))}\n\n`
  const resumed = init?.resumed_from?.run
  const before = resumed === undefined ? '' : `It continues the run ${code(resumed)}.\n\n`
  return plain(
    `## ${VERDICT_MARKS[verdict.state]} ${literal(verdict.title)}\n\n${detail}${facts.join(' · ')}\n\n${before}`,
  )
}

function answerSection({ result }: RunReport): SummarySection | null {
  const answer = result?.result.trim() ?? ''
  return answer === '' ? null : plain(`${safeMarkdown(shortened(answer, LONGEST_ANSWER))}\n`)
}

function proposalsSection({ outputs, result, run, init }: RunReport): SummarySection | null {
  if (outputs.length === 0 || result === null || run === null) return null
  const { what, command } = proposalWords(
    outputs.map(({ kind }) => kind),
    { transcript: result.transcript_path, run, policy: init?.policy.files[0] },
  )
  return plain(`**Proposed:** ${literal(what)}. Apply with ${code(command)}\n\n`)
}

function denialsSection({ denials, suggested }: RunReport): SummarySection | null {
  const whyNot = new Map(suggested?.refused.map(({ call, why }) => [call, why]))
  const rows = denials.map((denial) => denialRow(denial, whyNot.get(callLabel(denial.tool, denial.input))))
  return tableSection('Denied', ['Call', 'Why', 'What would allow it'], rows)
}

function auditSection({ audited }: RunReport): SummarySection | null {
  const rows = audited.map(({ tool, input, path, suggestion, count }) => {
    const fix = suggestion === null ? 'no rule is offered' : code(oneLine(suggestion, 300))
    return tableRow(code(callLabel(tool, input, path)) + timesWords(count), fix)
  })
  return tableSection('Not allowed by any rule, run by `--audit`', ['Call', 'What would allow it'], rows)
}

/** The rules that are missing. Calls that no rule is offered for are here only if the table of denials has no row of them. */
function suggestionSection({ suggested, denials }: RunReport): SummarySection | null {
  if (suggested === null) return null
  const { rules } = suggested
  const denied = new Set(denials.map(({ tool, input }) => callLabel(tool, input)))
  const refused = groupRefused(suggested.refused.filter(({ call }) => !denied.has(call)))
  if (rules.length + refused.length === 0) return null
  const rows = refused.map(
    ({ call, why, more }) => `- ${code(oneLine(call, 300))}${more}: ${sentence(oneLine(why, 300))}\n`,
  )
  const apply = 'kode-run policy suggest --apply --policy FILE TRANSCRIPT'
  const block = `To allow it, add this to the policy, or run \`${apply}\`:\n\n${fenced(suggestionYaml(rules), 'yaml')}`
  const parts = [...(rules.length === 0 ? [] : [block]), ...(rows.length === 0 ? [] : ['No rule is offered for:\n\n'])]
  return { head: `### What the policy would need\n\n${parts.join('\n')}`, rows, foot: '\n' }
}

function denialRow({ tool, input, count, ...refusal }: DenialReport, whyNot: string | undefined): string {
  const { rule, source, line, suggestion } = refusal
  const place = source === null ? '' : ` in ${code(placeWords(source, line))}`
  const words = sentence(oneLine(denialText(refusal), 500))
  const why = rule === null ? words : `${code(rule)}${place}<br>${words}`
  const reason = whyNot === undefined || rule !== null ? '' : `: ${oneLine(whyNot, 300)}`
  const none = rule === null ? sentence(`no rule is offered${reason}`) : 'nothing: a deny or ask rule matches it'
  const fix = suggestion === null ? none : code(oneLine(suggestion, 300))
  return tableRow(code(callLabel(tool, input)) + timesWords(count), why, fix)
}

function checksSection({ checks, calls }: RunReport): SummarySection | null {
  const rows = checks.map((check) => {
    const { command, ok, output, leftovers } = check
    const row = `- ${ok ? '✅' : '❌'} ${code(oneLine(command, 300))} ${checkWords(check)}\n`
    if (!ok)
      return output.trim() === '' ? row : `${row}\n${folded('Output', fenced(shortened(output, LONGEST_OUTPUT)))}`
    const words = leftoverWords(leftovers, (id) => nameOfCall(id, calls))
    return words === '' ? row : `${row}  ${sentence(words)}\n`
  })
  return listSection('Checks', rows)
}

function findingsSection({ findings }: RunReport): SummarySection | null {
  const rows = findings.map(({ severity, path, line, title, message }) => {
    const words = `**${literal(oneLine(title, 200))}** ${sentence(oneLine(message, 1_000))}`
    return tableRow(severity, code(`${oneLine(visibleName(path), 200)}:${line}`), words)
  })
  return tableSection(counted(findings.length, 'finding'), ['', 'Place', 'Finding'], rows)
}

function warningsSection(report: RunReport): SummarySection | null {
  const rows = warningWords(report).map((warning) => `- ⚠️ ${sentence(oneLine(warning, 500))}\n`)
  return listSection('Warnings', rows)
}

function costSection({ modelUsage, retries }: RunReport): SummarySection | null {
  const rows = Object.entries(modelUsage).map(([model, usage]) => {
    const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = usage
    const counts = [input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens]
    return tableRow(code(model), usage.requests, ...counts.map(formatNumber), formatCost(usage.cost_usd))
  })
  const waits =
    retries.count === 0
      ? ''
      : `\nAPI requests sent again: ${retries.count}, after ${formatDuration(retries.waitedMs)} of waiting.\n`
  const columns = ['Model', 'Requests:', 'Input:', 'From cache:', 'To cache:', 'Output:', 'Cost:']
  return tableSection('Cost', columns, rows, `${waits}\n`)
}

function callsSection({ calls }: RunReport): SummarySection | null {
  if (calls.length === 0) return null
  const left = calls.length - MAX_CALLS
  return {
    head: `<details><summary>${counted(calls.length, 'tool call')}</summary>\n\n${tableHead(['', 'Turn:', 'Call', 'Outcome', 'Time:'])}`,
    rows: calls.slice(0, MAX_CALLS).map(callRow),
    isFolded: true,
    foot: `${left > 0 ? `\n… and ${left} more\n` : ''}\n</details>\n\n`,
  }
}

function callRow({ tool, input, path, turn, outcome, durationMs }: CallReport): string {
  const mark = outcome === 'ok' ? '✓' : outcome === 'denied' ? '⛔' : '✗'
  const time = durationMs === null ? '' : formatDuration(durationMs)
  return tableRow(mark, turn, code(callLabel(tool, input, path)), outcome, time)
}

function recordSection({ init, result, sessionId, head }: RunReport, { recordPlace }: SummaryOptions): SummarySection {
  const sandbox = init === null ? '' : wallWords(init)
  const policy = init === null ? '' : `policy ${code(init.policy.files.join(', ') || 'preset read-only')}`
  const place = recordPlace ?? result?.transcript_path
  const facts = [
    init === null ? '' : `kode-run ${literal(init.version)}`,
    policy,
    ...(init?.plugins ?? []).map(
      ({ name, sha256 = '' }) => `plugin ${code(name)} (sha256 ${code(sha256.slice(0, 12))})`,
    ),
    sandbox,
    sessionId === null ? '' : `session ${code(sessionId)}`,
    place === undefined ? '' : `transcript ${code(place)}`,
    head === null ? '' : `head ${code(head)}`,
  ]
  return plain(`<sub>${facts.filter((fact) => fact !== '').join(' · ')}</sub>\n`)
}
