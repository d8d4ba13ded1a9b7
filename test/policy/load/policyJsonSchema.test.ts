import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { policyJsonSchema } from '../../../src/policy/load/policySchema.ts'

const published = readFileSync(new URL('../../../schema/policy.schema.json', import.meta.url), 'utf8')

describe('schema/policy.schema.json', () => {
  it('is up to date (`npx tsx scripts/writeSchemas.ts` writes it)', () => {
    expect(published).toBe(policyJsonSchema())
  })

  const validate = new Ajv2020({ allErrors: true, strict: false }).compile(JSON.parse(published))
  it.each([
    ['version: 1', true],
    ['version: 2', false],
    ['permissions: {}', false],
    ['version: 1\npermissions: { allow: ["Bash(ls)"], deny: [Edit] }', true],
    ['version: 1\npermissions: { allow: Bash }', false],
    ['version: 1\npermission: {}', false],
    ['version: 1\nrun: { timeout: 30m, maxTurns: 3 }', true],
    ['version: 1\nrun: { maxTurn: 3 }', false],
    ['version: 1\nhooks: { PreToolUse: [{ matcher: Bash, hooks: [{ type: command, command: ./x }] }] }', true],
    ['version: 1\nhooks: { PreToolUse: [{ hooks: [{ type: mcp_tool }] }] }', false],
  ])('agrees with the loader on %s', (text, isValid) => {
    expect(validate(parse(text))).toBe(isValid)
  })
})
