import { expect, it } from 'vitest'
import * as z from 'zod'
import { limitResult } from '../../../src/query/runTools/limitResult.ts'
import { withSchema } from '../../../src/query/runTools/runToolUse.ts'
import { buildTool } from '../../../src/Tool.ts'

it('a result that is cut never splits a character', () => {
  const blobs = { put: () => '/blobs/x', owns: () => true }
  for (const text of ['😀'.repeat(5000), `a${'😀'.repeat(5000)}b`]) {
    const { result } = limitResult({ content: text }, 1001, blobs)
    expect(String(result.content)).not.toContain('\ufffd')
    expect(String(result.content).isWellFormed()).toBe(true)
  }
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
