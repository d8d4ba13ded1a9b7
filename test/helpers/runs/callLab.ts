import * as z from 'zod'
import type { RunEvent } from '../../../src/contracts/events.ts'
import type { ToolUseBlock } from '../../../src/contracts/messages.ts'
import type { Hooks, HookVerdict } from '../../../src/hooks/Hooks.ts'
import { forEachEvent } from '../../../src/lib/async/mergeGenerators.ts'
import { loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import type { Policy } from '../../../src/policy/Policy.ts'
import type { CallResult, ToolRunner } from '../../../src/query/runTools/runTools.ts'
import { runToolUse } from '../../../src/query/runTools/runToolUse.ts'
import { buildTool, type Tool } from '../../../src/Tool.ts'
import { createToolContext } from '../tools/toolContext.ts'

const policy = await loadPolicy({
  cwd: '/',
  home: '/root',
  flags: { allow: ['TaskCreate', 'TaskList'], deny: ['WebSearch'] },
})
export const SILENT: HookVerdict = {
  decision: 'none',
  reason: '',
  hook: 'h.sh',
  isFailure: false,
  additionalContext: [],
}

type HookName =
  | 'preToolUse'
  | 'permissionRequest'
  | 'postToolUse'
  | 'postToolUseFailure'
  | 'permissionDenied'
  | 'notification'

export type CallLabOptions = {
  readonly tool?: Partial<Tool>
  /** What the tool does with its text; its result by default. */
  readonly call?: (text: string, stop: AbortController) => unknown
  readonly runner?: Partial<ToolRunner>
  readonly hooks?: Partial<Record<HookName, Partial<HookVerdict>>>
  readonly unreadable?: string
  /** Looks at each event before the call goes on. */
  readonly onEvent?: (event: RunEvent, stop: AbortController) => void
}

export type PlayedCall = CallResult & {
  readonly events: readonly RunEvent[]
  /** The subtype of each event, and `call`, in their order. */
  readonly order: readonly string[]
  /** Which hooks were asked, with what they were told beside the call. */
  readonly asked: readonly (readonly unknown[])[]
  /** What the runner was told: decisions, calls. */
  readonly counted: readonly string[]
}

export const use = (name: string, input: unknown = { text: 'x' }): ToolUseBlock =>
  ({ type: 'tool_use', id: 'u1', name, input }) as ToolUseBlock

/** The first event of that subtype. */
export const eventOf = (events: readonly RunEvent[], subtype: string) =>
  events.find((event) => event.type === 'system' && event.subtype === subtype)

/** Plays one call in this process; see `callRunner` for its tools. */
export async function playCall(toolUse: ToolUseBlock, options: CallLabOptions = {}): Promise<PlayedCall> {
  const { runner, stop, order, asked, counted } = callRunner(options)
  const events: RunEvent[] = []
  const result = await forEachEvent(runToolUse(toolUse, runner, options.unreadable), (event) => {
    events.push(event)
    order.push('subtype' in event ? event.subtype : event.type)
    options.onEvent?.(event, stop)
  })
  return { ...result, events, order, asked, counted }
}

/** What a runner of calls is without hooks, agents and limits. */
export function stubRunner(tools: readonly Tool[], policy: Policy, signal: AbortSignal) {
  const context = createToolContext()
  return {
    ...{ tools: () => tools, find: (name: string) => tools.find((each) => each.name === name), load: () => undefined },
    ...{ hooks: undefined, agent: undefined, parentToolUseId: null, policySha256: '', root: '/', signal },
    ...{ look: async () => [], refusalOf: () => undefined, auditedEdits: () => [], drain: () => [] },
    ...{ blobs: context.blobs, maxResultCharacters: 30_000, context: () => context },
    forModel: (words: string) => words,
    permission: (own: AbortSignal) => ({
      ...{ policy, mode: 'default' as const, subjects: context, isPlainEdit: () => false, signal: own },
    }),
  }
}

/** `TaskCreate` has a rule, `TaskList` has one and only reads, `WebSearch` is denied, `Skill` has no rule. */
export function callRunner(options: CallLabOptions = {}) {
  const order: string[] = []
  const asked: (readonly unknown[])[] = []
  const counted: string[] = []
  const stop = new AbortController()
  const made = (name: string) => ({
    ...buildTool({
      name,
      inputSchema: () => z.strictObject({ text: z.string() }),
      description: () => '',
      isReadOnly: () => name === 'TaskList',
      isConcurrencySafe: () => name === 'TaskList',
      async *call({ text }) {
        order.push('call')
        yield { type: 'result' as const, data: options.call === undefined ? text : await options.call(text, stop) }
      },
      mapResult: (data) => ({ content: String(data) }),
    }),
    ...options.tool,
    name,
  })
  const tools = ['TaskCreate', 'TaskList', 'WebSearch', 'Skill'].map(made)
  const answer =
    (name: HookName, skipped = 1) =>
    async (...told: unknown[]): Promise<HookVerdict> => {
      asked.push([name, ...told.slice(skipped, -1)])
      return { ...SILENT, ...options.hooks?.[name] }
    }
  const hooks = {
    has: (event: string) => event === 'PermissionRequest' && options.hooks?.permissionRequest !== undefined,
    preToolUse: answer('preToolUse'),
    permissionRequest: answer('permissionRequest'),
    postToolUse: answer('postToolUse'),
    postToolUseFailure: answer('postToolUseFailure'),
    permissionDenied: answer('permissionDenied'),
    notification: answer('notification', 0),
  } as unknown as Hooks
  const stub = stubRunner(tools, policy, stop.signal)
  const runner: ToolRunner = {
    ...stub,
    ...{ hooks: options.hooks === undefined ? undefined : hooks, policySha256: 'sha', takeToolCall: () => undefined },
    forModel: (words) => words.replaceAll('secret', '[R]'),
    permission: (signal) => ({ ...stub.permission(signal), ...(options.hooks?.permissionRequest && { hooks }) }),
    noteCall: (call) => void counted.push(`call ${call.tool}`),
    countDecision: ({ behavior }) => void counted.push(behavior),
    ...options.runner,
  }
  return { runner, stop, order, asked, counted }
}
