import { expect, it } from 'vitest'
import * as z from 'zod'
import { withSchema } from '../../../src/query/runTools/withSchema.ts'
import { buildTool } from '../../../src/Tool.ts'

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
