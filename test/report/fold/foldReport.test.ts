import { describe, expect, it } from 'vitest'
import { EXIT_CODES, type ExitReason } from '../../../src/contracts/errors.ts'
import type { EffectsEvent, RunEvent } from '../../../src/contracts/events.ts'
import { callLabel } from '../../../src/report/callLabel.ts'
import { createReportFold, foldReport } from '../../../src/report/fold/foldReport.ts'
import { renderHtml } from '../../../src/report/html/renderHtml.ts'
import { renderSummary } from '../../../src/report/markdown/summary.ts'
import { buildEvents, endOf, INIT, longRun, sampleRun, stamp } from '../../helpers/runs/events.ts'

describe('a whole run', () => {
  const report = foldReport(stamp(sampleRun()))

  it('has each call from intent to result, in order', () => {
    expect(report.calls.map(({ tool, outcome, turn, durationMs }) => [tool, outcome, turn, durationMs])).toEqual([
      ['Read', 'ok', 1, 4],
      ['Bash', 'error', 2, 1_204],
      ['Edit', 'ok', 3, 8],
      ['Bash', 'denied', 4, 12],
      ['Bash', 'ok', 5, 1_180],
    ])
    expect(report.calls[2]).toMatchObject({
      decision: { behavior: 'allow' },
      rendering: expect.stringContaining('```diff'),
    })
  })

  it('has a timeline of messages, calls and notes', () => {
    const kinds = report.timeline.map((entry) => (entry.kind === 'note' ? `note: ${entry.title}` : entry.kind))
    expect(kinds).toEqual([
      'message',
      'call',
      'note: API 529, attempt 1 of 10',
      'call',
      'message',
      'call',
      'call',
      'note: Hook PreToolUse: asked',
      'call',
      'note: Wrong sign',
      'note: Check failed: npm test',
      'message',
      'note: Check passed: npm test',
      'note: unpriced',
    ])
  })

  it('has what the end record says, and the times of the records', () => {
    expect(report).toMatchObject({
      run: 'run-1',
      sessionId: 'session-1',
      verdict: { state: 'good', exitCode: 0 },
      startedAt: '2026-01-05T03:00:00.000Z',
      durationMs: 64_200,
      turns: 6,
      retries: { count: 1, waitedMs: 2_000 },
      denials: [{ rule: 'Bash(git push *)', count: 1 }],
      checks: [{ command: 'npm test', ok: true, attempts: 2, output: 'ok\n' }],
      findings: [{ title: 'Wrong sign' }],
    })
  })

  it('is the same from events without stamps, but for run and times', () => {
    const bare = foldReport(sampleRun())
    expect(bare.calls.map(({ atMs, ...call }) => [atMs, call.tool])).toEqual(
      report.calls.map(({ tool }) => [null, tool]),
    )
    expect(bare).toMatchObject({ run: null, startedAt: null, verdict: report.verdict, denials: report.denials })
  })
})

describe('a run without its end', () => {
  it('never succeeds, and shows what was started', () => {
    const events = stamp(sampleRun())
    const report = foldReport(
      events.slice(0, events.findIndex(({ type, ...rest }) => 'subtype' in rest && rest.subtype === 'tool_intent') + 1),
    )
    expect(report.verdict).toMatchObject({ state: 'unknown', exitCode: null })
    expect(report.calls).toMatchObject([{ tool: 'Read', outcome: 'unknown', durationMs: null }])
    expect(report.usage.output_tokens).toBe(95)
  })

  it('is a report even without events', () => {
    expect(foldReport([])).toMatchObject({ verdict: { state: 'unknown' }, calls: [], turns: 0 })
  })
})

it('counts equal denials as one', () => {
  const { events, call } = buildEvents()
  for (let count = 0; count < 3; count++) call({ tool: 'Bash', input: { command: 'git push' }, outcome: 'denied' })
  call({ tool: 'Bash', input: { command: 'git fetch' }, outcome: 'denied' })
  expect(foldReport(events).denials.map(({ count }) => count)).toEqual([3, 1])
})

it('knows the subject of a call, and whether it is destructive', () => {
  const intent: RunEvent = {
    type: 'system',
    subtype: 'tool_intent',
    parent_tool_use_id: null,
    tool_use_id: 'a',
    tool_name: 'Changelog',
    tool_input: { text: 'mended' },
    is_read_only: false,
    activity: 'Noting',
    title: 'Change log',
    path: 'CHANGELOG.md',
    is_destructive: true,
  }
  const { calls } = foldReport([INIT, intent])
  expect(calls).toMatchObject([{ title: 'Change log', path: 'CHANGELOG.md', isDestructive: true }])
  expect(callLabel('Changelog', intent.tool_input, calls[0]?.path)).toBe('Changelog(CHANGELOG.md)')
  expect(callLabel('Changelog', intent.tool_input)).toBe('Changelog(mended)')
})

it('shows the results of early calls of a discarded answer', () => {
  const main = { type: 'system', parent_tool_use_id: null } as const
  const events: RunEvent[] = [
    INIT,
    {
      ...main,
      subtype: 'tool_intent',
      tool_use_id: 'a',
      tool_name: 'Read',
      tool_input: {},
      is_read_only: true,
      activity: 'Read x',
    },
    {
      ...main,
      subtype: 'turn_discarded',
      reason: 'cut',
      blocks: 1,
      early: [{ tool_use_id: 'a', tool_name: 'Read', outcome: 'ok', duration_ms: 3 }],
    },
  ]
  expect(foldReport(events).calls).toMatchObject([{ id: 'a', outcome: 'ok', durationMs: 3 }])
})

