import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { HookInput } from '../contracts/callbacks.ts'
import type { CommandRequest } from '../contracts/commands.ts'
import type { EffectsReport } from '../contracts/effects.ts'
import { messageOf } from '../contracts/errors.ts'
import type { HookEventName, HookSettings } from '../contracts/settings.ts'
import { resultBeforeAbort } from '../lib/async/resultBeforeAbort.ts'
import { timerMs } from '../lib/async/timerMs.ts'
import { isWithin } from '../lib/fs/isWithin.ts'
import { isObject } from '../lib/isObject.ts'
import type { ToolInput } from '../Tool.ts'
import { endWithin, type HookEnding, type HookLimits } from './HookReply.ts'
import type { HookAgent, HookedCall, HookOptions } from './Hooks.ts'
import { type CommandHook, OUTPUT_LIMIT, runCommandHook } from './runCommandHook.ts'
import { runHttpHook } from './runHttpHook.ts'
import { runPromptHook } from './runPromptHook.ts'

export type Occurrence = {
  readonly event: HookEventName
  /** What matchers look at; empty for events without matchers. */
  readonly matched: readonly string[]
  /** The fields of the stdin JSON that only this event has. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly call?: HookedCall
  readonly agent?: HookAgent
}

export type HookRuntime = HookOptions & {
  pinned(hook: CommandHook): CommandHook
}

export type HookRun = {
  readonly occurrence: Occurrence
  readonly signal: AbortSignal
  readonly options: HookRuntime
  readonly isOutside: boolean
  /** True for a hook of the repository. */
  readonly isForeign: boolean
}

const DEFAULT_TIMEOUT_SECONDS = 60

export function isAsync(hook: HookSettings): boolean {
  return hook.type === 'command' && hook.async === true
}

/** The one place where the type of a hook chooses what runs it. `changes` gets what it changed. */
export async function runByType(
  hook: HookSettings,
  { occurrence, signal, options, isOutside, isForeign }: HookRun,
  changes: EffectsReport[],
): Promise<HookEnding> {
  if (signal.aborted) return ENDING
  const input = toInput(occurrence, options)
  const limits = { timeoutMs: timerMs((hook.timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1000), signal }
  if (hook.type === 'http') return runHttpHook(hook, options.redact(input), limits, options)
  if (hook.type === 'mcp_tool') return runToolHook(hook, options.redact(input), limits, { ...options, isForeign })
  if (hook.type === 'function') return runFunctionHook(hook, input, limits)
  if (hook.type !== 'command') return runPromptHook(hook, input, limits, options)
  const hasVariables = occurrence.event === 'SessionStart' && !isAsync(hook)
  if (isOutside) return runCommandHook(hook, input, limits, { cwd: options.cwd, hasVariables, ...outside(options) })
  const { runInside, runBeside, cwd } = options
  if (runInside === undefined) return { kind: 'failed', detail: NO_WALLS }
  const run: typeof runInside = async (request) => {
    if (isAsync(hook)) return (runBeside ?? runInside)(request)
    const result = await runInside({ ...request, ...changesOf(occurrence) })
    if (result.effects !== undefined) changes.push(result.effects)
    return result
  }
  return runCommandHook(options.pinned(hook), input, limits, { run, cwd, start: cwd, hasVariables })
}

/** After a call that may change files, a hook may change what the call may: a formatter. Elsewhere it only reads. */
function changesOf({ event, call }: Occurrence): Pick<CommandRequest, 'effects'> {
  if (!event.startsWith('PostToolUse') || call === undefined || call.call.isReadOnly) return {}
  return { effects: { access: 'write', mayChangeGit: false, by: call.toolUseId } }
}

export const ENDING: HookEnding = { kind: 'failed', detail: 'the run was ending' }
const NO_WALLS = 'what it runs is in the checkout, and there is no sandbox to run it in'

/** Programs read settings from their start folder, so it must not be the checkout. */
function outside({ runOutside: run, cwd, checkout, folder }: HookRuntime) {
  if (!checkout.some((root) => isWithin(cwd, root))) return { run, start: cwd }
  const start = join(folder, 'empty')
  mkdirSync(start, { recursive: true })
  return { run, start }
}

/** The JSON that a hook reads, with the field names of Claude Code's hooks reference. */
function toInput({ event, fields, call, agent }: Occurrence, options: HookOptions): string {
  const owner = agent ?? call?.agent
  return JSON.stringify({
    session_id: options.sessionId,
    transcript_path: options.transcriptPath,
    cwd: options.workspace ?? options.cwd,
    permission_mode: options.permissionMode(),
    hook_event_name: event,
    ...(owner ? { agent_id: owner.id, agent_type: owner.type } : {}),
    ...fields,
  })
}

type HookOf<Type extends HookSettings['type']> = Extract<HookSettings, { type: Type }>

/** Calls a hook of the caller with a copy of the event. Its answer is parsed like a command's output. */
async function runFunctionHook(hook: HookOf<'function'>, input: string, limits: HookLimits): Promise<HookEnding> {
  const event = JSON.parse(input) as HookInput
  const call = async (signal: AbortSignal): Promise<HookEnding> => {
    const answer: unknown = await hook.call(event, event.tool_use_id, { signal })
    const text = answer === undefined ? '' : (JSON.stringify(answer) ?? String(answer))
    if (answer !== undefined && !isObject(answer))
      return { kind: 'failed', detail: `its answer is no object: ${text.slice(0, 200)}` }
    if (text.length > OUTPUT_LIMIT) return { kind: 'failed', detail: 'its answer has more than 1 MiB' }
    return { kind: 'answered', text }
  }
  const canceled: HookEnding = { kind: 'failed', detail: 'it was canceled' }
  const ask = async (signal: AbortSignal) => (await resultBeforeAbort(call(signal), signal)) ?? canceled
  return endWithin(limits, ask, (error) => `it threw: ${messageOf(error)}`)
}

/**
 * Calls a tool of an MCP server with the input of the hook, whose texts may name fields of the event as
 * `${tool_input.file_path}`. The tool's text is read like a command's output. A server that is missing, and a result
 * that is an error, are failures.
 */
async function runToolHook(
  { server, tool, input = {} }: HookOf<'mcp_tool'>,
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
