import type * as z from 'zod'
import type { Behavior } from './contracts/decision.ts'
import type { ToolResultContent } from './contracts/messages.ts'
import type { Subject } from './contracts/subject.ts'
import type { ProgressLine } from './lib/async/withProgress.ts'
import { once } from './lib/memoize.ts'
import type { SubjectContext, ToolUseContext } from './Tool/ToolUseContext.ts'

export type * from './contracts/commands.ts'
export type * from './contracts/files.ts'
export { FileError, unlessRefused } from './contracts/files.ts'
export type * from './contracts/network.ts'
export type * from './Tool/stores.ts'
export type { SubjectContext, ToolUseContext } from './Tool/ToolUseContext.ts'

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
      /** Machine-readable details of the error, only for the record. */
      readonly meta?: Readonly<Record<string, unknown>>
    }

/** A tool's own opinion. `none` leaves the decision to the rules; `deny` and `ask` override an allow rule. */
export type ToolPermission =
  | { readonly behavior: 'none' }
  | { readonly behavior: Exclude<Behavior, 'allow'>; readonly message: string }

/** The result of a call for the API. A string is one text block. */
export type ToolResult = {
  readonly content: string | readonly ToolResultContent[]
  readonly isError?: boolean
  /** Names of the tools that the result loads. */
  readonly references?: readonly string[]
}

/** What a run has. Tools without anything to work on are left out of the pool. */
export type PoolFacts = {
  /** The tools that policy and flags allow. */
  readonly tools: readonly Tool[]
  readonly hasMemory: boolean
  readonly hasSkills: boolean
  readonly hasServers: boolean
  /** True if the policy declares outputs. */
  readonly hasOutputs: boolean
  /** True if children can find a program of that name. */
  hasProgram(name: string): boolean
}

/** Options for texts that depend on the pool. */
export type PromptOptions = {
  readonly tools: readonly Tool[]
  readonly cwd: string
  /** Kode's option: whether calls need permission. Here they always do. */
  readonly safeMode?: true
}

/**
 * A tool. `buildTool` creates one, with a safe default for everything left out. The `is…` methods are called for each
 * call; their results are never kept across turns.
 */
// biome-ignore lint/suspicious/noExplicitAny: a pool holds tools of every input type; each checks its own input by zod
export interface Tool<Input extends ToolInput = any, Output = any> {
  /** The name for the model, as in Claude Code (`Read`, `Bash`, `mcp__server__tool`). */
  readonly name: string
  /** Other names accepted in calls and rules, including Kode's. */
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
  /** The origin of an MCP tool. */
  readonly mcpInfo?: { readonly server: string; readonly tool: string }
  /** A tool that runs at the API. Its definition is sent to the API unchanged; `call` is never used. */
  readonly serverTool?: Readonly<Record<string, unknown>> & { readonly type: string }
  /** No effect outside the run: allowed without a rule. A bare deny still removes it. */
  readonly isFree: boolean
  /** Only offered if an allow rule names it (PowerShell, WebSearch). */
  readonly isOptIn: boolean
  /** Longer results go to a blob file; the model gets head, tail and path. `Infinity`: the tool has its own limits. */
  readonly maxResultSizeChars: number
  /** What an abort does to a running call: end it, or wait for it. */
  readonly interruptBehavior: 'cancel' | 'block'
  /** Lets reports distinguish reading from changing. */
  readonly isSearchOrReadCommand: boolean

