import { expect, it } from 'vitest'
import { EXIT_CODES, type ExitReason } from '../../../src/contracts/errors.ts'
import { createReportFold, foldReport } from '../../../src/report/fold/foldReport.ts'
import { createTotals } from '../../../src/report/fold/totals.ts'
import { buildEvents, endOf, INIT, longRun, sampleRun } from '../../helpers/runs/events.ts'

it.each(Object.keys(EXIT_CODES) as ExitReason[])('%s succeeds only with exit code 0', (reason) => {
  const { code } = EXIT_CODES[reason]
  const end = endOf([], { exit_reason: reason })
  expect([end.exit_code, end.is_error, end.subtype === 'success']).toEqual([code, code !== 0, code === 0])
  expect(foldReport([end]).verdict.state === 'good').toBe(code === 0)
})

it('counts one answer in several events once', () => {
  const { events, say } = buildEvents()
  say([{ type: 'text', text: 'a' }])
  const totals = createTotals(() => 1)
  for (const event of [...events, ...events]) totals.add(event)
  expect(totals.totals()).toMatchObject({ num_turns: 1, total_cost_usd: 1 })
})

it('is no success without an end record', () => {
  for (const events of [[], [INIT], sampleRun().slice(0, -1)]) expect(foldReport(events).verdict.state).toBe('unknown')
})

it('can be read at any time', () => {
  const fold = createReportFold()
  const lengths = longRun(200).map((event) => {
    fold.add(event)
    return fold.report().calls.length
  })
  expect(lengths).toEqual(lengths.toSorted((a, b) => a - b))
})

it('names a call denied whose changes were undone, as its denials do', () => {
  const { events, call } = buildEvents()
  call({ tool: 'Bash', input: { command: 'npm test' }, outcome: 'denied' })
  const ran = events.map((event) => {
    if (event.type !== 'user') return event
    const outcomes = (event.tool_use_result ?? []).map((each) => ({ ...each, outcome: 'error' as const }))
    return { ...event, tool_use_result: outcomes }
  })
  const { calls, denials } = foldReport(ran)
  expect([calls.map(({ outcome }) => outcome), denials.length]).toEqual([['denied'], 1])
})
