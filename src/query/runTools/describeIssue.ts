import type * as z from 'zod'
import { counted } from '../../lib/text/counted.ts'
import { valueAt } from './repairInput.ts'

type Issue = z.core.$ZodIssue

/**
 * What is wrong with one field of an input, in words that need no schema library: "must be a number, not a string". The
 * library's own words for what has no other. Pure.
 */
export function describeIssue(issue: Issue, input: unknown): string {
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
