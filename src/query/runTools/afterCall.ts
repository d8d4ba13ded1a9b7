import type { EffectsReport } from '../../contracts/effects.ts'
import type { RunEvent } from '../../contracts/events.ts'
import type { ToolUseBlock } from '../../contracts/messages.ts'
import type { Hooks, HookVerdict } from '../../hooks/Hooks.ts'
import type { Tool, ToolResult, ToolUseContext } from '../../Tool.ts'
import { changedReads, rememberReads } from '../../tools/BashTool/changedReads.ts'
import type { CallEnd } from './callTool.ts'
import { effectsEvent } from './effectsEvent.ts'
import type { Permitted } from './permitToolUse.ts'
import { deniedEvent } from './recordDecision.ts'
import type { ToolRunner } from './ToolRunner.ts'

type Recorded = { readonly context: readonly string[]; readonly stop?: string | undefined }
/** A call that ran. */
export type Ran = {
  readonly toolUse: ToolUseBlock
  readonly tool: Tool
  readonly permitted: Permitted
  readonly runner: ToolRunner
  /** Access to files and to what the model has read of them. */
  readonly memory: () => ToolUseContext
}

/** Yields one event per command that changed something. Changes that were not kept count as a denial of the call. */
export async function* recordEffects(
  reports: readonly EffectsReport[],
  { toolUse, tool, permitted, runner }: Ran,
): AsyncGenerator<RunEvent, Recorded, undefined> {
  let recorded: Recorded = { context: [] }
  for (const report of reports) {
    const event = effectsEvent(toolUse, tool, report, runner)
    if (event !== undefined) yield event
    const decision = runner.refusalOf(report)
    if (decision === undefined) continue
    runner.countDecision(decision)
    yield deniedEvent(toolUse, tool, permitted.input, { decision, runner })
    const message = report.of === undefined ? [] : [decision.message]
    const told = await runner.hooks?.permissionDenied(permitted.hooked, decision.message, runner.signal)
    recorded = {
      context: [...recorded.context, ...message, ...(told?.additionalContext ?? [])],
      stop: recorded.stop ?? told?.stop,
    }
  }
  return recorded
}

/** Runs the hooks after a call. What they changed is recorded and judged like what the call's command changed. */
export async function* afterHooks(
  ended: CallEnd,
  mapped: ToolResult,
  ran: Ran,
): AsyncGenerator<RunEvent, Recorded, undefined> {
  const { permitted, runner } = ran
  const { hooks } = runner
  if (hooks === undefined) return { context: [] }
  const memory = ran.memory()
  const reads = hooks.has('PostToolUse') && !permitted.hooked.call.isReadOnly ? await rememberReads(memory) : new Map()
  const verdict = await askAfter(hooks, permitted, { ended, mapped, signal: runner.signal })
  const { effects = [] } = verdict
  const undone = yield* recordEffects(effects, ran)
  // A hook of the machine is no command of the run, so no report says what it changed.
  const kept = [...reads.keys()].map((path) => ({ path, kind: 'modified', entry: 'file' }) as const)
  const authors = effects.flatMap(({ of, kept }) => (of === undefined || kept.length === 0 ? [] : [of]))
  const note = await changedReads(reads, { kept }, memory, authors.join(' and ').replace(/^the/, 'The') || 'A hook')
  const changed = note === undefined ? [] : [runner.forModel(note)]
  const feedback = verdict.decision === 'deny' ? [`A hook says about this call: ${verdict.reason}`] : []
  return {
    context: [...verdict.additionalContext, ...feedback, ...changed, ...undone.context],
    stop: verdict.stop ?? undone.stop,
  }
}

function askAfter(
  hooks: Hooks,
  { hooked }: Permitted,
  { ended, mapped, signal }: { readonly ended: CallEnd; readonly mapped: ToolResult; readonly signal: AbortSignal },
): Promise<HookVerdict> {
  if (ended.error !== undefined) return hooks.postToolUseFailure(hooked, ended.error, signal)
  const words = typeof mapped.content === 'string' ? mapped.content : 'The tool reported an error.'
  if (mapped.isError === true) return hooks.postToolUseFailure(hooked, words, signal)
  return hooks.postToolUse(hooked, ended.data, signal)
}
