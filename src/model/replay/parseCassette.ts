import * as z from 'zod'
import { RunError } from '../../contracts/errors.ts'
import type { Frozen } from '../../contracts/Frozen.ts'
import { faultsOf } from '../../lib/faultsOf.ts'
import { parseJson } from '../../lib/text/json.ts'
import { canonicalRequestSchema } from '../canonicalRequest.ts'
import type { FaultDetails } from '../ModelFault.ts'

/** One attempt as sent over the network: a line of a cassette. */
const entrySchema = z.object({
  v: z.literal(1),
  request: canonicalRequestSchema,
  /** 0 if there was no response. */
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  /** What ended the attempt, if not the end of the body. */
  failure: z
    .looseObject({ kind: z.string(), reason: z.string(), message: z.string(), canRetry: z.boolean() })
    .optional(),
  ms: z.number(),
})

export type CassetteEntry = Frozen<Omit<z.infer<typeof entrySchema>, 'failure'>> & {
  readonly failure?: FaultDetails | undefined
}

/** The entries of a cassette. An invalid line is a `RunError` that names it. */
export function parseCassette(text: string, file: string): CassetteEntry[] {
  const entries = text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [parseLine(line, `${file}:${index + 1}`)]))
  if (entries.length === 0) throw new RunError('bad_input', `${file}: the recording is empty`)
  return entries
}

function parseLine(line: string, place: string): CassetteEntry {
  const value = parseJson(line)
  const result = entrySchema.safeParse(value)
  if (result.success) return result.data as CassetteEntry
  const problem = value === undefined ? 'it is not JSON' : faultsOf(result.error)
  throw new RunError('bad_input', `${place}: not a line of a recording: ${problem}`)
}
