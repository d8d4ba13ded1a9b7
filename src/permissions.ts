import { type Decision, type DecisionReason, isAbsence, type PermissionMode } from './contracts/decision.ts'
import type { Call, Subject } from './contracts/subject.ts'
import type { HookedCall, Hooks, HookVerdict } from './hooks/Hooks.ts'
import { evaluate } from './policy/evaluate.ts'
import { isMetadataHost } from './policy/matchers/domain.ts'
import type { Policy } from './policy/Policy.ts'
import { isRawAllowed } from './policy/rules/bareRules.ts'
import { advise } from './policy/suggest/advise.ts'
import type { SubjectContext, Tool, ToolInput, ToolPermission } from './Tool.ts'

/** What a decision is based on, besides the call. Without `hooks` and `judge`, it is what `policy explain` shows. */
export type PermissionOptions = {
  readonly policy: Policy
  readonly mode: PermissionMode
  readonly subjects: SubjectContext
  /** True for a write below the working directories that is not protected: `acceptEdits` and `auto` allow it. */
  isPlainEdit(subject: Subject): boolean
  /** True: a call that only lacks an allow rule runs, if the sandbox, which must be in force, contains it. */
  readonly isAudit?: boolean
  readonly hooks?: Hooks
  /** `auto` mode: a second model's decision on a call that no rule mentions. */
  judge?(call: Call, input: string, signal: AbortSignal): Promise<Decision>
  readonly signal: AbortSignal
}

/** The final decision on a call. `behavior` is never `ask`: an unanswered ask is a deny. */
export type Permission = {
  readonly decision: Decision & { readonly behavior: 'allow' | 'deny' }
  readonly ruled: Decision
  /** The text that runs instead of the model's own. */
  readonly canonical: string | undefined
  /** PermissionRequest hooks allowed the call with another input, which must be validated and permitted again. */
  readonly edit?: { readonly input: ToolInput; readonly verdict: HookVerdict }
  readonly additionalContext: readonly string[]
  readonly stop?: string
}

type Asked = {
  readonly tool: Tool
  readonly input: ToolInput
  readonly hooked: HookedCall
  readonly before: HookVerdict | undefined
  /** What PermissionRequest hooks decided when they replaced the model's input: they are not asked twice. */
  readonly answered?: HookVerdict
}

export function toCall(tool: Tool, input: ToolInput, context: SubjectContext): Call {
  return {
    tool: tool.name,
    aliases: tool.aliases,
    input,
    subjects: tool.subjects(input, context),
    isFree: !tool.needsPermissions(input),
    isReadOnly: tool.isReadOnly(input, context),
  }
}

/**
 * Whether a call may run. The order: PreToolUse hooks (asked by the caller, because their edits are validated first),
 * deny rules, ask rules, the tool's own check, mode, allow rules. An open question goes to the judge of `auto`, then to
 * PermissionRequest hooks, and is otherwise denied. Never prompts.
 */
export async function hasPermissionsToUseTool(asked: Asked, options: PermissionOptions): Promise<Permission> {
  const { hooked, before } = asked
  const ruled = evaluate(options.policy, hooked.call)
  const settled = await settle(ruled, asked, options)
  const answered = settled.behavior === 'ask' ? await answerAsk(settled, asked, options) : { decision: settled }
  const canonical = answered.decision.behavior === 'allow' ? canonicalOf(asked, answered.decision, options) : undefined
  const last = canonical === null ? opaque(answered.decision) : answered.decision
  const decision = advise(options.policy, hooked.call, last)
  return {
    additionalContext: [...(before?.additionalContext ?? []), ...(answered.verdict?.additionalContext ?? [])],
    ...(answered.verdict?.stop === undefined ? {} : { stop: answered.verdict.stop }),
    ...editOf(answered.verdict),
    decision: decision.behavior === 'allow' ? { ...decision, behavior: 'allow' } : { ...decision, behavior: 'deny' },
    ruled,
    canonical: canonical ?? undefined,
  }
}

function editOf(verdict: HookVerdict | undefined): Pick<Permission, 'edit'> {
  if (verdict?.decision !== 'allow' || verdict.updatedInput === undefined) return {}
  const { updatedInput, ...rest } = verdict
  return { edit: { input: updatedInput, verdict: rest } }
}

/** Decides by rules, the hook's answer, the tool's own check and the mode. What they leave open stays an `ask`. */
async function settle(ruled: Decision, asked: Asked, options: PermissionOptions): Promise<Decision> {
  const { tool, input, before, hooked } = asked
  if (ruled.behavior === 'deny') return ruled
  if (before?.decision === 'deny') return byHook(ruled, 'deny', 'PreToolUse', before)
  const own: ToolPermission = await tool.checkPermissions(input, options.subjects)
  if (own.behavior === 'deny') return { ...ruled, ...ofTool(tool, own.message), behavior: 'deny' }
  if (options.mode === 'plan' && !hooked.call.isReadOnly && !hooked.call.isFree) return notInPlan(ruled, tool)
  if (ruled.behavior === 'ask' && !isAbsence(ruled)) return ruled
  if (own.behavior === 'ask') return { ...ruled, ...ofTool(tool, own.message), behavior: 'ask' }
  if (before?.decision === 'ask') return byHook(ruled, 'ask', 'PreToolUse', before)
  if (ruled.behavior === 'allow') return ruled
  if (before?.decision === 'allow') return byHook(ruled, 'allow', 'PreToolUse', before)
  if (options.mode === 'acceptEdits' && isEdit(ruled, hooked.call, options)) return byMode(ruled, 'acceptEdits')
  return ruled
}

