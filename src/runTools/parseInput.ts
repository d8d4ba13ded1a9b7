import type * as z from 'zod'
import type { Tool, ToolInput } from '../Tool.ts'
import { mendInput } from './mendInput.ts'

/** An input that fits its schema, with the names of fields that were dropped; or what is wrong with it. */
export type ParsedInput =
  | { readonly ok: true; readonly input: ToolInput; readonly dropped: readonly string[] }
  | { readonly ok: false; readonly message: string }

/** A slip may hide another one: unknown fields in a list that came as text. */
const MOST_MENDS = 3

/**
 * A model's input by the tool's schema. Fields the schema does not know are dropped, never obeyed, and other plain slips
 * are mended; every other fault is named with its path, so that the model can mend it.
 */
export function parseInput(tool: Tool, raw: unknown): ParsedInput {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return { ok: false, message: 'The input is not an object.' }
  const schema = tool.inputSchema()
  const dropped: string[] = []
  let input: unknown = raw
  for (let mends = 0; ; mends++) {
    const { success, data, error } = schema.safeParse(input)
    if (success) return { ok: true, input: data as ToolInput, dropped }
    const mended = mends < MOST_MENDS ? mendInput(input, error.issues) : undefined
    if (mended === undefined) return { ok: false, message: describe(tool.name, schema, error, dropped) }
    input = mended.input
    dropped.push(...mended.dropped)
  }
}

function describe(name: string, schema: z.ZodType, error: z.ZodError, dropped: readonly string[]): string {
  const lines = error.issues.slice(0, 8).map((issue) => {
    const path = issue.path.map(String).join('.')
    return `- ${path === '' ? 'input' : path}: ${issue.message}`
  })
  const fields = 'shape' in schema && typeof schema.shape === 'object' ? Object.keys(schema.shape ?? {}) : []
  if (dropped.length > 0) lines.push(`- unknown: ${dropped.join(', ')}. Its fields: ${fields.join(', ')}`)
  return `The input of ${name} does not fit:\n${lines.join('\n')}`
}
