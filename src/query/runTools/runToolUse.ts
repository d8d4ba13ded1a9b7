import type { Decision } from '../../contracts/decision.ts'
import type { EffectsReport } from '../../contracts/effects.ts'
import { type RunEvent, type ToolOutcome, warning } from '../../contracts/events.ts'
import type { ToolUseBlock } from '../../contracts/messages.ts'
import { toInputSchema } from '../../model/toolSpec.ts'
import { isDeferred, type Tool, type ToolResult } from '../../Tool.ts'
import { afterHooks, recordEffects } from './afterCall.ts'
import { callTool } from './callTool.ts'
import { limitResult, mapTexts } from './limitResult.ts'
import { parseInput } from './parseInput.ts'
import { type Permitted, permitToolUse, refuseUnknown } from './permitToolUse.ts'
import { decisionEvent, deniedEvent } from './recordDecision.ts'
import type { CallResult, ToolRunner } from './ToolRunner.ts'
import { unknownTool } from './unknownTool.ts'

type Step = AsyncGenerator<RunEvent, CallResult, undefined>

/**
 * One call: find → parse → validate → permit → call → budget. The first step that fails *is* the result. Every call
 * ends with a result; only `RunError` is thrown. `unreadable` is the result of a call with an unreadable input.
 */
export async function* runToolUse(toolUse: ToolUseBlock, runner: ToolRunner, unreadable?: string): Step {
  const end = resultMaker(toolUse, performance.now())
  if (runner.signal.aborted) return end('aborted', failure('Not run: the run is ending.'))
  const limit = runner.takeToolCall()
  if (limit !== undefined) return end('aborted', failure(`Not run: ${limit}`))
  if (unreadable !== undefined) return end('invalid', failure(runner.forModel(unreadable)))
  const tool = runner.find(toolUse.name)
  if (tool === undefined) return end('invalid', failure(unknownTool(toolUse.name, runner)))
  const parsed = parseInput(tool, toolUse.input)
  if (!parsed.ok) return end('invalid', failure(await withSchema(parsed.message, tool, runner)))
  const dropped = parsed.dropped.slice(0, 10).join(', ')
  if (dropped !== '') yield warning('unknown_fields', `${tool.name}: unknown fields in the model's input: ${dropped}`)
  const refused = refuseUnknown(tool, parsed, runner.permission(runner.signal).subjects)
  if (refused !== undefined) return end('invalid', failure(refused))
  const permitted = await permitToolUse({ toolUse, tool, runner, signal: runner.signal }, parsed.input)
  yield* runner.drain()
  if (runner.signal.aborted) return end('aborted', failure('Not run: the run is ending.'))
  if ('invalid' in permitted) return end('invalid', failure(permitted.invalid), permitted.fault)
  runner.countDecision(permitted.permission.decision)
  yield decisionEvent(toolUse, tool, permitted.permission, runner)
  if (permitted.permission.decision.behavior === 'deny') return yield* deny(toolUse, tool, permitted, { end, runner })
  const result = yield* execute(toolUse, tool, permitted, { end, runner })
  return dropped === '' ? result : withNote(result, `(Ignored: ${toolUse.name} has no field ${dropped}.)`)
}

function withNote(result: CallResult, note: string): CallResult {
  const { content } = result.block
  const noted =
    typeof content === 'string' ? `${content}\n${note}` : [...content, { type: 'text', text: note } as const]
  return { ...result, block: { ...result.block, content: noted } }
}

type Rest = { readonly end: ReturnType<typeof resultMaker>; readonly runner: ToolRunner }

async function* deny(toolUse: ToolUseBlock, tool: Tool, permitted: Permitted, { end, runner }: Rest): Step {
  const { decision, additionalContext, stop } = permitted.permission
  yield deniedEvent(toolUse, tool, permitted.input, { decision, runner })
  const told = await tellHooks(tool, permitted, runner)
  const stopped = stop ?? told.stop
  return end('denied', failure(decision.message), {
    additionalContext: [...additionalContext, ...told.context],
    ...(stopped !== undefined && { stop: stopped }),
  })
}

/** Runs `PermissionDenied` hooks, and `Notification` hooks if a person would have been asked. */
async function tellHooks(tool: Tool, { hooked, permission }: Permitted, { hooks, signal }: ToolRunner) {
  const { decision } = permission
  const question = `Permission to use ${tool.name} was needed. ${decision.message}`
  const [told, notified] = await Promise.all([
    hooks?.permissionDenied(hooked, decision.message, signal),
    isUnanswered(decision) ? hooks?.notification('permission_prompt', question, signal) : undefined,
  ])
  return { context: told?.additionalContext ?? [], stop: told?.stop ?? notified?.stop }
}

/** True if the decision is an unanswered question: an ask rule, or no rule at all. */
function isUnanswered({ reason }: Decision): boolean {
  return (
    reason.type === 'headless' || reason.type === 'opaque' || (reason.type === 'rule' && reason.rule.list === 'ask')
  )
}

