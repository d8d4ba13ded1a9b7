import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { orFail } from '../contracts/errors.ts'
import { faultsOf } from '../lib/faultsOf.ts'
import { sortedKeys } from '../lib/text/json.ts'

/** Pinned tools: server → tool → SHA-256 of name, description and input schema, all as the server sent them. */
export type McpLock = {
  readonly version: 1
  readonly servers: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export type PinnedTool = {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: Readonly<Record<string, unknown>>
}

export type LockChange = { readonly tool: string; readonly kind: 'changed' | 'missing' | 'new' }

const LOCK = z.strictObject({
  version: z.literal(1),
  servers: z.record(z.string(), z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/))),
})

export function lockBeside(policyFile: string): string {
  return join(dirname(policyFile), 'mcp.lock')
}

/** The lock in a file; undefined if there is no file. Throws `RunError('config')` for an invalid one. */
export function loadLock(path: string): McpLock | undefined {
  const isThere = () => statSync(path, { throwIfNoEntry: false }) !== undefined
  const text = orFail('config', path, () => (isThere() ? readFileSync(path, 'utf8') : undefined))
  if (text === undefined) return undefined
  return orFail('config', `${path} is not a lock file (write a new one with kode-run mcp --lock)`, () => {
    const parsed = LOCK.safeParse(JSON.parse(text))
    if (!parsed.success) throw new Error(faultsOf(parsed.error))
    return parsed.data
  })
}

/** The lock as text: sorted, one tool per line, so that a diff names the changed tool. */
export function formatLock(lock: McpLock): string {
  return `${JSON.stringify(lock, sortedKeys, 2)}\n`
}

/** The hash of one tool; equal for schemas that differ only in the order of their keys. */
export function hashTool({ name, description, inputSchema }: PinnedTool): string {
  return hashOf({ name, description: description ?? '', inputSchema })
}

function hashOf(value: object): string {
  return createHash('sha256').update(JSON.stringify(value, sortedKeys)).digest('hex')
}

export function hashTools(tools: readonly PinnedTool[]): Readonly<Record<string, string>> {
  return Object.fromEntries(tools.map((tool) => [tool.name, hashTool(tool)]))
}

/** One hash for a whole list of tools, in any order. */
export function hashList(tools: readonly PinnedTool[]): string {
  return hashOf(hashTools(tools))
}

export function compareLock(
  pinned: Readonly<Record<string, string>>,
  present: Readonly<Record<string, string>>,
): readonly LockChange[] {
  const tools = Object.keys({ ...pinned, ...present }).sort()
  return tools.flatMap((tool): LockChange | [] => {
    if (present[tool] === undefined) return { tool, kind: 'missing' }
    if (pinned[tool] === undefined) return { tool, kind: 'new' }
    return pinned[tool] === present[tool] ? [] : { tool, kind: 'changed' }
  })
}
