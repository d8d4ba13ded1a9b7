import * as z from 'zod'
import { eventSchema, stampSchema } from '../src/contracts/events/eventSchema.ts'
import { resultSchema } from '../src/contracts/events/resultSchema.ts'

type JsonSchema = Readonly<Record<string, unknown>>

/**
 * The JSON Schema of a line of `stream-json` output and of a transcript. Fields that a transcript adds may be missing.
 * More fields are allowed, because later versions of the format add some.
 */
export function eventJsonSchema(): JsonSchema {
  const { properties } = toJsonSchema(stampSchema)
  const title = 'An event of a kode-run run, as a transcript and stream-json output hold it'
  const { $schema, ...events } = toJsonSchema(eventSchema)
  return { $schema, title, type: 'object', properties, ...events }
}

/** JSON Schema of what `--output-format json` prints. */
export function resultJsonSchema(): JsonSchema {
  const { $schema, ...result } = toJsonSchema(resultSchema)
  return { $schema, title: 'The result of a kode-run run', ...result }
}

function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input' })
}
