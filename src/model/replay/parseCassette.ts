import * as z from 'zod'
import { RunError } from '../../contracts/errors.ts'
import type { CanonicalRequest } from '../canonicalRequest.ts'
import type { FaultDetails } from '../ModelFault.ts'

/** One attempt as sent over the network: a line of a cassette. */
export type CassetteEntry = {
  readonly v: 1
  readonly request: CanonicalRequest
  /** 0 if there was no response. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** What ended the attempt, if not the end of the body. */
  readonly failure?: FaultDetails | undefined
  readonly ms: number
}

const entrySchema = z.looseObject({
  v: z.literal(1),
  request: z.looseObject({
    key: z.string(),
    conversation: z.string(),
    model: z.string(),
    system: z.string(),
    toolNames: z.array(z.string()),
    tools: z.string(),
    messages: z.array(z.string()),
    last: z.string(),
    calls: z.array(z.string()),
    features: z.array(z.enum(['references', 'strict'])).exactOptional(),
    thinking: z.string().exactOptional(),
  }),
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  failure: z
    .looseObject({ kind: z.string(), reason: z.string(), message: z.string(), canRetry: z.boolean() })
    .optional(),
  ms: z.number(),
})

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
