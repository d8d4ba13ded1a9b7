import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { eventJsonSchema, resultJsonSchema } from '../../../scripts/eventJsonSchema.ts'
import { eventSchema } from '../../../src/contracts/events/eventSchema.ts'
import { sampleRun, stamp } from '../../helpers/runs/events.ts'

const compile = (schema: object): ValidateFunction =>
  new Ajv2020({ validateFormats: false, allowUnionTypes: true }).compile(schema)
const validateEvent = compile(eventJsonSchema())

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
