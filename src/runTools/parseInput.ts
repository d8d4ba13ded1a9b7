import type * as z from 'zod'
import type { Tool, ToolInput } from '../Tool.ts'

/** An input that fits its schema, with the names of fields that were dropped; or what is wrong with it. */
export type ParsedInput =
  | { readonly ok: true; readonly input: ToolInput; readonly dropped: readonly string[] }
  | { readonly ok: false; readonly message: string }

/**
 * A model's input by the tool's schema. Fields the schema does not know are dropped, never obeyed; every other fault is
 * named with its path, so that the model can mend it.
 */
export function parseInput(tool: Tool, raw: unknown): ParsedInput {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return { ok: false, message: 'The input is not an object.' }
  const schema = tool.inputSchema()
  const first = schema.safeParse(raw)
  if (first.success) return { ok: true, input: first.data as ToolInput, dropped: [] }
  const dropped = first.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [],
  )
  const second = dropped.length === 0 ? first : schema.safeParse(without(raw, dropped))
  if (second.success) return { ok: true, input: second.data as ToolInput, dropped }
  return { ok: false, message: describe(tool.name, second.error) }
}

function without(raw: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !names.includes(name)))
}

function describe(name: string, error: z.ZodError): string {
  const lines = error.issues.slice(0, 8).map((issue) => {
    const path = issue.path.map(String).join('.')
    return `- ${path === '' ? 'input' : path}: ${issue.message}`
  })
  return `The input of ${name} does not fit:\n${lines.join('\n')}`
}
