import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import type { RunEvent } from '../../../src/contracts/events.ts'
import { eventJsonSchema, resultJsonSchema } from '../../../src/report/schema/eventJsonSchema.ts'
import { eventSchema } from '../../../src/report/schema/eventSchema.ts'
import { sampleRun, stamp } from '../../helpers/runs/events.ts'

type Frozen<Value> = Value extends object ? { readonly [Key in keyof Value]: Frozen<Value[Key]> } : Value
type IsSame<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

const compile = (schema: object): ValidateFunction =>
  new Ajv2020({ validateFormats: false, allowUnionTypes: true }).compile(schema)
const validateEvent = compile(eventJsonSchema())

it('the schema matches the types', () => {
  // Does not compile while they differ.
  const isSame: IsSame<Frozen<z.infer<typeof eventSchema>>, Frozen<RunEvent>> = true
  expect(isSame).toBe(true)
})

describe('the published schemas', () => {
  it.each([
    ['schema/event.schema.json', eventJsonSchema],
    ['schema/result.schema.json', resultJsonSchema],
  ])('%s is up to date (npm run schemas)', (path, generate) => {
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(JSON.parse(JSON.stringify(generate())))
  })

  it('accept every event and record of a run, with fields of later versions', () => {
    for (const event of [...sampleRun(), ...stamp(sampleRun())]) {
      expect(validateEvent({ ...event, later: 1 }), JSON.stringify(validateEvent.errors)).toBe(true)
      expect(eventSchema.safeParse(event).success).toBe(true)
    }
    expect(compile(resultJsonSchema())(sampleRun().at(-1))).toBe(true)
  })

  it.each([
    ['an unknown type', { type: 'other' }],
    ['a missing field', { ...sampleRun()[0], cwd: undefined }],
    ['a wrong type', { ...sampleRun()[0], tools: 'Bash' }],
    ['an unknown exit reason', { ...sampleRun().at(-1), exit_reason: 'fine' }],
    ['a wrong stamp', { ...sampleRun()[0], prev: 'x' }],
  ])('reject %s', (_, event) => {
    expect(validateEvent(JSON.parse(JSON.stringify(event)))).toBe(false)
  })
})
