import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli } from '../helpers/runs/cliRun.ts'
import { playRun } from '../helpers/runs/playRun.ts'

const THOUGHT = 'First I look.'
const thinks = (tools: readonly { name: string; input: Record<string, unknown> }[]) => ({
  step: { turn: { think: THOUGHT, tools, usage: { output_tokens: 1000 } } },
})
const look = { name: 'Glob', input: { pattern: 'none.txt' } }

describe('thinking', () => {
  it('goes back to the model as it came, with its signature, turn after turn', { tags: 'long' }, async () => {
    const run = await playRun([thinks([look]), thinks([look])], { args: ['--effort', 'high'] })
    expect(run.code).toBe(0)
    const bodies = run.api.requests.map(({ body }) => body)
    expect(bodies.map((body) => body.output_config)).toEqual(bodies.map(() => ({ effort: 'high' })))
    const thoughts = bodies
      .at(-1)
      .messages.flatMap((message: { role: string; content: { type: string }[] }) =>
        message.content.filter(({ type }) => type === 'thinking'),
      )
    expect(thoughts).toEqual([
      { type: 'thinking', thinking: THOUGHT, signature: 'signature-test_1' },
      { type: 'thinking', thinking: THOUGHT, signature: 'signature-test_2' },
    ])
    const answers = run.records.filter((record) => record.type === 'assistant')
    expect(JSON.stringify(answers[0])).toContain('signature-test_1')
    expect(run.result()).toMatchObject({ usage: { output_tokens: 2020 } })
  })

  it('is left out if it broke off before it was signed', { tags: 'long' }, async () => {
    const cut = [
      {
        type: 'message_start',
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          model: 'm',
          content: [],
          stop_reason: null,
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'I am' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'So' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 9 } },
      { type: 'message_stop' },
    ].map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`)
    const run = await playRun([{ step: { sse: cut } }])
    expect(run.code).toBe(0)
    expect(run.api.requests[1]?.body.messages[1]).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'So' }],
    })
  })

  it('is sent in the format of older models, with a warning about unsupported settings', { tags: 'long' }, async () => {
    const args = ['--model', 'claude-haiku-4-5', '--max-thinking-tokens', '2048', '--effort', 'low']
    const run = await playRun([], { args })
    expect(run.api.requests[0]?.body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 2048 } })
    expect(run.api.requests[0]?.body).not.toHaveProperty('output_config')
    expect(JSON.stringify(run.records)).toContain('claude-haiku-4-5 takes no effort')
  })

  it('is set by the policy; a flag overrides it', { tags: 'long' }, async () => {
    const policy = 'version: 1\nrun: { thinking: adaptive, effort: medium }\n'
    const said = await playRun([], { policy })
    expect(said.api.requests[0]?.body).toMatchObject({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'medium' },
    })
    for (const args of [
      ['--max-thinking-tokens', '0'],
      ['--thinking', 'disabled'],
    ]) {
      const off = await playRun([], { policy, args })
      expect(off.api.requests[0]?.body.thinking).toEqual({ type: 'between_tools' })
    }
  })

  it('is replayed from a recording, which requires the same settings', { tags: 'long' }, async () => {
    const policy = 'version: 1\npermissions: { presets: [read-only] }\n'
    const run = await playRun([thinks([look])], { policy, args: ['--effort', 'low', '--record', 'run.jsonl'] })
    const cassette = join(run.project, 'run.jsonl')
    const replay = (level: string) => runCli(['do it', '--effort', level, '--replay', cassette], { policy })
    const again = await replay('low')
    expect(again.code).toBe(0)
    expect(JSON.stringify(again.records)).toContain('signature-test_1')
    const other = await replay('high')
    expect(other.result()).toMatchObject({ exit_reason: 'replay_mismatch' })
    expect(JSON.stringify(other.result())).toContain('thinking was {')
  })
})
