import { join } from 'node:path'
import type { EffectsReport } from '../contracts/effects.ts'
import { messageOf, RunError } from '../contracts/errors.ts'
import { type HookEvent, warning } from '../contracts/events.ts'
import type { HookEventName, HookSettings } from '../contracts/settings.ts'
import { resultBeforeAbort } from '../lib/async/resultBeforeAbort.ts'
import { chooseHooks, compileMatcher } from './chooseHooks.ts'
import { combineReplies, type NamedReply } from './combineReplies.ts'
import { HOOK_AGENT, type HookEnding, type HookReply, limitText, nameOf } from './HookReply.ts'
import type { HookAgent, HookedCall, HookOptions, HookSource, HookVerdict, StopState } from './Hooks.ts'
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
 * The hooks of a policy, ready to run, with Claude Code's protocol. All hooks of an event start together and are awaited
 * together; each leaves one `system/hook` event. Throws `RunError('config')` for a matcher that is not a valid regular
 * expression; no method of the hooks rejects. A failing hook denies where `FAILURE_DENIES` says so (on `Stop` and
 * `SubagentStop` with `isFailure`, which ends the run). On all other events it is a warning.
 */
export function createHooks(options: HookOptions) {
  const sources = [options, ...(options.project === undefined ? [] : [options.project])]
  for (const { table } of sources) {
    for (const [event, groups] of Object.entries(table)) {
      for (const { matcher } of groups) checkMatcher(event, matcher)
    }
  }
  const late: string[] = []
  const beside = createBeside(options, (text) => void late.push(text))
  const runtime = { ...options, pinned: pinScripts(options, sources), outside: outsideHooks(options), beside }
  const occur = (occurrence: Occurrence, signal: AbortSignal) => runHooks(occurrence, signal, runtime)
  const on = (event: HookEventName, value: string, fields: Occurrence['fields'], signal: AbortSignal) =>
    occur({ event, matched: [value], fields }, signal)
  const onCall = (event: HookEventName, call: HookedCall, signal: AbortSignal, more: Occurrence['fields'] = {}) =>
    occur(
      { event, matched: [call.call.tool, ...call.call.aliases], fields: { ...ofCall(call), ...more }, call },
      signal,
    )
  return {
    has: (event: HookEventName) => sources.some(({ table }) => table[event]?.some(({ hooks }) => hooks.length > 0)),
    /** All registered hooks, by their names in records. */
    list: () =>
      sources.flatMap(({ table }) => listOf(table)).map(({ event, hook }) => ({ event, hook: options.redact(hook) })),
    preToolUse: (call: HookedCall, signal: AbortSignal) => onCall('PreToolUse', call, signal),
    permissionRequest: (call: HookedCall, signal: AbortSignal) =>
      onCall('PermissionRequest', call, signal, { permission_suggestions: [] }),
    permissionDenied: (call: HookedCall, reason: string, signal: AbortSignal) =>
      onCall('PermissionDenied', call, signal, { reason }),
    /** A deny is feedback for the model: the call has already run. */
    postToolUse: (call: HookedCall, response: unknown, signal: AbortSignal) =>
      onCall('PostToolUse', call, signal, { tool_response: response }),
    postToolUseFailure: (call: HookedCall, error: string, signal: AbortSignal) =>
      onCall('PostToolUseFailure', call, signal, { error, is_interrupt: signal.aborted }),
    userPromptSubmit: (prompt: string, signal: AbortSignal) =>
      occur({ event: 'UserPromptSubmit', matched: [], fields: { prompt } }, signal),
    sessionStart: (source: 'startup' | 'resume' | 'compact', signal: AbortSignal) =>
      on('SessionStart', source, { source }, signal),
    sessionEnd: (reason: string, signal: AbortSignal) => on('SessionEnd', reason, { reason }, signal),
    /** A deny sends the agent back to work with the reason. */
    stop: (state: StopState, signal: AbortSignal) =>
      occur({ event: 'Stop', matched: [], fields: ofStop(state) }, signal),
    subagentStart: (agent: HookAgent, signal: AbortSignal) =>
      occur({ event: 'SubagentStart', matched: [agent.type], fields: {}, agent }, signal),
    subagentStop: (agent: HookAgent, state: StopState, signal: AbortSignal) =>
      occur({ event: 'SubagentStop', matched: [agent.type], fields: ofStop(state), agent }, signal),
    /** A deny leaves the conversation unchanged. */
    preCompact: (trigger: 'auto' | 'manual', signal: AbortSignal) =>
      on('PreCompact', trigger, { trigger, custom_instructions: '' }, signal),
    postCompact: (trigger: 'auto' | 'manual', summary: string, signal: AbortSignal) =>
      on('PostCompact', trigger, { trigger, compact_summary: summary }, signal),
    notification: (type: string, message: string, signal: AbortSignal) =>
      on('Notification', type, { notification_type: type, message }, signal),
    /** What `async` hooks have said for the model since the last call. */
    takeLate: (): readonly string[] => late.splice(0),
    /** Waits for `async` hooks, at most this long; then it ends them, which is a warning for each. */
    settle: beside.settle,
  }
}

