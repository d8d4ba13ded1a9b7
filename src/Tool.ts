import type * as z from 'zod'
import type { Behavior } from './contracts/decision.ts'
import type { ToolResultContent } from './contracts/messages.ts'
import type { Subject } from './contracts/subject.ts'
import type { ProgressLine } from './lib/async/withProgress.ts'
import type { SubjectContext, ToolUseContext } from './Tool/ToolUseContext.ts'

export type {
  BackgroundCommand,
  CapturedStream,
  CommandAccess,
  CommandRequest,
  CommandResult,
} from './contracts/commands.ts'
export {
  type FileAccess,
  type FileContent,
  type FileEntry,
  FileError,
  type FileStat,
  type ReadStamp,
} from './contracts/files.ts'
export type { NetworkAccess, NetworkRequest, NetworkResponse } from './contracts/network.ts'
export type {
  AgentAnswer,
  AgentInfo,
  AgentRequest,
  BlobStore,
  FinishReport,
  McpAccess,
  McpResource,
  ModelQuestion,
  SkillInfo,
  Task,
  TaskStore,
  Todo,
  TodoStore,
} from './Tool/stores.ts'
export type { SubjectContext, ToolUseContext } from './Tool/ToolUseContext.ts'

/** One line on how a call gets on. */
export type Progress = ProgressLine

/** A tool's input after validation. */
export type ToolInput = Readonly<Record<string, unknown>>

/** What a call yields: any number of progress lines, then exactly one result. */
export type ToolYield<Output> = Progress | { readonly type: 'result'; readonly data: Output }

export type ValidationResult =
  | { readonly result: true }
  | {
      readonly result: false
      readonly message: string
      readonly errorCode: number
      /** What a program may want to know of the fault, for the record alone. */
      readonly meta?: Readonly<Record<string, unknown>>
    }

/** A tool's own opinion. `none` leaves it to the rules; `deny` and `ask` stand against an allow rule. */
export type ToolPermission =
  | { readonly behavior: 'none' }
  | { readonly behavior: Exclude<Behavior, 'allow'>; readonly message: string }

/** What the API gets back for a call. A string is one text block. */
export type ToolResult = {
  readonly content: string | readonly ToolResultContent[]
  readonly isError?: boolean
}

/** What a run has. A tool that would have nothing to work with is left out of the pool. */
export type PoolFacts = {
  /** The tools that policy and flags leave. */
  readonly tools: readonly Tool[]
  readonly hasMemory: boolean
  readonly hasSkills: boolean
  readonly hasServers: boolean
  /** True where the policy declares outputs. */
  readonly hasOutputs: boolean
  /** True where children find a program of that name. */
  hasProgram(name: string): boolean
}

/** Options for texts that depend on the pool. */
export type PromptOptions = {
  readonly tools: readonly Tool[]
  readonly cwd: string
  /** Kode's question: whether permissions are asked for. They always are. */
  readonly safeMode?: true
}

/**
 * What a tool is. Made by `buildTool`, which gives the safe answer to everything left out. The `is…` questions are asked
 * for each call; their answers are never kept across turns.
 */
// biome-ignore lint/suspicious/noExplicitAny: a pool holds tools of every input type; each checks its own input by zod
export interface Tool<Input extends ToolInput = any, Output = any> {
  /** Model-facing, as in Claude Code (`Read`, `Bash`, `mcp__server__tool`). */
  readonly name: string
  /** Names accepted in calls and rules besides; Kode's among them. */
  readonly aliases: readonly string[]
  /** A few words for ToolSearch. */
  readonly searchHint: string
  /** Deferred tools are only named to the model until ToolSearch loads them. `alwaysLoad` wins. */
  readonly shouldDefer: boolean
  readonly alwaysLoad: boolean
  /** Lazy: no schema is built before the pool needs it. A zod strict object; zod 3 schemas are converted. */
  inputSchema(): z.ZodType<Input>
  /** JSON Schema that replaces `inputSchema` for the API (MCP tools). */
  readonly inputJSONSchema?: Readonly<Record<string, unknown>>
  outputSchema?(): z.ZodType<Output>
  /** Where an MCP tool comes from. */
  readonly mcpInfo?: { readonly server: string; readonly tool: string }
  /** A tool that runs on the API's side; its definition goes to the API as it is, `call` is never used. */
  readonly serverTool?: Readonly<Record<string, unknown>> & { readonly type: string }
  /** No effect outside the run: allowed by itself, a bare deny still removes it. */
  readonly isFree: boolean
  /** Only offered where an allow rule names it (PowerShell, WebSearch). */
  readonly isOptIn: boolean
  /** Results above it go to a blob file, the model gets head, tail and the path. `Infinity`: has limits of its own. */
  readonly maxResultSizeChars: number
  /** What an abort does to a running call: end it, or wait for it. */
  readonly interruptBehavior: 'cancel' | 'block'
  /** Used by reports to tell looking from doing. */
  readonly isSearchOrReadCommand: boolean

