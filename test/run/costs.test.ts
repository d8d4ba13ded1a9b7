import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { renderTurn } from '../../src/model/replay/renderTurn.ts'
import type { Step } from '../helpers/model/messagesServer.ts'
import { serveTurns } from '../helpers/model/serveTurns.ts'
import { runCli } from '../helpers/runs/cliRun.ts'

describe('what a run costs', () => {
  it('counts broken answers, and stops once they have used up the budget', {
    tags: 'long',
  }, async () => {
    const turn = { say: 'x'.repeat(5_000), usage: { input_tokens: 300_000, output_tokens: 0 } }
    const whole = renderTurn(turn, { id: 'cut', model: 'claude-sonnet-5-5' })
    const cut: Step = { sse: whole.slice(0, -2) }
    const server = await serveTurns(cut, cut, cut, cut)
    const run = await runCli(['x', '--max-budget-usd', '1'], { server })
    expect([run.code, server.requests.length]).toEqual([4, 2])
    expect(run.result()).toMatchObject({
      exit_reason: 'max_budget',
      total_cost_usd: expect.closeTo(1.22),
      cost_is_lower_bound: true,
      usage: { input_tokens: 600_000, output_tokens: 2_000 },
    })
    expect(run.stderr).toContain('cost at least $1.22')
    expect(readFileSync(run.summary, 'utf8')).toContain('cost at least $1.22')
    const resumed = await runCli(['--resume', run.transcript, '--max-budget-usd', '1'], { server, after: run })
    expect([resumed.result().exit_reason, server.requests.length]).toEqual(['max_budget', 2])
  })

  it('counts an answer that the end of the run interrupts', { tags: 'long' }, async () => {
    const turn = { say: 'x', usage: { input_tokens: 300_000 } }
    const sse = renderTurn(turn, { id: 'cut', model: 'claude-sonnet-5-5' })
    const server = await serveTurns({ sse, stallAfter: Buffer.byteLength(sse[0] ?? '') })
    const run = await runCli(['x', '--timeout', '8s'], { server })
    expect(run.result()).toMatchObject({ exit_reason: 'deadline', usage: { input_tokens: 300_000 } })
  })

  it('counts a broken side request', { tags: 'long' }, async () => {
    const page = { tools: [{ name: 'AskExpertModel', input: { question: 'why?' } }] }
    const usage = { input_tokens: 300_000, output_tokens: 0 }
    const sse = renderTurn({ say: 'x', usage }, { id: 'cut', model: 'claude-sonnet-5-5' }).slice(0, -1)
    const server = await serveTurns(page, { sse }, { say: 'because' }, { say: 'done' })
    const policy = 'version: 1\npermissions: { allow: [AskExpertModel] }\n'
    const run = await runCli(['x', '--tools', 'AskExpertModel'], { server, policy })
    const calls = run.records.filter((record) => record.type === 'system' && record.subtype === 'model_call')
    expect(calls).toMatchObject([{ is_lower_bound: true, usage: { input_tokens: 300_000 } }, { answer: 'because' }])
    expect(run.result()).toMatchObject({ exit_code: 0, cost_is_lower_bound: true })
  })
})