/** Starts `async` hooks, and tells what they say for the model once they have ended. */
function createBeside({ redact, onEvent }: HookOptions, tell: (text: string) => void) {
  const running = new Map<Promise<void>, string>()
  const ending = new AbortController()
  const warn = (message: string) => onEvent(warning('hook_async', message))
  return {
    start(name: string, run: (ending: AbortSignal) => Promise<NamedReply>): void {
      const done = run(ending.signal).then(({ hook, reply }) => {
        running.delete(done)
        if (reply.additionalContext !== undefined) tell(reply.additionalContext)
        if (reply.decision !== 'none' || reply.stop !== undefined || reply.updatedInput !== undefined) {
          const said = reply.stop ?? reply.reason
          warn(`the async hook ${hook} decided, which counts for nothing, because nobody waits for it: ${said}`)
        }
      })
      running.set(done, name)
    },
    async settle(milliseconds: number): Promise<void> {
      const all = Promise.all(running.keys())
      await resultBeforeAbort(all, AbortSignal.timeout(milliseconds))
      for (const name of running.values()) {
        const time = `${milliseconds / 1000} s after the end of the run`
        warn(`the async hook ${redact(name)} still ran ${time} and was ended`)
        ending.abort()
      }
      await all
    },
  }
}

function outsideHooks(options: HookOptions): ReadonlySet<HookSettings> {
  const hooks = Object.values(options.table).flatMap((groups) => groups.flatMap((group) => group.hooks))
  return new Set(hooks.filter((hook) => startsOutside(hook, options)))
}

function pinScripts(options: HookOptions, sources: readonly HookSource[]) {
  const hooks = sources.flatMap(({ table }) => Object.values(table).flat()).flatMap((group) => group.hooks)
  const warn = (message: string) => options.onEvent(warning('hook_script', options.redact(message)))
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

type Runtime = HookRuntime & {
  /** Hooks that run outside. Decided at the start: no call can change it. */
  readonly outside: ReadonlySet<HookSettings>
  readonly beside: ReturnType<typeof createBeside>
}

async function runHooks(occurrence: Occurrence, signal: AbortSignal, options: Runtime): Promise<HookVerdict> {
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
  const warn = (code: string, said: string) => options.onEvent(warning(code, `${event} hook ${hook}: ${said}`))
  if (reply.failure && !isFatal) warn('hook_failed', reply.reason)
  if (reply.systemMessage) warn('hook_message', reply.systemMessage)
}

function outcomeOf({ failure, decision, stop }: HookReply): HookEvent['outcome'] {
  if (failure) return failure
  if (decision === 'deny' || stop !== undefined) return 'blocked'
  return decision === 'allow' ? 'allowed' : decision === 'ask' ? 'asked' : 'ok'
}
