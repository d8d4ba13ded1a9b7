import type { HookSettings } from '../contracts/settings.ts'
import { isObject } from '../lib/isObject.ts'
import type { ToolInput } from '../Tool.ts'
import { endWithin, type HookEnding, type HookLimits } from './HookReply.ts'
import type { HookOptions } from './Hooks.ts'
import { OUTPUT_LIMIT } from './runCommandHook.ts'

type ToolHook = Extract<HookSettings, { type: 'mcp_tool' }>

/**
 * Calls a tool of an MCP server with the input of the hook, whose texts may name fields of the event as
 * `${tool_input.file_path}`. The tool's text is read like a command's output. A server that is missing, and a result
 * that is an error, are failures.
 */
export async function runToolHook(
  { server, tool, input = {} }: ToolHook,
  event: string,
  limits: HookLimits,
  { power, isForeign }: Pick<HookOptions, 'power'> & { readonly isForeign: boolean },
): Promise<HookEnding> {
  return endWithin(limits, async (signal) => {
    const filled = fill(input, JSON.parse(event)) as ToolInput
    const text = await power().callTool({ server, tool, input: filled }, isForeign, signal)
    return text.length > OUTPUT_LIMIT
      ? { kind: 'failed', detail: 'the answer has more than 1 MiB' }
      : { kind: 'answered', text }
  })
}

/** A text that is one placeholder becomes the value itself; a field that the event does not have becomes empty. */
function fill(value: unknown, event: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => fill(item, event))
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, event)]))
  if (typeof value !== 'string') return value
  const [, whole] = /^\$\{([\w.]+)\}$/.exec(value) ?? []
  if (whole !== undefined) return fieldOf(event, whole) ?? ''
  return value.replaceAll(/\$\{([\w.]+)\}/g, (_, path: string) => {
    const found = fieldOf(event, path) ?? ''
    return typeof found === 'string' ? found : JSON.stringify(found)
  })
}

function fieldOf(event: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), event)
}
