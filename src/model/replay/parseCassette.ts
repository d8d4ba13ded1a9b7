import * as z from 'zod'
import { RunError } from '../../contracts/errors.ts'
import type { Frozen } from '../../contracts/Frozen.ts'
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
  const lines = text.split('\n').map((line, index) => ({ line, number: index + 1 }))
  const entries = lines
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => parseLine(line, `${file}:${number}`))
  if (entries.length === 0) throw new RunError('bad_input', `${file}: the recording is empty`)
  return entries
}

function parseLine(line: string, place: string): CassetteEntry {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    throw new RunError('bad_input', `${place}: not a line of a recording: it is not JSON`, { cause: error })
  }
  const result = entrySchema.safeParse(value)
  if (result.success) return result.data as CassetteEntry
  const problem = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
  throw new RunError('bad_input', `${place}: not a line of a recording: ${problem}`)
}
