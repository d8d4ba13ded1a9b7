import { expect, test } from 'vitest'
import type { ToolSpec } from '../../../src/contracts/model.ts'
import { toToolSpec } from '../../../src/model/toolSpec.ts'
import { strictTools } from '../../../src/model/tools/strictTools.ts'
import { isDeferred } from '../../../src/Tool.ts'
import { getAllBaseTools } from '../../../src/tools.ts'
import { ask, startModel } from '../../helpers/model/modelRun.ts'

type Properties = Readonly<Record<string, unknown>>

const object = (properties: Properties, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const tool = (name: string, input_schema: Properties, more = {}): ToolSpec => ({
  name,
  description: '',
  input_schema,
  ...more,
})
const strictIn = (tools: readonly object[]) => tools.filter((each) => 'strict' in each)
const text = { type: 'string' }
const optional = (count: number) => object(Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, text])))

test.each([
  ['closed, with few optional parameters', optional(4), true],
  ['with too many of them', optional(5), false],
  ['open', { ...optional(1), additionalProperties: true }, false],
  ['with an open object inside', object({ meta: { type: 'object', additionalProperties: {} } }, ['meta']), false],
  ['with alternatives', object({ a: { anyOf: [text, { type: 'number' }] } }, ['a']), false],
  ['with several types', object({ a: { type: ['string', 'null'] } }, ['a']), false],
  ['with optional parameters in a list', object({ list: { type: 'array', items: optional(5) } }, ['list']), false],
])('a schema %s: strict %s', (_, schema, isStrict) => {
  expect('strict' in (strictTools([tool('A', schema)])[0] ?? {})).toBe(isStrict)
})

test('a parameter may be named like a constraint; constraints go', () => {
  const schema = object({ pattern: { type: 'string', minLength: 1 }, n: { type: 'integer', minimum: 0 } }, [
    'pattern',
    'n',
  ])
  expect(strictTools([tool('Glob', schema)])).toMatchObject([
    { strict: true, input_schema: object({ pattern: text, n: { type: 'integer' } }, ['pattern', 'n']) },
  ])
  expect(JSON.stringify(strictTools([tool('Glob', schema)]))).not.toMatch(/minLength|minimum/)
})

test('no more than one request may have: 20 tools, 24 optional parameters', () => {
  const many = (count: number, schema: Properties) => Array.from({ length: count }, (_, n) => tool(`T${n}`, schema))
  expect(strictIn(strictTools(many(30, object({}))))).toHaveLength(20)
  expect(strictIn(strictTools(many(30, optional(4))))).toHaveLength(6)
})

test('a tool that is loaded later is not strict', () => {
  expect(strictIn(strictTools([tool('A', object({}), { deferred: true })]))).toEqual([])
})

test('the built-in tools that are offered at once fit the limits, as the test server checks', async () => {
  const all = getAllBaseTools().filter((each) => each.serverTool === undefined && !isDeferred(each))
  const tools = await Promise.all(all.map((each) => toToolSpec(each, { tools: all, cwd: '/x' })))
  const { client, server } = await startModel([{ turn: { say: 'ok' } }], { strictTools: true })
  await ask(client, { tools })
  const names = strictIn(server.requests[0]?.body.tools).map((each) => ('name' in each ? each.name : ''))
  expect(names).toEqual(expect.arrayContaining(['Bash', 'Edit', 'Finish', 'Glob', 'Read']))
  expect(names).not.toContain('Grep')
})
