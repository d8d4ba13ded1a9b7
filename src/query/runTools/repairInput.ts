import type * as z from 'zod'

/** A repaired input, and the paths of dropped fields. */
export type RepairedInput = { readonly input: unknown; readonly dropped: readonly string[] }

type Path = readonly PropertyKey[]
type Repair = { readonly path: Path; readonly value: unknown }

/**
 * Repairs common mistakes of models whose intent is clear: drops unknown fields and `null` for optional ones, parses a
 * list or an object written as JSON text, and turns a number into a string if one is required. Undefined if there is
 * nothing to repair. Pure.
 */
export function repairInput(input: unknown, issues: readonly z.core.$ZodIssue[]): RepairedInput | undefined {
  const copy: unknown = structuredClone(input)
  const dropped: string[] = []
  let isRepaired = false
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        remove(copy, [...issue.path, key])
        dropped.push([...issue.path, key].map(String).join('.'))
      }
      isRepaired = true
    } else if (issue.code === 'invalid_type') {
      const repair = repairType(issue.expected, issue.path, valueAt(copy, issue.path))
      if (repair !== undefined) put(copy, repair)
      isRepaired ||= repair !== undefined
    }
  }
  return isRepaired ? { input: copy, dropped } : undefined
}

function repairType(expected: string, path: Path, value: unknown): Repair | undefined {
  if (path.length === 0 || value === undefined) return undefined
  if (value === null) return { path, value: undefined }
  if (expected === 'string' && (typeof value === 'number' || typeof value === 'boolean')) {
    return { path, value: String(value) }
  }
  if ((expected !== 'array' && expected !== 'object') || typeof value !== 'string') return undefined
  const parsed = fromJson(value)
  const isFitting = typeof parsed === 'object' && parsed !== null && Array.isArray(parsed) === (expected === 'array')
  return isFitting ? { path, value: parsed } : undefined
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value at a path of an input; undefined where there is none. */
export function valueAt(root: unknown, path: Path): unknown {
  return path.reduce((value, key) => (isKeyed(value) && Object.hasOwn(value, key) ? value[key] : undefined), root)
}

function put(root: unknown, { path, value }: Repair): void {
  const owner = valueAt(root, path.slice(0, -1))
  const key = path.at(-1)
  if (!isKeyed(owner) || key === undefined) return
  if (value === undefined && !Array.isArray(owner)) Reflect.deleteProperty(owner, key)
  else owner[key] = value
}

function remove(root: unknown, path: Path): void {
  put(root, { path, value: undefined })
}

function isKeyed(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null
}
