import type * as z from 'zod'
import { parseJson, valueAt } from '../../lib/text/json.ts'
import { counted } from '../../lib/text/words.ts'
import type { Tool, ToolInput } from '../../Tool.ts'

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

export function fieldsOf(tool: Tool): readonly string[] {
  const schema = tool.inputSchema()
  return 'shape' in schema && typeof schema.shape === 'object' ? Object.keys(schema.shape ?? {}) : []
}

type Issue = z.core.$ZodIssue

/**
 * What is wrong with one field of an input, in words that need no schema library: "must be a number, not a string". The
 * library's own words for what has no other. Pure.
 */
function describeIssue(issue: Issue, input: unknown): string {
  const value = valueAt(input, issue.path)
  if (value === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value')) return 'is missing'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kindName(issue.expected)}, not ${kindOf(value)}`
    case 'invalid_value':
      return `must be ${listOf(issue.values)}, not ${shown(value)}`
    case 'too_small':
      return boundOf(issue.origin, Number(issue.minimum), issue.inclusive === true ? 'at least' : 'more than')
    case 'too_big':
      return boundOf(issue.origin, Number(issue.maximum), issue.inclusive === true ? 'at most' : 'less than')
    default:
      return issue.message
  }
}

function boundOf(origin: string, bound: number, words: string): string {
  if (bound === 1 && words === 'at least' && origin !== 'number') return 'must not be empty'
  if (origin === 'string') return `must have ${words} ${counted(bound, 'character')}`
  return origin === 'array' ? `must have ${words} ${bound} entries` : `must be ${words} ${bound}`
}

function listOf(values: readonly unknown[]): string {
  const names = values.map((value) => JSON.stringify(value))
  const last = names.pop() ?? ''
  return names.length === 0 ? last : `${names.join(', ')} or ${last}`
}

function shown(value: unknown): string {
  return typeof value === 'string' && value.length <= 40 ? JSON.stringify(value) : kindOf(value)
}

function kindOf(value: unknown): string {
  return kindName(value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
}

/** Kinds of values by the names of the schema library, with their article. */
const KINDS: Readonly<Record<string, string>> = {
  array: 'an array',
  int: 'a whole number',
  null: 'null',
  object: 'an object',
  record: 'an object',
}

function kindName(kind: string): string {
  return KINDS[kind] ?? `a ${kind}`
}

type Path = readonly PropertyKey[]

/**
 * Repairs common mistakes of models whose intent is clear: drops unknown fields and `null` for optional ones, parses a
 * list or an object written as JSON text, and turns a number into a string if one is required. Undefined if there is
 * nothing to repair. Pure.
 */
function repairInput(input: unknown, issues: readonly Issue[]) {
  const copy: unknown = structuredClone(input)
  const dropped: string[] = []
  let isRepaired = false
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        put(copy, [...issue.path, key], undefined)
        dropped.push([...issue.path, key].map(String).join('.'))
      }
      isRepaired = true
    } else if (issue.code === 'invalid_type' && issue.path.length > 0) {
      const value = valueAt(copy, issue.path)
      const repaired = repairType(issue.expected, value)
      if (repaired === value) continue
      put(copy, issue.path, repaired)
      isRepaired = true
    }
  }
  return isRepaired ? { input: copy, dropped } : undefined
}

/** The value that was meant; the same one if that is not clear. */
function repairType(expected: string, value: unknown): unknown {
  if (value === null) return undefined
  if (expected === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value)
  if ((expected !== 'array' && expected !== 'object') || typeof value !== 'string') return value
  const parsed = parseJson(value)
  const isFitting = typeof parsed === 'object' && parsed !== null && Array.isArray(parsed) === (expected === 'array')
  return isFitting ? parsed : value
}

function put(root: unknown, path: Path, value: unknown): void {
  const owner = valueAt(root, path.slice(0, -1))
  const key = path.at(-1)
  if (!isKeyed(owner) || key === undefined) return
  if (value === undefined && !Array.isArray(owner)) Reflect.deleteProperty(owner, key)
  else owner[key] = value
}

function isKeyed(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null
}
