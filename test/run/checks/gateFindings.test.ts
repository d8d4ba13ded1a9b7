import { describe, expect, it } from 'vitest'
import type { FindingEvent, RunEvent } from '../../../src/contracts/events.ts'
import { forEachEvent } from '../../../src/lib/async/mergeGenerators.ts'
import type { LoopEnd } from '../../../src/query.ts'
import { asksForFindings, findingLevel, gateFindings } from '../../../src/run/checks/gateFindings.ts'
import { warn } from '../../helpers/runs/recordLab.ts'

const DONE: LoopEnd = { reason: 'completed', detail: 'Done.', result: 'r' }
const finding = (severity: FindingEvent['severity']): RunEvent => ({
  ...{ type: 'system', subtype: 'finding', parent_tool_use_id: null, path: 'a', line: 1, title: 't', message: 'm' },
  severity,
})

async function gated(events: readonly RunEvent[], level: 'error' | 'warning' | undefined, end = DONE) {
  async function* work(): AsyncGenerator<RunEvent, LoopEnd, undefined> {
    yield* events
    return end
  }
  const seen: RunEvent[] = []
  return { seen, end: await forEachEvent(gateFindings(work(), level), (event) => seen.push(event)) }
}

describe('findings', () => {
  const all = [finding('error'), finding('warning'), warn('x'), finding('info'), finding('warning')]

  it.each([
    ['error', all, 'The agent reported 1 error.'],
    ['warning', all, 'The agent reported 1 error and 2 warnings.'],
    ['warning', [finding('warning'), finding('error')], 'The agent reported 1 error and 1 warning.'],
    ['warning', [finding('warning')], 'The agent reported 1 warning.'],
  ] as const)('of level %s or worse fail a completed run', async (level, events, detail) => {
    expect(await gated(events, level)).toEqual({ seen: events, end: { ...DONE, reason: 'findings', detail } })
  })

  it.each([
    ['of a lower level', 'error', [finding('warning'), finding('info')], DONE],
    ['of no level that counts', 'warning', [finding('info'), warn('x')], DONE],
    ['where the policy asks for none', undefined, all, DONE],
    ['in a run that failed anyway', 'error', all, { ...DONE, reason: 'max_turns' }],
  ] as const)('%s change nothing', async (_, level, events, end) => {
    expect(await gated(events, level, end)).toEqual({ seen: events, end })
  })
})

const session = (findings: 'error' | 'warning' | undefined, failOnFinding: boolean, prompt = '') =>
  ({ config: { failOnFinding }, policy: { settings: { checks: { findings } } }, prompt }) as unknown as Parameters<
    typeof asksForFindings
  >[0]

it.each([
  [undefined, false, undefined],
  [undefined, true, 'error'],
  ['warning', true, 'warning'],
  ['error', false, 'error'],
] as const)('the level is that of the policy (%s) or of the flag (%s): %s', (findings, flag, level) => {
  expect(findingLevel(session(findings, flag))).toBe(level)
  expect(asksForFindings(session(findings, flag))).toBe(level !== undefined)
})

it.each([
  ['Report your Findings.', true],
  ['one finding per line', true],
  ['use ReportFinding', true],
  ['fix the bug', false],
  ['refindings', false],
])('a task of %j has the tool for findings from its start: %s', (prompt, expected) => {
  expect(asksForFindings(session(undefined, false, prompt))).toBe(expected)
})
