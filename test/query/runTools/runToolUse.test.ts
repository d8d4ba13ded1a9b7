import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { untilAborted } from '../../../src/query/runTools/callTool.ts'
import { limitResult } from '../../../src/query/runTools/limitResult.ts'
import { parseInput } from '../../../src/query/runTools/parseInput.ts'
import { withSchema } from '../../../src/query/runTools/runToolUse.ts'
import { buildTool } from '../../../src/Tool.ts'

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

describe('parseInput repairs', () => {
  const step = z.strictObject({ text: z.string(), done: z.boolean().optional() })
  const plan = buildTool({
    name: 'Plan',
    inputSchema: () =>
      z.strictObject({
        title: z.string(),
        steps: z.array(step).min(1),
        more: step.optional(),
        at: z.number().optional(),
      }),
    description: () => 'plans',
    async *call() {
      yield { type: 'result' as const, data: 0 }
    },
    mapResult: (data) => ({ content: String(data) }),
  })
  const steps = [{ text: 'a' }]
  const fits = (input: unknown, dropped: readonly string[] = []) => ({ ok: true, input, dropped })

  it.each([
    ['null for a field that is left out', { title: 't', steps, at: null }, fits({ title: 't', steps })],
    ['a list that came as text', { title: 't', steps: '[{"text":"a"}]' }, fits({ title: 't', steps })],
    [
      'an object that came as text',
      { title: 't', steps, more: '{"text":"b"}' },
      fits({ title: 't', steps, more: { text: 'b' } }),
    ],
    ['a number where a text is wanted', { title: 7, steps }, fits({ title: '7', steps })],
    ['yes or no where a text is wanted', { title: false, steps }, fits({ title: 'false', steps })],
    [
      'unknown fields inside',
      { title: 't', steps: [{ text: 'a', id: '1', priority: 'high' }] },
      fits({ title: 't', steps }, ['steps.0.id', 'steps.0.priority']),
    ],
    [
      'one slip behind another',
      { title: 't', steps: '[{"text":1,"id":2,"done":null}]', why: 'x' },
      fits({ title: 't', steps: [{ text: '1' }] }, ['why', 'steps.0.id']),
    ],
  ])('%s', (_, raw, expected) => {
    const before = structuredClone(raw)
    expect(parseInput(plan, raw)).toEqual(expected)
    expect(raw).toEqual(before)
  })

  it.each([
    ['a text that is no list', { title: 't', steps: 'a, b' }, '- steps: '],
    ['an object for a list', { title: 't', steps: '{}' }, '- steps: '],
    ['a list for an object', { title: 't', steps, more: '[]' }, '- more: '],
    ['a number for a list', { title: 't', steps: '7' }, '- steps: '],
    ['nothing for an object', { title: 't', steps, more: 'null' }, '- more: '],
    ['half a list', { title: 't', steps: '[{"text":' }, '- steps: '],
    ['a text for a number', { title: 't', steps, at: '7' }, '- at: '],
    ['a list for a text', { title: ['t'], steps }, '- title: '],
    ['null for a field that is needed', { title: null, steps }, '- title: '],
    ['a fault inside', { title: 't', steps: [{ text: [] }, null] }, '- steps.0.text: '],
    ['a misnamed field', { name: 't', steps }, '- unknown: name. Its fields: title, steps, more, at'],
    ['nine faults: eight are told', { title: 't', steps: Array(9).fill({ text: [] }) }, '- steps.7.text: '],
  ])('not %s', (_, raw, part) => {
    expect(parseInput(plan, raw)).toEqual({ ok: false, message: expect.stringContaining(part) })
  })
})

describe('limitResult', () => {
  const blobs = { put: () => '/blobs/x', owns: () => true }

  it('keeps a short result', () => {
    expect(limitResult({ content: 'short' }, 100, blobs)).toEqual({ result: { content: 'short' } })
  })

  it('keeps head and tail of a long result, and says where the rest is', () => {
    const { result, blob } = limitResult({ content: `head${'.'.repeat(10_000)}tail` }, 1000, blobs)
    expect(blob).toBe('/blobs/x')
    expect(result.content).toMatch(/^head[\s\S]*\/blobs\/x[\s\S]*tail$/)
    expect(String(result.content).length).toBeLessThan(1200)
  })

  it('never splits a character', () => {
    for (const text of ['😀'.repeat(5000), `a${'😀'.repeat(5000)}b`]) {
      const { result } = limitResult({ content: text }, 1001, blobs)
      expect(String(result.content)).not.toContain('\ufffd')
      expect(String(result.content).isWellFormed()).toBe(true)
    }
  })
})

describe('untilAborted', () => {
  it('abandons a source that ignores its signal', async () => {
    const controller = new AbortController()
    async function* deaf(): AsyncGenerator<number> {
      yield 1
      controller.abort()
      await new Promise(() => undefined)
    }
    const seen: number[] = []
    await expect(async () => {
      for await (const item of untilAborted(deaf(), controller.signal, 1)) seen.push(item)
    }).rejects.toThrow('Interrupted')
    expect(seen).toEqual([1])
  })
})

const toolOf = (fields: number, shouldDefer: boolean) =>
  buildTool({
    name: 'Many',
    shouldDefer,
    inputSchema: () =>
      z.object(Object.fromEntries(Array.from({ length: fields }, (_, at) => [`field_${at}`, z.string()]))),
    description: () => 'has many fields',
    // biome-ignore lint/correctness/useYield: it is never called
    async *call() {
      throw new Error('not called')
    },
    mapResult: () => ({ content: '' }),
  })

it('the schema is told of a tool whose schema the model does not have, and only named where it is long', async () => {
  const [loaded, deferred, large] = [toolOf(1, false), toolOf(1, true), toolOf(1000, true)]
  const none = { tools: () => [] }
  expect(await withSchema('No.', loaded, none)).toBe('No.')
  expect(await withSchema('No.', deferred, { tools: () => [deferred] })).toBe('No.')
  expect(await withSchema('No.', deferred, none)).toBe(
    'No.\nIts schema: {"required":["field_0"],"properties":{"field_0":{"type":"string"}}}',
  )
  expect(await withSchema('No.', large, none)).toBe(
    'No.\nIts schema is not loaded: ToolSearch loads it by select:Many.',
  )
})
