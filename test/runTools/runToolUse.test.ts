import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { limitResult } from '../../src/runTools/limitResult.ts'
import { parseInput } from '../../src/runTools/parseInput.ts'
import { untilAborted } from '../../src/runTools/untilAborted.ts'
import { buildTool } from '../../src/Tool.ts'

const tool = buildTool({
  name: 'Add',
  inputSchema: () => z.strictObject({ a: z.number(), b: z.number().optional() }),
  description: () => 'adds',
  async *call() {
    yield { type: 'result' as const, data: 0 }
  },
  mapResult: (data) => ({ content: String(data) }),
})

describe('parseInput', () => {
  const rows: readonly [string, unknown, unknown][] = [
    ['fits', { a: 1 }, { ok: true, input: { a: 1 }, dropped: [] }],
    [
      'drops unknown fields and names them',
      { a: 1, dangerouslyDisableSandbox: true },
      { ok: true, input: { a: 1 }, dropped: ['dangerouslyDisableSandbox'] },
    ],
    ['names what is wrong', { a: 'x' }, { ok: false, message: expect.stringContaining('- a: ') }],
    ['wants an object', 'a', { ok: false, message: 'The input is not an object.' }],
    ['wants no list', [1], { ok: false, message: 'The input is not an object.' }],
  ]
  for (const [name, raw, expected] of rows) it(name, () => expect(parseInput(tool, raw)).toEqual(expected))
})

describe('limitResult', () => {
  const blobs = { put: () => '/blobs/x', owns: () => true }

  it('leaves a result that fits', () => {
    expect(limitResult({ content: 'short' }, 100, blobs)).toEqual({ result: { content: 'short' } })
  })

  it('keeps head and tail of a long one and says where the whole is', () => {
    const { result, blob } = limitResult({ content: `head${'.'.repeat(10_000)}tail` }, 1000, blobs)
    expect(blob).toBe('/blobs/x')
    expect(result.content).toMatch(/^head[\s\S]*\/blobs\/x[\s\S]*tail$/)
    expect(String(result.content).length).toBeLessThan(1200)
  })

  it('never tears a character in two', () => {
    const { result } = limitResult({ content: '😀'.repeat(5000) }, 1001, blobs)
    expect(String(result.content).isWellFormed()).toBe(true)
  })
})

describe('untilAborted', () => {
  it('gives up a source that does not heed its signal', async () => {
    const controller = new AbortController()
    async function* deaf(): AsyncGenerator<number> {
      yield 1
      controller.abort()
      await new Promise(() => undefined)
    }
    const seen: number[] = []
    await expect(async () => {
      for await (const item of untilAborted(deaf(), controller.signal)) seen.push(item)
    }).rejects.toThrow('Interrupted')
    expect(seen).toEqual([1])
  })
})
