import * as z from 'zod'
import { valueAt } from '../../lib/text/json.ts'
import { didYouMean } from '../../lib/text/nearest.ts'
import { cut } from '../../lib/text/words.ts'
import type { KeyPath } from './parseYaml.ts'
import { policySchema } from './policySchema.ts'

export type ContentFault = {
  readonly path: KeyPath
  readonly isKey: boolean
  readonly message: string
  readonly isAbsent?: boolean
}

type Issue = z.core.$ZodIssue

/** A zod issue in the words of the policy file: the key with its path, the nearest valid key, what was expected. */
export function describeIssue(issue: Issue, data: unknown): readonly ContentFault[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => describeKey(key, issue.path, valueAt(data, issue.path)))
  const inner = issue.code === 'invalid_union' ? closestBranch(issue) : undefined
  if (inner) {
    return inner.flatMap((child) => describeIssue({ ...child, path: [...issue.path, ...child.path] }, data))
  }
  const label = nameOf(issue.path)
  if (issue.code === 'invalid_key')
    return [{ path: issue.path, isKey: true, message: `${label}: ${issue.issues[0]?.message}` }]
  const value = valueAt(data, issue.path)
  const isMissing = value === undefined && issue.path.length > 0
  if (issue.code === 'custom' && typeof value === 'object')
    return [{ path: issue.path, isKey: false, message: `${label}: ${issue.message}` }]
  const isUnquoted =
    issue.code === 'invalid_type' && issue.expected === 'string' && typeof value !== 'object' && !isOwn(issue)
  const advice = isUnquoted ? '; put it in quotes' : ''
  const only =
    issue.code === 'invalid_value' && issue.values.length === 1
      ? `; write \`${label}: ${String(issue.values[0])}\``
      : ''
  const message = isMissing
    ? `${label} is missing${only}`
    : `${label}: ${expectation(issue)}, not ${shown(value)}${advice}`
  return [{ path: issue.path, isKey: false, message, isAbsent: value === undefined || value === null }]
}

/** The branch of a union that the author meant: the one whose faults are inside the value, not in its type. */
function closestBranch(issue: Extract<Issue, { code: 'invalid_union' }>): readonly Issue[] | undefined {
  return issue.errors.find((branch) =>
    branch.every((child) => child.path.length > 0 || child.code === 'unrecognized_keys'),
  )
}

function describeKey(key: string, parent: KeyPath, value: unknown): ContentFault {
  const path = [...parent, key]
  const siblings = keysAt(parent, value)
  const advice = adviceOn(key, siblings)
  const valid = advice === '' && siblings.length > 0 ? `; known keys: ${siblings.join(', ')}` : ''
  return { path, isKey: true, message: `unknown key ${JSON.stringify(key)}${inside(parent)}${advice}${valid}` }
}

/** The intended key, or the section that it belongs to. Exact names beat similar names. */
function adviceOn(key: string, siblings: readonly string[]): string {
  const meant =
    siblings.find((name) => flat(name) === flat(key)) ?? siblings.find((name) => flat(name).endsWith(flat(key)))
  if (meant !== undefined && key.length > 2) return didYouMean(meant, [meant])
  const home = homeOf(key)
  return home === undefined ? didYouMean(key, siblings) : ` (it belongs to \`${home}\`)`
}

/** A key without the parts that people spell differently. */
function flat(key: string): string {
  return key.toLowerCase().replace(/[-_]/g, '')
}

function inside(parent: KeyPath): string {
  return parent.length === 0 ? '' : ` in ${nameOf(parent)}`
}

function nameOf(path: KeyPath): string {
  if (path.length === 0) return 'the policy'
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? String(key) : `.${String(key)}`))
    .join('')
}

function expectation(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (isOwn(issue)) return issue.message
      return `expected ${issue.expected === 'int' ? 'a whole number' : kind(issue.expected)}`
    case 'invalid_value':
      return `expected ${alternatives(issue.values)}`
    case 'too_small':
      if (issue.origin === 'string') return 'expected a string that is not empty'
      return `expected ${issue.inclusive === true ? 'at least' : 'more than'} ${issue.minimum}`
    case 'too_big':
      return `expected at most ${issue.maximum}`
    case 'invalid_union':
      if (issue.discriminator !== undefined) return `expected ${alternatives(Reflect.get(issue, 'options'))}`
      return issue.message === 'Invalid input' ? `expected ${branchTypes(issue)}` : issue.message
    default:
      return issue.message
  }
}

function isOwn({ message }: Issue): boolean {
  return !message.startsWith('Invalid input')
}

function alternatives(values: unknown): string {
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)).join(' or ') : 'another value'
}

function branchTypes(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  const types = issue.errors.flatMap((branch) =>
    branch.slice(0, 1).map((child) => expectation(child).replace(/^expected /, '')),
  )
  return [...new Set(types)].join(' or ')
}

function kind(expected: string): string {
  const names: Record<string, string> = {
    string: 'a string',
    number: 'a number',
    boolean: 'true or false',
    array: 'a list',
    object: 'a map of keys',
    record: 'a map of keys',
  }
  return names[expected] ?? expected
}

function shown(value: unknown): string {
  if (value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a map of keys'
  return cut(typeof value === 'string' ? JSON.stringify(value) : String(value), 60)
}

/** The keys that are valid at this place of the file: of hooks, those of the type that `value` has. */
function keysAt(path: KeyPath, value?: unknown): readonly string[] {
  const schemas = path.reduce<readonly z.core.$ZodType[]>(
    (found, key) => found.flatMap((schema) => childrenOf(schema, key)),
    unwrap(policySchema),
  )
  const objects = schemas.filter((schema) => schema instanceof z.ZodObject)
  const type = valueAt(value, ['type'])
  const meant = objects.filter(({ shape }) => shape['type'] instanceof z.ZodLiteral && shape['type'].value === type)
  return [...new Set((meant.length > 0 ? meant : objects).flatMap(({ shape }) => Object.keys(shape)))]
}

function childrenOf(schema: z.core.$ZodType, key: PropertyKey): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodObject) return unwrap(schema.shape[String(key)])
  if (schema instanceof z.ZodArray) return unwrap(schema.element)
  if (schema instanceof z.ZodRecord) return unwrap(schema.valueType)
  return []
}

function unwrap(schema: z.core.$ZodType | undefined): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodExactOptional) return unwrap(schema.unwrap())
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option: z.core.$ZodType) => unwrap(option))
  return schema === undefined ? [] : [schema]
}

/** The section of a key that was written in the wrong place: `maxTurns` → `run.maxTurns`. */
function homeOf(key: string): string | undefined {
  const known = FOREIGN_KEYS.get(flat(key))
  if (known !== undefined) return known
  const sections = ['permissions', 'run', 'checks', 'env', 'sandbox', 'redact']
  const section = sections.find((name) => keysAt([name]).some((child) => flat(child) === flat(key)))
  return section === undefined
    ? undefined
    : `${section}.${keysAt([section]).find((child) => flat(child) === flat(key))}`
}

/** Other tools' names for our keys. */
const FOREIGN_KEYS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    allowedtools: 'permissions.allow',
    disallowedtools: 'permissions.deny',
    permissionmode: 'permissions.defaultMode',
    adddir: 'permissions.additionalDirectories',
    mcpconfig: 'mcpServers',
    environment: 'env.set',
    secretenvvars: 'redact.env',
  }),
)
