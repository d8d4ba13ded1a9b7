import type { HookEventName } from './settings.ts'

/** The JSON that a hook gets: Claude Code's field names. `hook_event_name` says which further fields there are. */
export type HookInput = {
  readonly session_id: string
  readonly transcript_path: string
  readonly cwd: string
  readonly permission_mode: string
  readonly hook_event_name: HookEventName
  readonly tool_name?: string
  readonly tool_input?: Readonly<Record<string, unknown>>
  readonly tool_use_id?: string
  readonly [field: string]: unknown
}

/** The JSON answer of Claude Code's hooks reference. Nothing, or an empty object, is no opinion. */
export type HookOutput = {
  readonly continue?: boolean
  readonly stopReason?: string
  readonly systemMessage?: string
  readonly decision?: 'approve' | 'block'
  readonly reason?: string
  readonly hookSpecificOutput?: {
    readonly hookEventName: HookEventName
    readonly permissionDecision?: 'allow' | 'deny' | 'ask'
    readonly permissionDecisionReason?: string
    readonly updatedInput?: Readonly<Record<string, unknown>>
    readonly additionalContext?: string
    readonly decision?:
      | { readonly behavior: 'allow'; readonly updatedInput?: Readonly<Record<string, unknown>> }
      | { readonly behavior: 'deny'; readonly message?: string; readonly interrupt?: boolean }
  }
}

/**
 * A hook that is a function of the caller. Its answer is read like the output of a command hook. One that throws, or
 * takes longer than its time limit, has failed: where hooks decide, that denies.
 */
export type HookFunction = (
  input: HookInput,
  toolUseId: string | undefined,
  options: { readonly signal: AbortSignal },
  // biome-ignore lint/suspicious/noConfusingVoidType: a hook may return nothing at all
) => HookOutput | undefined | void | Promise<HookOutput | undefined | void>

/** Functions that share a matcher, as under `hooks:` of a policy. `timeout` is in seconds; 60 by default. */
export type HookFunctions = {
  readonly [Event in HookEventName]?: readonly {
    readonly matcher?: string | undefined
    readonly hooks: readonly HookFunction[]
    readonly timeout?: number | undefined
    /** `continue`: a failure is only a warning. By default it denies. */
    readonly onError?: 'deny' | 'continue' | undefined
  }[]
}

/** The caller's answer to a call that no rule, hook or mode decides. Rules judge an `updatedInput` anew. */
export type PermissionResult =
  | {
      readonly behavior: 'allow'
      readonly updatedInput?: Readonly<Record<string, unknown>> | undefined
      /** Of no effect, which a warning says: rules belong to the policy. */
      readonly updatedPermissions?: readonly unknown[] | undefined
    }
  | { readonly behavior: 'deny'; readonly message: string; readonly interrupt?: boolean | undefined }

/** Asked only about calls that would be denied because nobody answers. It opens nothing that a deny closes. */
export type CanUseTool = (
  toolName: string,
  input: Readonly<Record<string, unknown>>,
  options: { readonly signal: AbortSignal; readonly toolUseID: string; readonly agentID?: string | undefined },
) => PermissionResult | Promise<PermissionResult>

/** An MCP server in the caller's process: an `McpServer` or `Server` of `@modelcontextprotocol/sdk`. */
export type McpInstance = { connect(transport: never): Promise<void> }

/** One entry of the library's `mcpServers`. */
export type SdkMcpServer = { readonly type: 'sdk'; readonly instance: McpInstance }