type Answer = { readonly decision: Decision; readonly verdict?: HookVerdict }

/** Nobody is there to ask. The judge of `auto` and PermissionRequest hooks may answer; otherwise the call is denied. */
async function answerAsk(ask: Decision, asked: Asked, options: PermissionOptions): Promise<Answer> {
  const { call } = asked.hooked
  if (asked.answered !== undefined) return fromHooks(unanswered(ask, call, options), asked.answered)
  if (options.mode === 'dontAsk') return { decision: unanswered(ask, call, options) }
  if (options.mode === 'auto' && isAbsence(ask)) {
    if (isEdit(ask, call, options)) return { decision: byMode(ask, 'auto') }
    const judged = await options.judge?.(call, asked.tool.toAutoClassifierInput(asked.input), options.signal)
    if (judged !== undefined) return { decision: { ...judged, parts: ask.parts } }
  }
  if (options.hooks?.has('PermissionRequest')) {
    return fromHooks(
      unanswered(ask, call, options),
      await options.hooks.permissionRequest(asked.hooked, options.signal),
    )
  }
  return { decision: unanswered(ask, call, options) }
}

/**
 * An unanswered question is a deny. In an audit, a call that only lacks a rule runs: commands and edits that the
 * sandbox and the view contain, pages, and tools of servers that the policy starts.
 */
function unanswered(ask: Decision, call: Call, options: PermissionOptions): Decision {
  const isCommand = call.subjects.some(({ kind }) => kind === 'command')
  const isHeld = (subject: Subject) =>
    subject.kind === 'command' ||
    subject.kind === 'mcp' ||
    (subject.kind === 'domain' && !isMetadataHost(subject.host)) ||
    (subject.kind === 'path' && (isCommand || options.isPlainEdit(subject)))
  if (options.isAudit !== true || !isAbsence(ask) || !call.subjects.every(isHeld)) return { ...ask, behavior: 'deny' }
  return { ...ask, behavior: 'allow', reason: { type: 'audit', detail: ask.message }, message: '' }
}

/** If no hook has an opinion, the question stays open, which is a deny. Their other messages count in any case. */
function fromHooks(unanswered: Decision, verdict: HookVerdict): Answer {
  const { decision } = verdict
  if (decision !== 'allow' && decision !== 'deny') return { decision: unanswered, verdict }
  return { decision: byHook(unanswered, decision, 'PermissionRequest', verdict), verdict }
}

/** True if only plain writing and reading in the working directories is not allowed yet. */
function isEdit(ruled: Decision, call: Call, options: PermissionOptions): boolean {
  if (!isAbsence(ruled) || call.subjects.length === 0) return false
  return call.subjects.every(
    (subject, index) => ruled.parts[index]?.behavior === 'allow' || options.isPlainEdit(subject),
  )
}

/**
 * The text that was judged. Undefined: run the input as it is, if a bare `Bash` allows that and hooks saw this text.
 * Null: the text to run cannot be rebuilt, so nothing may run.
 */
function canonicalOf(
  { tool, input }: Asked,
  decision: Decision,
  options: PermissionOptions,
): string | null | undefined {
  if (tool.canonicalText === undefined) return undefined
  const canRunRaw = isRawAllowed(options.policy, 'Bash') || decision.reason.type === 'hook'
  return tool.canonicalText(input, options.subjects) ?? (canRunRaw ? undefined : null)
}

function opaque(decision: Decision): Decision {
  const detail = 'the command cannot be parsed with certainty'
  return {
    ...decision,
    behavior: 'deny',
    reason: { type: 'opaque', detail },
    message: `Not run: ${detail}. Split it into simple commands.`,
  }
}

function byHook(ruled: Decision, behavior: Decision['behavior'], event: string, verdict: HookVerdict): Decision {
  const reason: DecisionReason = { type: 'hook', event, hook: verdict.hook, detail: verdict.reason }
  const message = behavior === 'allow' ? '' : `Denied by a ${event} hook: ${verdict.reason || 'no reason given'}`
  return { ...ruled, behavior, reason, message }
}

function byMode(ruled: Decision, mode: PermissionMode): Decision {
  return { ...ruled, behavior: 'allow', reason: { type: 'mode', mode }, message: '' }
}

function notInPlan(ruled: Decision, tool: Tool): Decision {
  const message = `Plan mode is on: only tools that read may be used, ${tool.name} may not. When the plan is ready, call ExitPlanMode.`
  return { ...ruled, behavior: 'deny', reason: { type: 'mode', mode: 'plan' }, message }
}

function ofTool(tool: Tool, detail: string): Pick<Decision, 'reason' | 'message'> {
  return { reason: { type: 'tool', tool: tool.name, detail }, message: detail }
}
