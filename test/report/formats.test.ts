import { Parser } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import type { RunEvent } from '../../src/contracts/events.ts'
import { renderFleetSummary } from '../../src/report/fold/fleetSummary.ts'
import { foldReport } from '../../src/report/fold/foldReport.ts'
import type { NamedReport } from '../../src/report/fold/mergeReports.ts'
import { renderCodeQuality } from '../../src/report/formats/codeQuality.ts'
import { renderJunit } from '../../src/report/formats/junit.ts'
import { LARGEST_SUMMARY, renderSummary } from '../../src/report/markdown/summary.ts'
import { sampleRun } from '../helpers/runs/events.ts'

const named = (name: string, events: readonly RunEvent[]): NamedReport => ({ name, report: foldReport(events) })

describe('several runs', () => {
  it('as Markdown stay under the limit', () => {
    const { report } = named('', sampleRun({ exit_reason: 'blocked', detail: 'The policy does not allow git push.' }))
    expect(renderFleetSummary([{ name: 'one', report }])).toBe(renderSummary(report))
    const many = Array.from({ length: 4_000 }, (_, index) => ({ name: `repo-${index}`, report }))
    expect(Buffer.byteLength(renderFleetSummary(many))).toBeLessThanOrEqual(LARGEST_SUMMARY)
  })
})

describe('JUnit', () => {
  it('is well-formed for any text of a run', () => {
    const hostile = ']]></failure><x a="\'&\u0000\u0008\ud800\ufffe'
    const failed = { attempt: 1, ok: false, exit_code: 1, duration_ms: 5 }
    const check: RunEvent = { type: 'system', subtype: 'check', ...failed, command: hostile, output: hostile }
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
  it('keep their fingerprint when lines move', () => {
    const text = { severity: 'error', title: 'SQL injection', message: 'Use parameters.' } as const
    const at = { type: 'system', subtype: 'finding', parent_tool_use_id: null, path: 'src/a.ts' } as const
    const print = (line: number): string =>
      JSON.parse(renderCodeQuality([named('a', [{ ...at, ...text, line }])]))[0].fingerprint
    expect(print(3)).toBe(print(40))
  })
})
