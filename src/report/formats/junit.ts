import { formatCost, oneLine } from '../../lib/text/words.ts'
import { callLabel } from '../callLabel.ts'
import { mergeReports, type NamedReport } from '../fold/mergeReports.ts'
import type { RunReport } from '../fold/runReport.ts'
import { shortened } from '../markdown/markdownText.ts'
import { checkFailure, denialText, deniedCalls } from '../words.ts'
import { xmlAttributes, xmlText } from './xml.ts'

const LONGEST_OUTPUT = 20_000

type Case = { readonly name: string; readonly seconds: number; readonly failure: Failure | null }
type Failure = { readonly message: string; readonly text: string }

/** The runs as JUnit XML: one suite each, with its verdict and its checks as test cases. */
export function renderJunit(reports: readonly NamedReport[]): string {
  const suites = mergeReports(reports).runs.map(({ name, report }) => suiteOf(name, report))
  const tests = suites.reduce((sum, suite) => sum + suite.tests, 0)
  const failures = suites.reduce((sum, suite) => sum + suite.failures, 0)
  const attributes = xmlAttributes({ name: 'kode-run', tests, failures })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes}>\n${suites.map(({ xml }) => xml).join('')}</testsuites>\n`
}

function suiteOf(name: string, report: RunReport): { xml: string; tests: number; failures: number } {
  const cases = casesOf(report)
  const failures = cases.filter(({ failure }) => failure !== null).length
  const time = (report.durationMs / 1_000).toFixed(3)
  const timestamp = report.startedAt === null ? {} : { timestamp: report.startedAt.slice(0, 19) }
  const attributes = xmlAttributes({ name, tests: cases.length, failures, errors: 0, skipped: 0, time, ...timestamp })
  const properties = Object.entries(propertiesOf(report))
    .map(([key, value]) => `      <property${xmlAttributes({ name: key, value })}/>\n`)
    .join('')
  const body = cases.map((testCase) => caseXml(name, testCase)).join('')
  const xml = `  <testsuite${attributes}>\n    <properties>\n${properties}    </properties>\n${body}  </testsuite>\n`
  return { xml, tests: cases.length, failures }
}

function casesOf({ verdict, denials, durationMs, checks }: RunReport): Case[] {
  const denied = denials.map(({ tool, input, count: _, ...refusal }) => {
    const { rule, source, line } = refusal
    const by = rule === null ? '' : ` [${rule}${source === null ? '' : ` in ${source}${line ? `:${line}` : ''}`}]`
    return `denied: ${callLabel(tool, input)}: ${oneLine(denialText(refusal), 500)}${by}`
  })
  const text = [verdict.detail, ...denied].join('\n')
  const failure =
    verdict.state === 'good' ? null : { message: `${verdict.title}: ${oneLine(verdict.detail, 300)}`, text }
  return [
    { name: 'run', seconds: durationMs / 1_000, failure },
    ...checks.map(({ command, ok, exit_code, output, duration_ms }): Case => {
      const message = `failed ${checkFailure(exit_code)}`
      return {
        name: `check: ${oneLine(command, 300)}`,
        seconds: duration_ms / 1_000,
        failure: ok ? null : { message, text: shortened(output, LONGEST_OUTPUT) },
      }
    }),
  ]
}

function caseXml(classname: string, { name, seconds, failure }: Case): string {
  const open = `    <testcase${xmlAttributes({ classname, name, time: seconds.toFixed(3) })}`
  if (failure === null) return `${open}/>\n`
  return `${open}>\n      <failure${xmlAttributes({ message: failure.message })}>${xmlText(failure.text)}</failure>\n    </testcase>\n`
}

function propertiesOf(report: RunReport): Record<string, string | number> {
  const { verdict, turns, calls, costUsd, isCostWhole, sessionId } = report
  return {
    exit_code: verdict.exitCode ?? 'none',
    exit_reason: verdict.exitReason ?? 'none',
    turns,
    tool_calls: calls.length,
    denials: deniedCalls(report),
    cost: formatCost(costUsd, isCostWhole),
    session_id: sessionId ?? 'none',
  }
}
