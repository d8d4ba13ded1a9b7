import type * as z from 'zod'
import type { Tool, ToolInput } from '../../Tool.ts'
import { describeIssue } from './describeIssue.ts'
import { repairInput } from './repairInput.ts'

/** A valid input, with the names of dropped fields; or what is wrong with it. */
export type ParsedInput =
  | { readonly ok: true; readonly input: ToolInput; readonly dropped: readonly string[] }
  | { readonly ok: false; readonly message: string }

/** One mistake may hide another: unknown fields in a list that came as text. */
const MAX_REPAIRS = 3

/**
 * Parses a model's input with the tool's schema. Unknown fields are dropped, and other obvious mistakes are repaired.
 * Every other error is reported with its path, so that the model can fix it.
 */
export function parseInput(tool: Tool, raw: unknown): ParsedInput {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return { ok: false, message: 'The input is not an object.' }
  const schema = tool.inputSchema()
  const dropped: string[] = []
  let input: unknown = raw
  for (let repairs = 0; ; repairs++) {
    const { success, data, error } = schema.safeParse(input)
    if (success) return { ok: true, input: data as ToolInput, dropped }
    const repaired = repairs < MAX_REPAIRS ? repairInput(input, error.issues) : undefined
    if (repaired === undefined) return { ok: false, message: describe(tool, input, error, dropped) }
    input = repaired.input
    dropped.push(...repaired.dropped)
  }
}

function describe(tool: Tool, input: unknown, error: z.ZodError, dropped: readonly string[]): string {
  const lines = error.issues.slice(0, 8).map((issue) => {
    const path = issue.path.map(String).join('.')
    return `- ${path === '' ? 'input' : path}: ${describeIssue(issue, input)}`
  })
  if (dropped.length > 0) lines.push(`- unknown: ${dropped.join(', ')}. Its fields: ${fieldsOf(tool).join(', ')}`)
  return `The input of ${tool.name} does not fit:\n${lines.join('\n')}`
}

/** The field names in a tool's schema; none if it is not a plain object. */
export function fieldsOf(tool: Tool): readonly string[] {
  const schema = tool.inputSchema()
  return 'shape' in schema && typeof schema.shape === 'object' ? Object.keys(schema.shape ?? {}) : []
}
