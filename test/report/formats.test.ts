import { Parser } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import type { RunEvent } from '../../src/contracts/events.ts'
import { renderFleetSummary } from '../../src/report/fold/fleetSummary.ts'
import { foldReport } from '../../src/report/fold/foldReport.ts'
import { mergeReports, type NamedReport } from '../../src/report/fold/mergeReports.ts'
import { renderCodeQuality } from '../../src/report/formats/codeQuality.ts'
import { renderJunit } from '../../src/report/formats/junit.ts'
import { renderReportJson } from '../../src/report/formats/reportJson.ts'
import { renderSarif } from '../../src/report/formats/sarif.ts'
import { LARGEST_SUMMARY } from '../../src/report/markdown/summary.ts'
import { INIT, sampleRun, stamp } from '../helpers/runs/events.ts'

const named = (name: string, events: readonly RunEvent[]): NamedReport => ({ name, report: foldReport(events) })

const FLEET: readonly NamedReport[] = [
  named('app/session.jsonl', stamp(sampleRun())),
  named('lib/session.jsonl', stamp(sampleRun({ exit_reason: 'checks_failed', detail: 'npm test still fails.' }))),
  named('docs/session.jsonl', stamp(sampleRun()).slice(0, 9)),
  named(
    'cli/session.jsonl',
    stamp(sampleRun({ exit_reason: 'blocked', detail: 'The policy does not allow git push.' })),
  ),
  named('api/session.jsonl', stamp(sampleRun({ exit_reason: 'max_turns', detail: '50 turns.' }))),
]

const finding = (path: string, line = 3, more: object = {}): RunEvent => {
  const base = {
    type: 'system',
    subtype: 'finding',
    parent_tool_use_id: null,
    severity: 'error',
    title: 'SQL injection',
    message: 'Use parameters.',
  } as const
  return { ...base, path, line, ...more }
}

describe('several runs', () => {
  it('are ordered by severity, with totals', () => {
    const { runs, ...sums } = mergeReports(FLEET)
    expect(runs.map(({ name }) => name.split('/')[0])).toEqual(['docs', 'lib', 'cli', 'api', 'app'])
    expect(sums).toMatchObject({
      states: { unknown: 1, failed: 1, blocked: 1, limited: 1, good: 1 },
      turns: 26,
      calls: 22,
      denials: 4,
      costUsd: expect.closeTo(0.2952),
      isCostWhole: false,
    })
  })

  it('as Markdown', async () => {
    const text = renderFleetSummary(FLEET)
    await expect(text).toMatchFileSnapshot('golden/fleet.md')
    expect(renderFleetSummary(FLEET.slice(0, 1))).toMatch(/^## ✅ Completed/)
  })

  it('as Markdown stay under the limit', () => {
    const many = Array.from({ length: 4_000 }, (_, index) => ({
      name: `repo-${index}`,
      report: (FLEET[3] as NamedReport).report,
    }))
    expect(Buffer.byteLength(renderFleetSummary(many))).toBeLessThanOrEqual(LARGEST_SUMMARY)
  })

  it('as JSON', () => {
    const json = JSON.parse(renderReportJson(FLEET))
    expect(json).toMatchObject({
      v: 1,
      states: { good: 1 },
      runs: [{ name: 'docs/session.jsonl', verdict: { state: 'unknown' } }, {}, {}, {}, {}],
    })
  })
})

describe('JUnit', () => {
  it('has a suite for each run, with its verdict and checks', async () => {
    await expect(renderJunit(FLEET)).toMatchFileSnapshot('golden/junit.xml')
  })

  it('is well-formed for any text of a run', () => {
    const hostile = ']]></failure><x a="\'&\u0000\u0008\ud800\ufffe'
    const check: RunEvent = {
      type: 'system',
      subtype: 'check',
      command: hostile,
      attempt: 1,
      ok: false,
      exit_code: 1,
      duration_ms: 5,
      output: hostile,
    }
    const xml = renderJunit([named(hostile, [check, ...sampleRun({ exit_reason: 'task_failed', detail: hostile })])])
    const open: string[] = []
    const seen = new Set<string>()
    const parser = new Parser(
      {
        onopentag: (name) => {
          open.push(name)
          seen.add(name)
        },
        onclosetag: (name) => expect(open.pop()).toBe(name),
      },
      { xmlMode: true },
    )
    parser.end(xml)
    expect(open).toEqual([])
    expect([...seen].toSorted()).toEqual(['failure', 'properties', 'property', 'testcase', 'testsuite', 'testsuites'])
    expect(xml).not.toMatch(/[\0\x08\ud800\ufffe]/u)
  })
})

describe('findings', () => {
  const run = named('a', [
    INIT,
    finding('src/a b.ts'),
    finding('./src/a b.ts', 3),
    finding(`${INIT.cwd}/lib/x.ts`, 7, { end_line: 9, severity: 'warning', title: 'Slow!', message: '' }),
    finding('/etc/passwd'),
    finding('../outside.ts'),
    finding('src/zero.ts', 0, { severity: 'info' }),
  ])

  it('become SARIF, once each, inside the project', async () => {
    const sarif = JSON.parse(renderSarif([run, run], '0.1.0'))
    await expect(renderSarif([run, run], '0.1.0')).toMatchFileSnapshot('golden/findings.sarif')
    const results: {
      locations: { physicalLocation: { artifactLocation: { uri: string }; region: object } }[]
      level: string
      ruleId: string
    }[] = sarif.runs[0].results
    expect(
      results.map(({ locations, level, ruleId }) => [
        locations[0]?.physicalLocation.artifactLocation.uri,
        locations[0]?.physicalLocation.region,
        level,
        ruleId,
      ]),
    ).toEqual([
      ['src/a%20b.ts', { startLine: 3, endLine: 3 }, 'error', 'sql-injection'],
      ['lib/x.ts', { startLine: 7, endLine: 9 }, 'warning', 'slow'],
      ['src/zero.ts', { startLine: 1, endLine: 1 }, 'note', 'sql-injection'],
    ])
  })

  it('become a code quality report', async () => {
    await expect(renderCodeQuality([run])).toMatchFileSnapshot('golden/code-quality.json')
  })

  it('keep their fingerprint when lines move', () => {
    const print = (line: number): string =>
      JSON.parse(renderCodeQuality([named('a', [finding('src/a.ts', line)])]))[0].fingerprint
    expect(print(3)).toBe(print(40))
  })
})
