import type { RunEvent } from '../../contracts/events.ts'
import type { SubjectContext, Tool } from '../../Tool.ts'
import { fieldsOf, type ParsedInput } from './parseInput.ts'

type Parsed = Extract<ParsedInput, { ok: true }>

/**
 * Refuses a call with unknown fields in its input, because without them it might do something else than intended.
 * Undefined for a call that only reads or has no effect outside the run: it runs without them.
 */
export function refuseUnknown(tool: Tool, { input, dropped }: Parsed, context: SubjectContext): string | undefined {
  if (dropped.length === 0 || tool.isFree || tool.isReadOnly(input, context)) return undefined
  const fields = `${dropped.length === 1 ? 'field' : 'fields'} ${dropped.slice(0, 10).join(', ')}`
  return `Not run: ${tool.name} has no ${fields}. Its fields: ${fieldsOf(tool).join(', ')}. Send the call again without unknown fields.`
}

/** The event for unknown fields. */
export function droppedFields(tool: Tool, names: readonly string[]): RunEvent {
  const message = `${tool.name}: unknown fields in the model's input: ${names.slice(0, 10).join(', ')}`
  return { type: 'system', subtype: 'warning', code: 'unknown_fields', message }
}
