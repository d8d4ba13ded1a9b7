import { expect, test } from 'vitest'
import * as z from 'zod'
import { z as z3 } from 'zod/v3'
import { toToolSpec } from '../../src/model/toolSpec.ts'
import { buildTool, type Tool } from '../../src/Tool.ts'

const OPTIONS = { tools: [], cwd: '/project' }

function toolOf(changes: Partial<Tool>): Tool {
  return {
    ...buildTool({
      name: 'Sample',
      description: () => 'Does it.',
      inputSchema: () => z.strictObject({ path: z.string().describe('where'), limit: z.int().positive().optional() }),
      async *call() {
        yield { type: 'result', data: null }
      },
      mapResult: () => ({ content: '' }),
    }),
    ...changes,
  }
}

test('a default is optional for the model', async () => {
  const tool = toolOf({ inputSchema: () => z.strictObject({ mode: z.enum(['a', 'b']).default('a') }) })
  const spec = await toToolSpec(tool, OPTIONS)
  expect(spec).toMatchObject({ input_schema: { properties: { mode: { enum: ['a', 'b'], default: 'a' } } } })
  expect(JSON.stringify(spec)).not.toContain('"required"')
})

test('a zod 3 schema of a library user keeps its properties', async () => {
  const schema = z3.object({ path: z3.string().describe('where'), deep: z3.object({ n: z3.number() }).optional() })
  const spec = await toToolSpec(toolOf({ inputSchema: () => schema as never }), OPTIONS)
  expect(spec).toMatchObject({
    input_schema: {
      type: 'object',
      properties: { path: { type: 'string', description: 'where' }, deep: { properties: { n: { type: 'number' } } } },
      required: ['path'],
    },
  })
  expect(JSON.stringify(spec)).not.toMatch(/\$schema|\$ref/)
})

test('the schema of an MCP tool is passed on without its dialect', async () => {
  const inputJSONSchema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { q: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
    required: ['q'],
  }
  const { $schema: _dialect, ...schema } = inputJSONSchema
  expect(await toToolSpec(toolOf({ inputJSONSchema }), OPTIONS)).toMatchObject({ input_schema: schema })
})

test.each([
  ['nothing', {}, { type: 'object', properties: {} }],
  ['no properties', { type: 'object' }, { type: 'object', properties: {} }],
  [
    'anyOf',
    {
      anyOf: [
        { type: 'object', properties: { a: { type: 'string' }, c: {} }, required: ['a', 'c'] },
        { type: 'object', properties: { b: { type: 'number' }, c: {} }, required: ['b', 'c'] },
      ],
    },
    { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' }, c: {} }, required: ['c'] },
  ],
  [
    'allOf',
    { properties: { a: {} }, required: ['a'], allOf: [{ properties: { b: {} }, required: ['b'] }] },
    { type: 'object', properties: { a: {}, b: {} }, required: ['a', 'b'] },
  ],
  [
    '$ref',
    { $ref: '#/definitions/Args', definitions: { Args: { type: 'object', properties: { a: {} } } } },
    { type: 'object', properties: { a: {} } },
  ],
  ['an endless $ref', { $ref: '#/definitions/A', definitions: { A: { $ref: '#/definitions/A' } } }, { type: 'object' }],
])('%s at the top becomes an object with properties', async (_name, inputJSONSchema, expected) => {
  const { input_schema: schema } = (await toToolSpec(toolOf({ inputJSONSchema }), OPTIONS)) as never as {
    input_schema: Record<string, unknown>
  }
  expect(schema).toMatchObject(expected)
  for (const key of ['$ref', 'anyOf', 'oneOf', 'allOf', '$schema']) expect(schema).not.toHaveProperty(key)
})

test('a schema of another type is reported as an error of the tool', async () => {
  await expect(toToolSpec(toolOf({ inputJSONSchema: { type: 'array' } }), OPTIONS)).rejects.toThrow(
    /tool Sample.*array/,
  )
})

test('a server-side tool goes to the API as it is', async () => {
  const serverTool = { type: 'web_search_20250305', max_uses: 3 }
  expect(await toToolSpec(toolOf({ name: 'web_search', serverTool }), OPTIONS)).toEqual({
    ...serverTool,
    name: 'web_search',
  })
})
