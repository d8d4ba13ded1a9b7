import type { ProcessIo } from '../../contracts/processIo.ts'
import { policyJsonSchema } from '../../policy/load/policySchema.ts'

/** `kode-run policy schema`: the JSON Schema of the policy file, for editors. */
export async function policySchema(io: ProcessIo): Promise<number> {
  io.print(policyJsonSchema())
  return 0
}
