import type { Door } from '../contracts/door.ts'
import { policyJsonSchema } from '../policy/policyJsonSchema.ts'

/** `kode-run policy schema`: the JSON Schema of the policy file, for editors. */
export async function policySchema(door: Door): Promise<number> {
  door.print(policyJsonSchema())
  return 0
}
