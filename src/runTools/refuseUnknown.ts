import type { RunEvent } from '../contracts/events.ts'
import type { SubjectContext, Tool } from '../Tool.ts'
import { fieldsOf, type ParsedInput } from './parseInput.ts'

type Parsed = Extract<ParsedInput, { ok: true }>

/**
 * Why a call is not run whose input has fields that its tool does not know: what it would change without them may not be
 * what was meant. Undefined for a call that only reads or has no effect outside the run, which goes on without them.
 */
export function refuseUnknown(tool: Tool, { input, dropped }: Parsed, context: SubjectContext): string | undefined {
  if (dropped.length === 0 || tool.isFree || tool.isReadOnly(input, context)) return undefined
  const fields = `${dropped.length === 1 ? 'field' : 'fields'} ${dropped.slice(0, 10).join(', ')}`
  return `Not run: ${tool.name} has no ${fields}. Its fields: ${fieldsOf(tool).join(', ')}. Send the call again without what it does not know.`
}

/** The record of fields that a tool does not know. */
export function droppedFields(tool: Tool, names: readonly string[]): RunEvent {
  const message = `${tool.name}: unknown fields in the model's input: ${names.slice(0, 10).join(', ')}`
  return { type: 'system', subtype: 'warning', code: 'unknown_fields', message }
}