  userFacingName(input: Input): string
  description(options: PromptOptions): string | Promise<string>
  /** What the model is told about the tool, beyond the description. Both go into the API's `description`. */
  prompt(options: PromptOptions): string | Promise<string>
  /** Must not throw. Asked before every request; a tool that is not enabled is not offered. */
  isEnabled(): boolean
  /** Asked once, when the pool is assembled. */
  isAvailable(facts: PoolFacts): boolean
  isReadOnly(input: Input, context: SubjectContext): boolean
  isConcurrencySafe(input: Input, context: SubjectContext): boolean
  isDestructive(input: Input): boolean
  /** After zod, before permission. A refusal is a result the model can act on. */
  validateInput(input: Input, context: ToolUseContext): ValidationResult | Promise<ValidationResult>
  /** What the call touches. Pure but for looking at links; must not throw. */
  subjects(input: Input, context: SubjectContext): readonly Subject[]
  /** Kode's question. False for a call that is allowed by itself, as all are of a tool that `isFree`. Must not throw. */
  needsPermissions(input: Input): boolean
  checkPermissions(input: Input, context: SubjectContext): ToolPermission | Promise<ToolPermission>
  /**
   * The text that runs instead of the model's own, rebuilt from what was judged (Bash). Null: nothing may run. Asked only
   * when scoped rules decided; the answer is `context.canonical` of the call.
   */
  canonicalText?(input: Input, context: SubjectContext): string | null
  /** Does it. Takes `context.signal`; leaves no process behind. A throw is an error result. */
  call(input: Input, context: ToolUseContext): AsyncGenerator<ToolYield<Output>, void, undefined>
  /** The output as the model sees it. Pure. */
  mapResult(data: Output): ToolResult
  /** One line for the log: `Reading src/foo.ts`. */
  activity(input: Input): string
  /** The file a call is about, for reports. */
  getPath(input: Input): string | undefined
  /** What hooks and records see. Never changes what is sent to the API. */
  observableInput(input: Input): ToolInput
  /** What the judge of `auto` mode sees. */
  toAutoClassifierInput(input: Input): string
  /** Markdown for reports; absent where the activity line says it all. */
  renderResult?(data: Output, input: Input): string
}

/** What a tool may say about itself; the rest is filled in by `buildTool`. */
export type ToolDefinition<Input extends ToolInput, Output> = Pick<
  Tool<Input, Output>,
  'name' | 'inputSchema' | 'description' | 'call' | 'mapResult'
> &
  Partial<Omit<Tool<Input, Output>, 'name' | 'inputSchema' | 'description' | 'call' | 'mapResult'>>

/**
 * A tool from its definition. Everything unsaid gets the safe answer: it writes, does not run beside others, keeps
 * 30,000 characters, has no opinion on permission, and touches only its own name.
 */
export function buildTool<Input extends ToolInput, Output>(
  definition: ToolDefinition<Input, Output>,
): Tool<Input, Output> {
  const { name } = definition
  return {
    aliases: [],
    searchHint: '',
    shouldDefer: false,
    alwaysLoad: false,
    isFree: false,
    isOptIn: false,
    maxResultSizeChars: 30_000,
    interruptBehavior: 'cancel',
    isSearchOrReadCommand: false,
    userFacingName: () => name,
    prompt: () => '',
    isEnabled: () => true,
    isAvailable: () => true,
    isReadOnly: () => false,
    isConcurrencySafe: () => false,
    isDestructive: () => false,
    validateInput: () => ({ result: true }),
    subjects: () => [{ kind: 'name', tool: name }],
    needsPermissions: () => definition.isFree !== true,
    checkPermissions: () => ({ behavior: 'none' }),
    activity: () => name,
    getPath: () => undefined,
    observableInput: (input) => input,
    toAutoClassifierInput: (input) => JSON.stringify(input),
    ...definition,
  }
}

/** A schema that is built at its first use, then kept. */
export function lazySchema<Schema>(build: () => Schema): () => Schema {
  let schema: Schema | undefined
  return () => {
    schema ??= build()
    return schema
  }
}

/** True for a tool that is only named to the model until ToolSearch loads it. */
export function isDeferred(tool: Tool): boolean {
  return tool.shouldDefer && !tool.alwaysLoad
}

/** True when `name` is the tool's name or one of its aliases. */
export function isNamed(tool: Tool, name: string): boolean {
  return tool.name === name || tool.aliases.includes(name)
}

/** True when an agent's definition means the tool: by name or alias, or by its server (`mcp__srv`, `mcp__srv__*`). */
export function matchesToolName(tool: Tool, name: string): boolean {
  if (tool.mcpInfo === undefined || isNamed(tool, name)) return isNamed(tool, name)
  return name.endsWith('*') ? tool.name.startsWith(name.slice(0, -1)) : tool.name.startsWith(`${name}__`)
}

/** The tool of that name or alias; a name wins over an alias. */
export function findTool(tools: readonly Tool[], name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name) ?? tools.find((tool) => tool.aliases.includes(name))
}
