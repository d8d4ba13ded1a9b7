import { messageOf } from '../contracts/errors.ts'
import type { HookSettings } from '../contracts/settings.ts'
import { isObject } from '../lib/isObject.ts'
import type { ToolInput } from '../Tool.ts'
import type { HookEnding } from './HookReply.ts'
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
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
  { power, isForeign }: Pick<HookOptions, 'power'> & { readonly isForeign: boolean },
): Promise<HookEnding> {
  const timeout = AbortSignal.timeout(limits.timeoutMs)
  try {
    const filled = fill(input, JSON.parse(event)) as ToolInput
    const signal = AbortSignal.any([limits.signal, timeout])
    const text = await power().callTool({ server, tool, input: filled }, isForeign, signal)
    return text.length > OUTPUT_LIMIT
      ? { kind: 'failed', detail: 'the answer has more than 1 MiB' }
      : { kind: 'answered', text }
  } catch (error) {
    if (timeout.aborted) return { kind: 'timeout', detail: `no answer within ${limits.timeoutMs / 1000} s` }
    return { kind: 'failed', detail: messageOf(error) }
  }
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
