import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import * as z from 'zod'
import { RunError } from '../contracts/errors.ts'
import { warning } from '../contracts/events.ts'
import { compareLock, hashList, hashTools, type LockChange } from './McpLock.ts'
import type { ConnectionOptions } from './openClient.ts'
import { type ChosenTool, chooseTools, fitsPatterns, type ListedTool, parseTools } from './tools/chooseTools.ts'
import { listPages } from './tools/listPages.ts'

const PAGE = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() })

/**
 * The tools of a server at its first start: a list that does not change during the run. With a lock, a tool that
 * differs from it is left out, and a required server with a missing or changed tool throws
 * `RunError('mcp_unavailable')`. Without one, later changes are reported and ignored.
 */
export function createRoster(options: Omit<ConnectionOptions, 'onOpen' | 'onToolsChanged'>) {
  const { name, settings, lock, onEvent } = options
  // The caller's own server is part of the caller's program.
  const isPinned = lock !== undefined && settings.type !== 'sdk'
  const pinned = isPinned ? (lock.servers[name] ?? {}) : undefined
  const blocked = new Set<string>()
  let first: readonly ListedTool[] | undefined
  let chosen: readonly ChosenTool[] = []
  const warn = (message: string) => onEvent(warning('mcp_tool', `MCP server ${name}: ${message}`))

  const noteChange = (from: string, to: string, changes: readonly LockChange[], detail: string): void => {
    if (pinned !== undefined) for (const { tool } of changes) blocked.add(tool)
    onEvent({
      type: 'system',
      subtype: 'mcp_tools_changed',
      server: name,
      old: from,
      new: to,
      detail: `${describeChanges(changes)}; ${detail}`,
    })
  }

  const start = (tools: readonly ListedTool[]): void => {
    first = tools
    if (pinned !== undefined) {
      const changes = compareLock(pinned, hashTools(tools)).filter(({ tool }) => fitsPatterns(tool, settings.tools))
      if (settings.required !== false && changes.some(({ kind }) => kind !== 'new')) throw differs(name, changes)
      if (changes.length > 0) noteChange('mcp.lock', hashList(tools), changes, 'these are not offered')
    }
    const allowed = tools.filter((tool) => !blocked.has(tool.name))
    chosen = chooseTools(name, allowed, settings.tools, warn)
  }

  return {
    /** Lists the tools of a client. The first list is the roster; later ones are only compared with it. */
    async read(client: Client): Promise<void> {
      const tools = await listTools(client, first === undefined ? warn : () => undefined)
      if (first === undefined) return start(tools)
      const changes = compareLock(hashTools(first), hashTools(tools))
      const detail = pinned === undefined ? 'ignored for this run' : 'these are switched off'
      if (changes.length > 0) noteChange(hashList(first), hashList(tools), changes, detail)
    },
    chosen: () => chosen,
    /** Tool → hash of all that the server listed first. */
    hashes: () => hashTools(first ?? []),
    /** True for a tool that now differs from the lock. */
    isBlocked: (tool: string) => blocked.has(tool),
  }
}

async function listTools(client: Client, warn: (message: string) => void): Promise<readonly ListedTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return []
  const items = await listPages(async (cursor) => {
    const params = cursor === undefined ? {} : { cursor }
    const page = await client.request({ method: 'tools/list', params }, PAGE)
    return { items: page.tools, next: page.nextCursor }
  })
  return parseTools(items, warn)
}

function describeChanges(changes: readonly LockChange[]): string {
  return changes
    .map(({ tool, kind }) => `${JSON.stringify(tool)} ${kind === 'changed' ? 'changed' : `is ${kind}`}`)
    .join(', ')
}

function differs(name: string, changes: readonly LockChange[]): RunError {
  const way = 'to accept them, write the lock again: kode-run mcp --lock'
  return new RunError(
    'mcp_unavailable',
    `MCP server ${name}: its tools differ from mcp.lock: ${describeChanges(changes)}; ${way}`,
  )
}
