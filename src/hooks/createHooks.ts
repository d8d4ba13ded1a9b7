import { join } from 'node:path'
import type { EffectsReport } from '../contracts/effects.ts'
import { messageOf, RunError } from '../contracts/errors.ts'
import type { HookEvent } from '../contracts/events.ts'
import type { HookEventName, HookSettings } from '../contracts/settings.ts'
import { resultBeforeAbort } from '../lib/async/resultBeforeAbort.ts'
import { chooseHooks, compileMatcher } from './chooseHooks.ts'
import { combineReplies, type NamedReply } from './combineReplies.ts'
import { createBeside } from './createBeside.ts'
import { HOOK_AGENT, type HookEnding, type HookReply, limitText, nameOf } from './HookReply.ts'
import type { HookedCall, HookOptions, HookSource, Hooks, HookVerdict, StopState } from './Hooks.ts'
import { pinHooks } from './pinHooks.ts'
import { readEnding } from './readEnding.ts'
import { ENDING, type HookRun, type HookRuntime, isAsync, type Occurrence, runByType } from './runByType.ts'
import { startsOutside } from './startsOutside.ts'

/** Events where a failing hook blocks; elsewhere its failure is a warning. */
const FAILURE_DENIES: readonly HookEventName[] = [
  'PreToolUse',
  'PermissionRequest',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
]

/**
 * The hooks of a policy, ready to run. All hooks of an event start together and are awaited together; each leaves one
 * `system/hook` event. Throws `RunError('config')` for a matcher that is not a valid regular expression.
 */
export function createHooks(options: HookOptions): Hooks {
  const sources = [options, ...(options.project === undefined ? [] : [options.project])]
  for (const { table } of sources) {
    for (const [event, groups] of Object.entries(table)) {
      for (const { matcher } of groups) checkMatcher(event, matcher)
    }
  }
  const late: string[] = []
  const beside = createBeside(options, (text) => void late.push(text))
  const runtime: HookRuntime = {
    ...{ ...options, pinned: pinScripts(options, sources), outside: outsideHooks(options), beside },
  }
  const occur = (occurrence: Occurrence, signal: AbortSignal) => runHooks(occurrence, signal, runtime)
  const onCall = (event: HookEventName, call: HookedCall, signal: AbortSignal, more: Occurrence['fields'] = {}) =>
    occur(
      { event, matched: [call.call.tool, ...call.call.aliases], fields: { ...ofCall(call), ...more }, call },
      signal,
    )
  return {
    has: (event) => sources.some(({ table }) => table[event]?.some(({ hooks }) => hooks.length > 0)),
    list: () =>
      sources.flatMap(({ table }) => listOf(table)).map(({ event, hook }) => ({ event, hook: options.redact(hook) })),
    preToolUse: (call, signal) => onCall('PreToolUse', call, signal),
    permissionRequest: (call, signal) => onCall('PermissionRequest', call, signal, { permission_suggestions: [] }),
    permissionDenied: (call, reason, signal) => onCall('PermissionDenied', call, signal, { reason }),
    postToolUse: (call, response, signal) => onCall('PostToolUse', call, signal, { tool_response: response }),
    postToolUseFailure: (call, error, signal) =>
      onCall('PostToolUseFailure', call, signal, { error, is_interrupt: signal.aborted }),
    userPromptSubmit: (prompt, signal) => occur({ event: 'UserPromptSubmit', matched: [], fields: { prompt } }, signal),
    sessionStart: (source, signal) => occur({ event: 'SessionStart', matched: [source], fields: { source } }, signal),
    sessionEnd: (reason, signal) => occur({ event: 'SessionEnd', matched: [reason], fields: { reason } }, signal),
    stop: (state, signal) => occur({ event: 'Stop', matched: [], fields: ofStop(state) }, signal),
    subagentStart: (agent, signal) =>
      occur({ event: 'SubagentStart', matched: [agent.type], fields: {}, agent }, signal),
    subagentStop: (agent, state, signal) =>
      occur({ event: 'SubagentStop', matched: [agent.type], fields: ofStop(state), agent }, signal),
    preCompact: (trigger, signal) =>
      occur({ event: 'PreCompact', matched: [trigger], fields: { trigger, custom_instructions: '' } }, signal),
    postCompact: (trigger, summary, signal) =>
      occur({ event: 'PostCompact', matched: [trigger], fields: { trigger, compact_summary: summary } }, signal),
    notification: (type, message, signal) =>
      occur({ event: 'Notification', matched: [type], fields: { notification_type: type, message } }, signal),
    takeLate: () => late.splice(0),
    settle: beside.settle,
  }
}

function outsideHooks(options: HookOptions): ReadonlySet<HookSettings> {
  const hooks = Object.values(options.table).flatMap((groups) => groups.flatMap((group) => group.hooks))
  return new Set(hooks.filter((hook) => startsOutside(hook, options)))
}

function pinScripts(options: HookOptions, sources: readonly HookSource[]): HookRuntime['pinned'] {
  const hooks = sources.flatMap(({ table }) => Object.values(table).flat()).flatMap((group) => group.hooks)
  const warn = (message: string) =>
    options.onEvent({ type: 'system', subtype: 'warning', code: 'hook_script', message: options.redact(message) })
  return pinHooks(hooks, { ...options, folder: join(options.folder, 'scripts'), warn })
}