  userFacingName(input: Input): string
  description(options: PromptOptions): string | Promise<string>
  /** More text about the tool for the model. The API's `description` contains both. */
  prompt(options: PromptOptions): string | Promise<string>
  /** Must not throw. Asked before every request; a tool that is not enabled is not offered. */
  isEnabled(): boolean
  /** Called once, when the pool is assembled. */
  isAvailable(facts: PoolFacts): boolean
  isReadOnly(input: Input, context: SubjectContext): boolean
  isConcurrencySafe(input: Input, context: SubjectContext): boolean
  isDestructive(input: Input): boolean
  /** After zod, before permission. A refusal is a result the model can act on. */
  validateInput(input: Input, context: ToolUseContext): ValidationResult | Promise<ValidationResult>
  /** What the call touches. Pure except for reading links; must not throw. */
  subjects(input: Input, context: SubjectContext): readonly Subject[]
  /** Kode's method. False for a call that needs no rule, as every call with `isFree`. Must not throw. */
  needsPermissions(input: Input): boolean
  checkPermissions(input: Input, context: SubjectContext): ToolPermission | Promise<ToolPermission>
  /**
   * The text that runs instead of the model's own, rebuilt from what was judged (Bash). Null: nothing may run. Only
   * called if scoped rules decided. The result is `context.canonical` of the call.
   */
  canonicalText?(input: Input, context: SubjectContext): string | null
  /** Performs the call. Obeys `context.signal` and leaves no process behind. An exception is an error result. */
  call(input: Input, context: ToolUseContext): AsyncGenerator<ToolYield<Output>, void, undefined>
  /** The output as the model sees it. Pure. */
  mapResult(data: Output): ToolResult
  /** One line for the log: `Reading src/foo.ts`. */
  activity(input: Input): string
  /** The file that a call is about, for reports. */
  getPath(input: Input): string | undefined
  /** What hooks and records see. Never changes what is sent to the API. */
  observableInput(input: Input): ToolInput
  /** What the judge of `auto` mode sees. */
  toAutoClassifierInput(input: Input): string
  /** Markdown for reports; absent if the activity line is enough. */
  renderResult?(data: Output, input: Input): string
}

/** The definition of a tool; `buildTool` fills in the rest. */
export type ToolDefinition<Input extends ToolInput, Output> = Pick<
  Tool<Input, Output>,
  'name' | 'inputSchema' | 'description' | 'call' | 'mapResult'
> &
  Partial<Omit<Tool<Input, Output>, 'name' | 'inputSchema' | 'description' | 'call' | 'mapResult'>>

/**
 * A tool from its definition. Safe defaults for everything left out: it writes, does not run in parallel, keeps 30,000
 * characters, has no opinion on permission, and touches only its own name.
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
    inputSchema: once(definition.inputSchema),
    ...(definition.outputSchema && { outputSchema: once(definition.outputSchema) }),
  }
}

/** A schema that is built at its first use and cached, for tools that share one: `buildTool` keeps that of each tool. */
export function lazySchema<Schema>(build: () => Schema): () => Schema {
  return once(build)
}

/** What validation says of a call that cannot be made. `meta` is for the record alone. */
export function invalid(
  message: string,
  errorCode: number,
  meta?: Readonly<Record<string, unknown>>,
): ValidationResult {
  return { result: false, message, errorCode, ...(meta && { meta }) }
}

/** For a tool that only looks: its calls need no order. */
export const ONLY_READS = { isReadOnly: () => true, isConcurrencySafe: () => true } as const

/** For a tool that looks for something, which reports tell from one that changes. */
export const SEARCHES = { ...ONLY_READS, isSearchOrReadCommand: true } as const

/** For a tool that needs no rule, and is only named to the model at first. */
export const FREE_ON_DEMAND = { shouldDefer: true, isFree: true } as const

/** The one subject of a call that reads or writes what is at `path`. */
export function pathSubject(path: string, access: 'read' | 'write', context: SubjectContext): readonly Subject[] {
  return [{ kind: 'path', access, path: context.resolvePath(path), source: 'tool' }]
}

/** True for a tool that is only named to the model until ToolSearch loads it. */
export function isDeferred(tool: Tool): boolean {
  return tool.shouldDefer && !tool.alwaysLoad
}

/** True when `name` is the tool's name or one of its aliases. */
export function isNamed(tool: Tool, name: string): boolean {
  return tool.name === name || tool.aliases.includes(name)
}

/** True if an agent's definition names the tool: by name, alias, or server (`mcp__srv`, `mcp__srv__*`). */
export function matchesToolName(tool: Tool, name: string): boolean {
  if (tool.mcpInfo === undefined || isNamed(tool, name)) return isNamed(tool, name)
  return name.endsWith('*') ? tool.name.startsWith(name.slice(0, -1)) : tool.name.startsWith(`${name}__`)
}

/** The tool with that name or alias; names take precedence. */
export function findTool(tools: readonly Tool[], name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name) ?? tools.find((tool) => tool.aliases.includes(name))
}
