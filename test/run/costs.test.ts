import { describe, expect, it } from 'vitest'
import { renderTurn } from '../../src/model/replay/renderTurn.ts'
import { serveTurns } from '../helpers/model/serveTurns.ts'
import { runCli } from '../helpers/runs/cliRun.ts'

describe('what a run costs', () => {
  it('counts an answer that the end of the run interrupts', { tags: 'long' }, async () => {
    const turn = { say: 'x', usage: { input_tokens: 300_000 } }
    const sse = renderTurn(turn, { id: 'cut', model: 'claude-sonnet-5-5' })
    const server = await serveTurns({ sse, stallAfter: Buffer.byteLength(sse[0] ?? '') })
    const run = await runCli(['x', '--timeout', '8s'], { server })
    expect(run.result()).toMatchObject({ exit_reason: 'deadline', usage: { input_tokens: 300_000 } })
  })
})