/** Runs an allowed call. Its intent is recorded before it has any effect. */
async function* execute(toolUse: ToolUseBlock, tool: Tool, permitted: Permitted, { end, runner }: Rest): Step {
  const { input, permission } = permitted
  yield intent(toolUse, tool, permitted, runner)
  if (runner.signal.aborted) return end('aborted', failure('Not run: the run is ending.'))
  runner.noteCall(permitted.hooked.call)
  const reports: EffectsReport[] = []
  const identity = {
    toolUseId: toolUse.id,
    signal: runner.signal,
    decision: permission.decision,
    canonical: permission.canonical,
    subjects: permitted.hooked.call.subjects,
    onEffects: (report: EffectsReport) => void reports.push(report),
  }
  const ended = yield* callTool(tool, input, {
    signal: runner.signal,
    makeContext: (send, signal) => runner.context({ ...identity, signal, send }),
  })
  const watched = await runner.look()
  const memory = () => runner.context({ ...identity, send: () => Promise.resolve() })
  const ran = { toolUse, tool, permitted, runner, memory }
  const undone = yield* recordEffects([...reports, ...watched], ran)
  const mapped = ended.error === undefined ? tool.mapResult(ended.data) : failure(ended.error)
  const after = yield* afterHooks(ended, mapped, ran)
  // The whole result is redacted before it is cut, so that no cut can hide part of a secret.
  const whole = { ...mapped, content: mapTexts(mapped.content, runner.forModel) }
  const { result, blob } = limitResult(whole, mostOf(tool, runner), runner.blobs)
  const rendering = ended.error === undefined ? tool.renderResult?.(ended.data, input) : undefined
  const stop = permission.stop ?? undone.stop ?? after.stop
  const isInterrupted = runner.signal.aborted && ended.error !== undefined
  return end(isInterrupted ? 'aborted' : result.isError ? 'error' : 'ok', result, {
    additionalContext: [...permission.additionalContext, ...undone.context, ...after.context],
    ...(stop !== undefined && { stop }),
    ...(blob !== undefined && { blob }),
    ...(rendering !== undefined && { rendering }),
  })
}

function intent(toolUse: ToolUseBlock, tool: Tool, permitted: Permitted, runner: ToolRunner): RunEvent {
  const { canonical } = permitted.permission
  const title = tool.userFacingName(permitted.input)
  const path = tool.getPath(permitted.input)
  return {
    type: 'system',
    subtype: 'tool_intent',
    tool_use_id: toolUse.id,
    tool_name: tool.name,
    tool_input: tool.observableInput(permitted.input),
    ...(canonical === undefined ? {} : { canonical }),
    is_read_only: permitted.hooked.call.isReadOnly,
    activity: tool.activity(permitted.input),
    ...(title === tool.name ? {} : { title }),
    ...(path === undefined ? {} : { path }),
    ...(tool.isDestructive(permitted.input) ? { is_destructive: true } : {}),
    parent_tool_use_id: runner.parentToolUseId,
  }
}

function mostOf({ maxResultSizeChars }: Tool, { maxResultCharacters }: ToolRunner): number {
  const isUnlimited = maxResultSizeChars === Number.POSITIVE_INFINITY
  return isUnlimited ? maxResultSizeChars : Math.min(maxResultSizeChars, maxResultCharacters)
}

/** About 2,000 tokens, which all built-in tools need less than. */
const MAX_CHARS = 8000

/**
 * What is wrong with an input; and for a tool whose schema the model does not have, its fields. As text they leave the tools of
 * the next request as they are, and the API's cache with them.
 */
export async function withSchema(message: string, tool: Tool, runner: Pick<ToolRunner, 'tools'>): Promise<string> {
  if (!isDeferred(tool) || runner.tools().some(({ name }) => name === tool.name)) return message
  const { properties, required = [] } = await toInputSchema(tool)
  const fields = JSON.stringify({ required, properties })
  if (fields.length > MAX_CHARS)
    return `${message}\nIts schema is not loaded: ToolSearch loads it by select:${tool.name}.`
  return `${message}\nIts schema: ${fields}`
}

/** An error result. The API would reject an empty text. */
function failure(text: string): ToolResult {
  return { content: text.trim() === '' ? 'Failed without a message.' : text, isError: true }
}

type Extra = Partial<Pick<CallResult, 'additionalContext' | 'stop'>> &
  Partial<Pick<ToolOutcome, 'blob' | 'rendering' | 'error_code' | 'error_meta'>>

/** Makes the result of one call, which took from `started` until it is made. */
function resultMaker(toolUse: ToolUseBlock, started: number) {
  return (outcome: ToolOutcome['outcome'], result: ToolResult, extra: Extra = {}): CallResult => {
    const { additionalContext = [], stop, ...rest } = extra
    const { isError, references, content } = result
    return {
      block: {
        ...{ type: 'tool_result', tool_use_id: toolUse.id, content: content.length === 0 ? '(no output)' : content },
        ...(isError && { is_error: true }),
        ...(references !== undefined && { references }),
      },
      outcome: {
        ...{ tool_use_id: toolUse.id, tool_name: toolUse.name, outcome },
        duration_ms: Math.round(performance.now() - started),
        ...rest,
      },
      additionalContext,
      ...(stop !== undefined && { stop }),
    }
  }
}
