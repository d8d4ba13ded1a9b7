/**
 * The library: run an agent under a policy, ask a policy about a call, write a tool, read a transcript. What is exported
 * here keeps its meaning within a major version.
 */
export type { FlagValues } from '../config/parseArguments.ts'
export { type Config, resolveConfig } from '../config/resolveConfig.ts'
export type {
  CanUseTool,
  HookFunction,
  HookFunctions,
  HookInput,
  HookOutput,
  McpInstance,
  PermissionResult,
  SdkMcpServer,
} from '../contracts/callbacks.ts'
export type * from '../contracts/decision.ts'
export { EXIT_CODES, type ExitReason, RunError } from '../contracts/errors.ts'
export type * from '../contracts/events.ts'
export { FileError } from '../contracts/files.ts'
export type * from '../contracts/messages.ts'
export { type ModelClient, ModelError, type ModelEvent, type ModelRequest } from '../contracts/model.ts'
export type * from '../contracts/settings.ts'
export type * from '../contracts/subject.ts'
export { createModelClient } from '../model/createModelClient.ts'
export { evaluate } from '../policy/evaluate.ts'
export { lintPolicy } from '../policy/lint/lintPolicy.ts'
export { loadPolicy } from '../policy/load/loadPolicy.ts'
export type { Finding, Policy, Rule } from '../policy/Policy.ts'
export { type Loop, type LoopEnd, query } from '../query.ts'
export { readTranscript } from '../report/transcript/readTranscript.ts'
export type { RunRequest } from '../run/run.ts'
export {
  buildTool,
  findTool,
  lazySchema,
  type PoolFacts,
  type Progress,
  type SubjectContext,
  type Tool,
  type ToolDefinition,
  type ToolResult,
  type ToolUseContext,
} from '../Tool.ts'
export {
  assembleToolPool,
  filterToolsByDenyRules,
  getAllBaseTools,
  /** Kode's name for `getAllBaseTools`. */
  getAllBaseTools as getAllTools,
  getReadOnlyTools,
  getTools,
  type PoolOptions,
} from '../tools.ts'
export { type PolicyObject, type RunOptions, run } from './run.ts'
