import type { EffectsReport, PathChange, RefusedChange } from '../../contracts/effects.ts'
import type { ChangedPath, EffectsEvent, RefusedPath, RunEvent } from '../../contracts/events.ts'
import type { ToolUseBlock } from '../../contracts/messages.ts'
import { shortPath } from '../../lib/fs/paths.ts'
import type { Tool, ToolResult, ToolUseContext } from '../../Tool.ts'
import { changedReads, rememberReads } from '../../tools/BashTool/changedReads.ts'
import type { CallEnd } from './callTool.ts'
import type { Permitted } from './permitToolUse.ts'
import { deniedEvent } from './recordDecision.ts'
import type { ToolRunner } from './ToolRunner.ts'

type Recorded = { readonly context: readonly string[]; readonly stop?: string | undefined }
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
  const words = typeof mapped.content === 'string' ? mapped.content : 'The tool reported an error.'
  const failure = ended.error ?? (mapped.isError === true ? words : undefined)
  const verdict =
    failure === undefined
      ? await hooks.postToolUse(permitted.hooked, ended.data, runner.signal)
      : await hooks.postToolUseFailure(permitted.hooked, failure, runner.signal)
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

/** The event for the changes of a command; undefined if it changed nothing. */
export function effectsEvent(
  toolUse: ToolUseBlock,
  tool: Tool,
  report: EffectsReport,
  { root, parentToolUseId, auditedEdits }: Pick<ToolRunner, 'root' | 'parentToolUseId' | 'auditedEdits'>,
): EffectsEvent | undefined {
  const { of, state, kept, scratch, leftOut, undone, unknown } = report
  const isNothing = [kept, leftOut, undone, Object.keys(scratch)].every((list) => list.length === 0)
  if (isNothing && unknown === undefined) return undefined
  const audited = auditedEdits(report)
  return {
    type: 'system',
    subtype: 'effects',
    tool_use_id: toolUse.id,
    tool_name: tool.name,
    ...(of !== undefined && { of }),
    state,
    kept: kept.map((change) => changed(change, root)),
    scratch,
    left_out: leftOut.map((change) => refused(change, root)),
    undone: undone.map((change) => refused(change, root)),
    ...(unknown !== undefined && { unknown }),
    ...(audited.length > 0 && { audited }),
    parent_tool_use_id: parentToolUseId,
  }
}

function changed({ path, kind }: PathChange, root: string): ChangedPath {
  return { path: shortPath(path, root), kind }
}

function refused({ change, why, rule }: RefusedChange, root: string): RefusedPath {
  const place = { rule: rule?.text ?? null, source: rule?.file ?? null, line: rule?.line ?? null }
  return { ...changed(change, root), why, ...place }
}
