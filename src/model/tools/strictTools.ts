import type { ServerToolSpec, ToolSpec } from '../../contracts/model.ts'
import { isObject } from '../../lib/isObject.ts'

type Spec = ToolSpec | ServerToolSpec
type Schema = Readonly<Record<string, unknown>>

/** Limits of one request, from "Structured outputs: schema complexity limits". */
const MAX_TOOLS = 20
const MAX_OPTIONAL = 24
/** Of one tool: each optional parameter doubles a part of the grammar that the API compiles. */
const MAX_OPTIONAL_OF_ONE = 4

/** Constraints that a strict schema must not have. The tool checks them itself. */
const UNSUPPORTED: ReadonlySet<string> = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'format', 'minItems', 'maxItems', 'uniqueItems'],
])
const ALTERNATIVES = ['anyOf', 'oneOf', 'allOf', '$ref'] as const

/**
 * The tools, those with a simple closed schema marked `strict`, as many as one request may have. A tool that is loaded
 * later is never strict: the API would compile the grammar of all strict tools again. Pure.
 */
export function strictTools(tools: readonly Spec[]): readonly Spec[] {
  let room = { tools: MAX_TOOLS, optional: MAX_OPTIONAL }
  return tools.map((tool) => {
    if (!isOwn(tool) || tool.deferred === true) return tool
    const optional = optionalOf(tool.input_schema)
    if (optional > MAX_OPTIONAL_OF_ONE || optional > room.optional || room.tools === 0) return tool
    room = { tools: room.tools - 1, optional: room.optional - optional }
    return { ...tool, strict: true, input_schema: withoutConstraints(tool.input_schema) }
  })
}

function isOwn(tool: Spec): tool is ToolSpec {
  return 'input_schema' in tool
}

/** The optional parameters at every depth; infinite where the schema has what strict tools cannot have. */
function optionalOf(schema: Schema): number {
  if (ALTERNATIVES.some((key) => key in schema) || Array.isArray(schema['type'])) return Number.POSITIVE_INFINITY
  const items = isObject(schema['items']) ? optionalOf(schema['items']) : 0
  if (schema['type'] !== 'object') return items
  if (schema['additionalProperties'] !== false) return Number.POSITIVE_INFINITY
  const properties = Object.entries(isObject(schema['properties']) ? schema['properties'] : {})
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const own = properties.filter(([name]) => !required.includes(name)).length
  return properties.reduce((sum, [, value]) => sum + (isObject(value) ? optionalOf(value) : 0), own)
}

function withoutConstraints(schema: Schema): Schema {
  const kept = Object.entries(schema).filter(([key]) => !UNSUPPORTED.has(key))
  return Object.fromEntries(
    kept.map(([key, value]) => {
      if (key === 'items' && isObject(value)) return [key, withoutConstraints(value)]
      if (key !== 'properties' || !isObject(value)) return [key, value]
      return [key, mapValues(value, (part) => (isObject(part) ? withoutConstraints(part) : part))]
    }),
  )
}

function mapValues(value: Schema, map: (part: unknown) => unknown): Schema {
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, map(part)]))
}
