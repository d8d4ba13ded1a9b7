import type { NamedReport } from '../fold/mergeReports.ts'
import { type PlacedFinding, placeFindings } from '../fold/placeFindings.ts'

const LEVELS = { info: 'note', warning: 'warning', error: 'error' } as const

/** The findings of the runs as SARIF 2.1.0, for code scanning. `version` is the product's. */
export function renderSarif(reports: readonly NamedReport[], version: string): string {
  const findings = placeFindings(reports)
  const titles = new Map(findings.map(({ check, title }) => [check, title]))
  const rules = [...titles].map(([id, title]) => ({ id, shortDescription: { text: title } }))
  const places = new Map(rules.map(({ id }, index) => [id, index]))
  const driver = { name: 'kode-run', version, rules }
  const run = {
    tool: { driver },
    columnKind: 'utf16CodeUnits',
    invocations: reports.map(({ report }) => ({ executionSuccessful: report.verdict.state === 'good' })),
    results: findings.map((finding) => resultOf(finding, places.get(finding.check) ?? 0)),
  }
  const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'
  return `${JSON.stringify({ $schema: schema, version: '2.1.0', runs: [run] }, null, 2)}\n`
}

function resultOf(finding: PlacedFinding, ruleIndex: number): object {
  const { check, severity, title, message, path, line, endLine, fingerprint } = finding
  const uri = path.toWellFormed().split('/').map(encodeURIComponent).join('/')
  const region = { startLine: line, endLine }
  return {
    ruleId: check,
    ruleIndex,
    level: LEVELS[severity],
    message: { text: message === '' ? title : message },
    locations: [{ physicalLocation: { artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, region } }],
    partialFingerprints: { 'kodeRunFinding/v1': fingerprint },
  }
}