function listOf(table: HookSource['table']) {
  return Object.entries(table).flatMap(([event, groups]) =>
    groups.flatMap(({ hooks }) => hooks.map((hook) => ({ event, hook: nameOf(hook) }))),
  )
}

function checkMatcher(event: string, matcher: string | undefined): void {
  try {
    compileMatcher(matcher)
  } catch (cause) {
    throw new RunError('config', `hooks.${event}: the matcher "${matcher}" is not a regular expression`, { cause })
  }
}

function ofCall({ call, observed, toolUseId }: HookedCall): Occurrence['fields'] {
  return { tool_name: call.tool, tool_input: observed ?? call.input, tool_use_id: toolUseId }
}

function ofStop({ isActive, lastMessage }: StopState): Occurrence['fields'] {
  return { stop_hook_active: isActive, last_assistant_message: lastMessage }
}

async function runHooks(occurrence: Occurrence, signal: AbortSignal, options: HookRuntime): Promise<HookVerdict> {
  const { event, matched, call } = occurrence
  const own = options.table[event] ?? []
  const foreign = options.project?.table[event] ?? []
  const target = { values: matched, ...(call ? { call: call.call } : {}) }
  const chosen = chooseHooks([...own, ...foreign], target, options.matchesRule)
  // An agent that judges is not judged by others like it: that would never end.
  const isJudge = (occurrence.agent ?? call?.agent)?.type === HOOK_AGENT
  const hooks = isJudge ? chosen.filter(({ type }) => type !== 'agent') : chosen
  if (hooks.length === 0) return combineReplies([])
  const isForeign = (hook: HookSettings) => foreign.some((group) => group.hooks.includes(hook))
  const replies = hooks.map((hook) => {
    const means = isForeign(hook) ? { ...options, ...options.project } : options
    const run = { occurrence, signal, options: means, isOutside: options.outside.has(hook), isForeign: isForeign(hook) }
    if (!isAsync(hook)) return runHook(hook, run)
    options.beside.start(nameOf(hook), (ending) => runHook(hook, { ...run, signal: AbortSignal.any([signal, ending]) }))
    return undefined
  })
  const ended = (await Promise.all(replies)).filter((reply) => reply !== undefined)
  const files = ended.flatMap(({ hook, variables }) => (variables === undefined ? [] : [{ hook, ...variables }]))
  // The agent has worked by the time of a compaction: what holds was set at the start.
  if (files.length > 0 && !matched.includes('compact')) await options.keepVariables?.(files)
  return combineReplies(ended)
}

/** Runs one hook and records it. Decides what its failure means. */
async function runHook(hook: HookSettings, run: HookRun): Promise<NamedReply> {
  const { occurrence, options } = run
  const start = performance.now()
  const changes: EffectsReport[] = []
  const ending = await untilAborted(runByType(hook, run, changes), run.signal)
  const reply = readEnding(occurrence.event, ending, options.redact)
  const isFatal =
    reply.failure !== undefined &&
    hook.onError !== 'continue' &&
    !isAsync(hook) &&
    FAILURE_DENIES.includes(occurrence.event)
  const named = { hook: options.redact(nameOf(hook)), reply, isFatal }
  record(named, { ...run, durationMs: Math.round(performance.now() - start) })
  const more = ending.kind === 'answered' && ending.variables !== undefined ? { variables: ending.variables } : {}
  return { ...named, ...more, effects: changes.map((report) => ({ ...report, of: `the hook ${named.hook}` })) }
}

/** How a hook ended. At the end of the run, nobody waits for one that ignores it. */
async function untilAborted(work: Promise<HookEnding>, signal: AbortSignal): Promise<HookEnding> {
  const ended = work.catch((error): HookEnding => ({ kind: 'failed', detail: messageOf(error) }))
  return (await resultBeforeAbort(ended, signal)) ?? ENDING
}

function record({ hook, reply, isFatal }: NamedReply, run: HookRun & { readonly durationMs: number }): void {
  const { occurrence, options, durationMs } = run
  const { event, call } = occurrence
  options.onEvent({
    type: 'system',
    subtype: 'hook',
    event,
    hook: limitText(hook),
    outcome: outcomeOf(reply),
    detail: reply.stop ?? reply.reason,
    duration_ms: durationMs,
    parent_tool_use_id: call?.parentToolUseId ?? null,
    ...(call ? { tool_use_id: call.toolUseId } : {}),
  })
  const warn = (code: string, message: string) => options.onEvent({ type: 'system', subtype: 'warning', code, message })
  if (reply.failure && !isFatal) warn('hook_failed', `${event} hook ${hook}: ${reply.reason}`)
  if (reply.systemMessage) warn('hook_message', `${event} hook ${hook}: ${reply.systemMessage}`)
}

function outcomeOf({ failure, decision, stop }: HookReply): HookEvent['outcome'] {
  if (failure) return failure
  if (decision === 'deny' || stop !== undefined) return 'blocked'
  return decision === 'allow' ? 'allowed' : decision === 'ask' ? 'asked' : 'ok'
}