it('places early calls after the text of their message, in its turn', () => {
  const [init, prompt, answer, decision, intent, results] = sampleRun() as RunEvent[] &
    Record<0 | 1 | 2 | 3 | 4 | 5, RunEvent>
  const report = foldReport([init, prompt, decision, intent, answer, results])
  expect(report.timeline.map(({ kind }) => kind)).toEqual(['message', 'call'])
  expect(report.calls).toMatchObject([
    { tool: 'Read', turn: 1, outcome: 'ok', activity: 'Read src/add.js', decision: { behavior: 'allow' } },
  ])
})

it.each([
  ['completed', 'good'],
  ['checks_failed', 'failed'],
  ['blocked', 'blocked'],
  ['max_turns', 'limited'],
  ['deadline', 'limited'],
  ['sigterm', 'limited'],
  ['auth', 'failed'],
] as const)('%s is a run that is %s', (reason, state) => {
  expect(foldReport([endOf([], { exit_reason: reason })]).verdict.state).toBe(state)
})

it.each(Object.keys(EXIT_CODES) as ExitReason[])('%s succeeds only with exit code 0, and has a title', (reason) => {
  const { verdict } = foldReport([endOf([], { exit_reason: reason })])
  expect(verdict.state === 'good').toBe(EXIT_CODES[reason].code === 0)
  expect(verdict.title).toMatch(/^[A-Z][A-Za-z ]+$/)
})

it('can be read at any time', () => {
  const fold = createReportFold()
  const lengths = longRun(200).map((event) => {
    fold.add(event)
    return fold.report().calls.length
  })
  expect(lengths).toEqual(lengths.toSorted((a, b) => a - b))
})

const NOTHING = { kept: [], scratch: {}, left_out: [], undone: [] } as const
const refused = { why: 'no Edit rule covers it', rule: null, source: null, line: null } as const

/** A run that was killed in its last call, with what each command changed. */
function killedRun() {
  const run = buildEvents()
  const { events, call, push } = run
  const effects = (id: string, rest: Partial<EffectsEvent>) => {
    const owner = { tool_use_id: id, tool_name: 'Bash', parent_tool_use_id: null }
    push({ type: 'system', subtype: 'effects', ...owner, state: 'enforced', ...NOTHING, ...rest })
  }
  const edit = (path: string, isReadOnly = false, outcome: 'ok' | 'error' | 'denied' = 'ok') =>
    call({ tool: isReadOnly ? 'Read' : 'Edit', input: { file_path: path }, path, isReadOnly, outcome })
  push({ ...INIT, cwd: '/srv/app' })
  const built = call({ tool: 'Bash', input: { command: 'make' } })
  effects(built, { kept: [kind('out'), kind('out/a.js'), kind('.git/index'), kind('src/b.js')], scratch: { dist: 3 } })
  const undone = call({ tool: 'Bash', input: { command: 'sed -i s/a/b/ x' } })
  effects(undone, { kept: [kind('x')], undone: [{ ...kind('y'), ...refused }] })
  const partly = call({ tool: 'Bash', input: { command: 'npm test' } })
  effects(partly, { kept: [kind('kept')], left_out: [{ ...kind('junit.xml'), ...refused }] })
  const edits = [edit('/srv/app/src/b.js'), edit('/srv/elsewhere/c.js')]
  edit('read.js', true)
  edit('failed.js', false, 'error')
  edit('denied.js', false, 'denied')
  const open = call({ tool: 'Bash', input: { command: 'npm run deploy' } })
  events.splice(
    events.findLastIndex(({ type }) => type === 'user'),
    1,
  )
  return { ...run, built, partly, edits, open }
}

function kind(path: string) {
  return { path, kind: 'modified' } as const
}

describe('what a killed run changed', () => {
  const run = killedRun()
  const report = foldReport(run.events)

  it('is what its commands kept and its tools wrote, by call, and which call is open', () => {
    expect(report.recorded).toEqual({
      files: [
        { path: '/srv/elsewhere/c.js', by: [run.edits[1]] },
        { path: 'kept', by: [run.partly] },
        { path: 'out/a.js', by: [run.built] },
        { path: 'src/b.js', by: [run.built, run.edits[0]] },
      ],
      open: [run.open],
    })
  })

  it('is in summary and page', () => {
    const words = ['What changed, as far as it was recorded', 'out/a.js', 'Not known: what', 'npm run deploy']
    for (const text of [renderSummary(report), renderHtml([{ name: 'it', report }])])
      for (const each of words) expect(text).toContain(each)
  })

  it('is left to the end record if there is one, and no section where nothing was done', () => {
    const { recorded } = foldReport([...run.events, endOf(run.events, { changes: [], patch: '' })])
    expect(recorded).toBeNull()
    const nothing = foldReport([INIT])
    expect(nothing.recorded).toEqual({ files: [], open: [] })
    for (const text of [renderSummary(nothing), renderHtml([{ name: 'it', report: nothing }])])
      expect(text).not.toContain('What changed')
  })
})
