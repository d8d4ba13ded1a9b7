import { expect, test } from 'vitest'
import * as z from 'zod'
import { semanticBoolean, semanticNumber } from '../../src/Tool/semanticValues.ts'

const schema = z.strictObject({
  count: semanticNumber(z.number().nonnegative()).optional(),
  flag: semanticBoolean(z.boolean()).optional(),
})

test.each([
  [{}, {}],
  [
    { count: 5, flag: false },
    { count: 5, flag: false },
  ],
  [
    { count: '5000', flag: 'true' },
    { count: 5000, flag: true },
  ],
  [
    { count: ' 1.5 ', flag: ' False ' },
    { count: 1.5, flag: false },
  ],
])('%j is %j', (given, expected) => {
  expect(schema.parse(given)).toEqual(expected)
})

test.each([
  [{ count: '' }],
  [{ count: '5k' }],
  [{ count: '-1' }],
  [{ count: '1e999' }],
  [{ count: null }],
  [{ flag: 'yes' }],
  [{ flag: 1 }],
  [{ flag: '' }],
])('%j is refused', (given) => {
  expect(schema.safeParse(given).success).toBe(false)
})

test('the model is shown the inner type', () => {
  expect(z.toJSONSchema(schema, { io: 'input' })).toMatchObject({
    properties: { count: { type: 'number', minimum: 0 }, flag: { type: 'boolean' } },
  })
})
