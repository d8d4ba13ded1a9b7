import type { Config } from '../../config/resolveConfig.ts'
import type { HookFunction, HookFunctions, HookOutput, McpInstance } from '../../contracts/callbacks.ts'
import { messageOf } from '../../contracts/errors.ts'
import { HOOK_EVENTS, type HookEventName } from '../../contracts/settings.ts'
import { isObject } from '../../lib/isObject.ts'
import type { RunRequest } from '../../run/run.ts'
import type { Control, Json } from './openControl.ts'

/** What the caller's `initialize` adds to each run. */
export type Initialized = Pick<RunRequest, 'hooks' | 'mcpInstances'> & {
  readonly config: Partial<Pick<Config, 'systemPrompt' | 'appendSystemPrompt' | 'agents' | 'jsonSchema'>>
  readonly warnings: readonly string[]
  /** Hands a server's own message to its connection. */
  deliver(server: unknown, message: unknown): void
}

/** Fields that are used, or that only save the other side a round trip. */
const KNOWN =
  'subtype hooks sdkMcpServers sdkMcpServerManifests systemPrompt appendSystemPrompt agents jsonSchema title systemPromptSnapshot excludeDynamicSections'.split(
    ' ',
  )

/** Reads an `initialize` request: hooks and servers become functions that ask the caller. */
export function fromInitialize(request: Json, control: Control): Initialized {
  const texts = (value: unknown) => [value].flat().filter((text) => typeof text === 'string' && text.trim() !== '')
  const json = (value: unknown) =>
    isObject(value) && Object.keys(value).length > 0 ? JSON.stringify(value) : undefined
  const [system, append] = [texts(request['systemPrompt']), texts(request['appendSystemPrompt'])]
  const [agents, jsonSchema] = [json(request['agents']), json(request['jsonSchema'])]
  const { hooks, warnings } = hooksOf(request['hooks'], control)
  const servers = texts(request['sdkMcpServers']).map((name) => createRemoteServer(String(name), control))
  const unknown = Object.entries(request).filter(([key, value]) => !KNOWN.includes(key) && !isEmpty(value))
  return {
    hooks,
    mcpInstances: Object.fromEntries(servers.map(({ name, instance }) => [name, instance])),
    config: {
      ...(system.length > 0 && { systemPrompt: { text: system.join('\n\n') } }),
      ...(append.length > 0 && { appendSystemPrompt: { text: append.join('\n\n') } }),
      ...(agents !== undefined && { agents }),
      ...(jsonSchema !== undefined && { jsonSchema }),
    },
    warnings: [...warnings, ...unknown.map(([key]) => `The SDK's option ${key} has no effect here.`)],
    deliver: (server, message) => servers.find(({ name }) => name === server)?.deliver(message),
  }
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** Hooks that ask the caller by their callback ids. A failing one denies, unless the caller says `continue`. */
function hooksOf(given: unknown, control: Control): { hooks: HookFunctions; warnings: string[] } {
  const warnings: string[] = []
  const hooks: Record<string, NonNullable<HookFunctions[HookEventName]>> = {}
  for (const [event, matchers] of Object.entries(isObject(given) ? given : {})) {
    if (!HOOK_EVENTS.some((name) => name === event)) {
      warnings.push(`Hooks for ${event} never run: there is no such event here.`)
      continue
    }
    hooks[event] = [matchers]
      .flat()
      .filter(isObject)
      .map((group) => ({
        ...(typeof group['matcher'] === 'string' ? { matcher: group['matcher'] } : {}),
        ...(typeof group['timeout'] === 'number' ? { timeout: group['timeout'] } : {}),
        ...(group['onFailure'] === 'continue' ? { onError: 'continue' as const } : {}),
        hooks: [group['hookCallbackIds']].flat().map((id) => callback(String(id), control)),
      }))
  }
  return { hooks, warnings }
}

function callback(callback_id: string, control: Control): HookFunction {
  const call: HookFunction = async (input, tool_use_id, { signal }) =>
    (await control.ask({ subtype: 'hook_callback', callback_id, input, tool_use_id }, signal)) as HookOutput
  return Object.defineProperty(call, 'name', { value: callback_id })
}

type ServerSide = { onmessage?: (message: Json) => void; start(): Promise<void>; send(message: unknown): Promise<void> }

/** A server in the caller's process: each message is a request of the control protocol. */
function createRemoteServer(name: string, control: Control) {
  let open: ServerSide | undefined
  const pass = async (side: ServerSide, message: Json): Promise<void> => {
    const isCall = message['id'] !== undefined && message['method'] !== undefined
    try {
      const { mcp_response } = await control.ask({ subtype: 'mcp_message', server_name: name, message })
      if (isCall) await side.send(mcp_response)
    } catch (error) {
      const fault = { jsonrpc: '2.0', id: message['id'], error: { code: -32603, message: messageOf(error) } }
      if (isCall) await side.send(fault).catch(() => undefined)
    }
  }
  const instance = {
    async connect(side: ServerSide) {
      open = side
      side.onmessage = (message) => void pass(side, message)
      await side.start()
    },
  }
  return {
    name,
    instance: instance as unknown as McpInstance,
    deliver: (message: unknown) => void open?.send(message).catch(() => undefined),
  }
}
