import * as z from 'zod'
import { policySchema } from './policySchema.ts'

/** The JSON Schema of a policy file, as text. Editors use it for completion, and `kode-run policy schema` prints it. */
export function policyJsonSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(policySchema, { io: 'input', reused: 'ref' })
  const titled = { $schema, title: 'kode-run policy', ...schema }
  return `${JSON.stringify(titled, undefined, 2)}\n`
}
