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
