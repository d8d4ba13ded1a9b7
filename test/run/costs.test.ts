import { expect, it } from 'vitest'
import { renderTurn } from '../../src/model/replay/renderTurn.ts'
import { playRun } from '../helpers/runs/playRun.ts'

it('what a run costs counts an answer that the end of the run interrupts', { tags: 'long' }, async () => {
  const turn = { say: 'x', usage: { input_tokens: 300_000 } }
  const sse = renderTurn(turn, { id: 'cut', model: 'claude-sonnet-5-5' })
  const cut = { sse, stallAfter: Buffer.byteLength(sse[0] ?? '') }
  const run = await playRun([cut], { args: ['--timeout', '8s'] })
  expect(run.result()).toMatchObject({ exit_reason: 'deadline', usage: { input_tokens: 300_000 } })
})
