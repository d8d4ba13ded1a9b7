import { expect, it } from 'vitest'
import { EXIT_CODES, type ExitReason } from '../../../src/contracts/errors.ts'
import { subtypeOf } from '../../../src/report/fold/result.ts'
import { createTotals } from '../../../src/report/fold/totals.ts'
import { buildEvents, endOf } from '../../helpers/runs/events.ts'

it('counts one answer in several events once', () => {
  const { events, say } = buildEvents()
  say([{ type: 'text', text: 'a' }])
  const totals = createTotals(() => 1)
  for (const event of [...events, ...events]) totals.add(event)
  expect(totals.totals()).toMatchObject({ num_turns: 1, total_cost_usd: 1 })
})

it.each(Object.keys(EXIT_CODES) as ExitReason[])('%s: code, subtype and is_error agree', (reason) => {
  const result = endOf([], { exit_reason: reason })
  const isGood = EXIT_CODES[reason].code === 0
  expect(result).toMatchObject({ exit_code: EXIT_CODES[reason].code, is_error: !isGood, subtype: subtypeOf(reason) })
  expect(result.subtype === 'success').toBe(isGood)
})
