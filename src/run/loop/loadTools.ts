import type { ToolsLoadedEvent } from '../../contracts/events.ts'
import { isDeferred, type Tool } from '../../Tool.ts'

/** Adds deferred tools to the loaded ones. Returns the event for new tools; undefined if there are none. */
export function loadTools(
  tools: readonly Tool[],
  loaded: Set<string>,
  names: readonly string[],
  parentToolUseId: string | null,
): ToolsLoadedEvent | undefined {
  const fresh = tools.map((tool) => (isDeferred(tool) ? tool.name : '')).filter((name) => names.includes(name))
  const added = fresh.filter((name) => !loaded.has(name))
  for (const name of added) loaded.add(name)
  if (added.length === 0) return undefined
  return { type: 'system', subtype: 'tools_loaded', tools: added, parent_tool_use_id: parentToolUseId }
}
