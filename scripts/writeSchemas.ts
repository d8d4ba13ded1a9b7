import { writeFileSync } from 'node:fs'
import { policyJsonSchema } from '../src/policy/load/policySchema.ts'
import { eventJsonSchema, resultJsonSchema } from './eventJsonSchema.ts'

/** Writes the published JSON Schemas; tests beside their sources fail where they are out of date. */
const schemas = {
  policy: policyJsonSchema(),
  event: `${JSON.stringify(eventJsonSchema(), null, 2)}\n`,
  result: `${JSON.stringify(resultJsonSchema(), null, 2)}\n`,
}
for (const [name, text] of Object.entries(schemas)) {
  writeFileSync(new URL(`../schema/${name}.schema.json`, import.meta.url), text)
}
