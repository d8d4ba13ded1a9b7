import { describe, expect, it } from 'vitest'
import { type JsonSchema, schemaRows } from '../../../scripts/schemaRows.ts'
import { policyJsonSchema } from '../../../src/policy/load/policySchema.ts'

/** Paths of the properties that no description explains, through all references. */
function unexplained(schema: JsonSchema): string[] {
  return schemaRows(schema).flatMap(({ path, description = '' }) => (description.trim() === '' ? [path] : []))
}

describe('the descriptions of the policy schema', () => {
  it('explain every property', () => {
    const schema = JSON.parse(policyJsonSchema()) as JsonSchema
    expect(schemaRows(schema).length).toBeGreaterThan(100)
    expect(unexplained(schema)).toEqual([])
  })

  it.each<[string, JsonSchema, string]>([
    ['at the top', { properties: { a: { type: 'string' } } }, 'a'],
    ['in an item of a list', { properties: { a: { description: 'A', items: { properties: { b: {} } } } } }, 'a[].b'],
    ['in any key of a map', { additionalProperties: { properties: { b: { description: ' ' } } } }, '.<name>.b'],
    ['in a variant', { anyOf: [{ properties: { a: { description: 'A' } } }, { properties: { b: {} } }] }, 'b'],
    [
      'behind a reference',
      { properties: { a: { description: 'A', $ref: '#/$defs/x' } }, $defs: { x: { properties: { b: {} } } } },
      'a.b',
    ],
  ])('are required %s', (_place, schema, path) => {
    expect(unexplained(schema)).toEqual([path])
  })
})
