import type { ToolOutcome } from '../../contracts/events.ts'
import type { ToolUseBlock } from '../../contracts/messages.ts'
import type { HookedCall, HookVerdict } from '../../hooks/Hooks.ts'
import { hasPermissionsToUseTool, type Permission, toCall } from '../../permissions.ts'
import type { SubjectContext, Tool, ToolInput } from '../../Tool.ts'
import { fieldsOf, type ParsedInput, parseInput } from './parseInput.ts'
import type { ToolRunner } from './ToolRunner.ts'

/** A decided call, with the input that was decided on. */
export type Permitted = {
  readonly input: ToolInput
  readonly permission: Permission
  readonly hooked: HookedCall
}

export type Invalid = {
  readonly invalid: string
  readonly fault?: Pick<ToolOutcome, 'error_code' | 'error_meta'>
}

type Asked = {
  readonly toolUse: ToolUseBlock
  readonly tool: Tool
  readonly runner: ToolRunner
  readonly signal: AbortSignal
}

/**
 * Validates a parsed input, asks the hooks, and decides. An input that a hook edits is parsed, validated and decided
 * again, so a hook can narrow a call but never carry one past the policy.
 */
export async function permitToolUse(asked: Asked, input: ToolInput): Promise<Permitted | Invalid> {
  const refused = await validate(asked, input)
  if (refused !== undefined) return refused
  const hooked = toHooked(asked, input)
  const before = await asked.runner.hooks?.preToolUse(hooked, asked.signal)
  if (before?.updatedInput === undefined) return decide(asked, { input, hooked, before })
  const { updatedInput, ...verdict } = before
  return decideEdited(asked, updatedInput, { before: verdict })
}

/** The answers of hooks so far: before the judgment, and to an open question. */
type Said = { readonly before: HookVerdict | undefined; readonly answered?: HookVerdict }

async function decide(asked: Asked, judged: Omit<Permitted, 'permission'> & Said): Promise<Permitted | Invalid> {
  const { input, hooked, before } = judged
  const permission = await hasPermissionsToUseTool(
    { ...judged, tool: asked.tool },
    asked.runner.permission(asked.signal),
  )
  const { edit, stop = before?.stop } = permission
  if (edit !== undefined) return decideEdited(asked, edit.input, { before, answered: edit.verdict })
  return { input, hooked, permission: stop === undefined ? permission : { ...permission, stop } }
}

async function decideEdited(asked: Asked, edited: ToolInput, said: Said): Promise<Permitted | Invalid> {
  const parsed = parseInput(asked.tool, edited)
  if (!parsed.ok) return { invalid: `A hook edited the input. ${parsed.message}` }
  const { subjects } = asked.runner.permission(asked.signal)
  const unknown = refuseUnknown(asked.tool, parsed, subjects)
  const refused = unknown === undefined ? await validate(asked, parsed.input) : { invalid: unknown }
  if (refused !== undefined) return { ...refused, invalid: `A hook edited the input. ${refused.invalid}` }
  return decide(asked, { ...said, input: parsed.input, hooked: toHooked(asked, parsed.input) })
}

async function validate({ tool, toolUse, runner, signal }: Asked, input: ToolInput): Promise<Invalid | undefined> {
  const context = runner.context({
    ...{ toolUseId: toolUse.id, signal, decision: undefined, canonical: undefined, subjects: [] },
    onEffects: () => undefined,
    send: () => Promise.resolve(),
  })
  const verdict = await tool.validateInput(input, context)
  if (verdict.result) return undefined
  const { message, errorCode, meta } = verdict
  return { invalid: message, fault: { error_code: errorCode, ...(meta === undefined ? {} : { error_meta: meta }) } }
}

function toHooked({ tool, toolUse, runner, signal }: Asked, input: ToolInput): HookedCall {
  const { subjects } = runner.permission(signal)
  return {
    call: toCall(tool, input, subjects),
    observed: withFullPaths(tool.observableInput(input), subjects),
    toolUseId: toolUse.id,
    ...(runner.agent === undefined ? {} : { agent: runner.agent }),
    parentToolUseId: runner.parentToolUseId,
  }
}

/** Parameters that name one file, by the names that hooks know. */
const FILES = ['file_path', 'notebook_path']

/**
 * The input with absolute paths for files: hooks written for Claude Code compare them with folders, and there they are
 * never relative.
 */
export function withFullPaths(input: ToolInput, { resolvePath }: Pick<SubjectContext, 'resolvePath'>): ToolInput {
  const whole = FILES.flatMap((name) => {
    const value = input[name]
    return typeof value === 'string' && value !== '' ? [[name, resolvePath(value).lexical] as const] : []
  })
  return whole.length === 0 ? input : { ...input, ...Object.fromEntries(whole) }
}

type Parsed = Extract<ParsedInput, { ok: true }>

/**
 * Refuses a call with unknown fields in its input, because without them it might do something else than intended.
 * Undefined for a call that only reads or has no effect outside the run: it runs without them.
 */
export function refuseUnknown(tool: Tool, { input, dropped }: Parsed, context: SubjectContext): string | undefined {
  if (dropped.length === 0 || tool.isFree || tool.isReadOnly(input, context)) return undefined
  const fields = `${dropped.length === 1 ? 'field' : 'fields'} ${dropped.slice(0, 10).join(', ')}`
  return `Not run: ${tool.name} has no ${fields}. Its fields: ${fieldsOf(tool).join(', ')}. Send the call again without unknown fields.`
}
