import type { Config } from '../config/resolveConfig.ts'
import type { CanUseTool, HookFunctions, McpInstance } from '../contracts/callbacks.ts'
import type { PermissionMode } from '../contracts/decision.ts'
import type { RunOrigin } from '../contracts/events.ts'
import type { UserContent } from '../contracts/messages.ts'
import type { ModelClient } from '../contracts/model.ts'
import type { HelperPlace } from '../hooks/openHelper.ts'
import { isFolder } from '../lib/fs/folders.ts'
import { runnerSecrets } from '../lib/secrets/secretsFromEnvironment.ts'
import type { Policy } from '../policy/Policy.ts'
import type { Tool } from '../Tool.ts'

/** `semi`: caused by people with write access, but not yet merged. `untrusted`: anyone may have influenced it. */
export type Trust = 'trusted' | 'semi' | 'untrusted'

/** What an entry point passes to a run: all outside input, already read and checked. */
export type RunRequest = {
  readonly prompt: string
  readonly config: Config
  readonly policy: Policy
  /** The operator's environment. Its secrets are redacted, and child processes get an allow-list of it. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** A snapshot of the base commit. Project files that steer the run are read from it instead of the checkout. */
  readonly configRoot?: string
  /** The top folder of the repository in the checkout, which the snapshot mirrors. */
  readonly configTop?: string
  /** How far the people who triggered the run are trusted; `trusted` by default. */
  readonly trust?: Trust
  /** What triggered the run; part of its record. */
  readonly origin?: RunOrigin | undefined
  /** True: no command of the run can gain privileges with `sudo` or similar, inside or outside the sandbox. */
  readonly dropsPrivileges?: boolean
  /** Warnings about how the run was started; part of its record. */
  readonly warnings?: readonly string[]
  /** The folder for transcripts if none is given. */
  readonly stateFolder: string
  readonly apiKey: string | undefined
  /** The runner's command files. No tool may touch them. */
  readonly commandFiles: readonly string[]
  /** A library user's tools, in addition to the built-in ones. */
  readonly tools?: readonly Tool[]
  /** Replaces the API; for library users and tests. */
  readonly model?: ModelClient
  /** Hooks that are functions of the caller; they are asked together with those of the policy. */
  readonly hooks?: HookFunctions
  /** Asked about calls that no rule, hook or mode decides. */
  readonly canUseTool?: CanUseTool
  /** MCP servers in the caller's process, by name. */
  readonly mcpInstances?: Readonly<Record<string, McpInstance>>
  /** Images and documents that belong to the prompt. */
  readonly attachments?: readonly UserContent[]
  /** True: the next message of a session. Its turns, calls and denials are counted from zero; its money is not. */
  readonly isNextMessage?: boolean
  /** What SessionStart hooks have set in earlier runs of the session; this one adds to it. */
  readonly variables?: Record<string, string>
  /** Called once when the run has started: changes the permission mode from then on. */
  readonly onStart?: (controls: { setMode(mode: PermissionMode): void }) => void
  /** Ends the run. Its reason may be a `RunError`; any other is `aborted`. */
  readonly signal: AbortSignal
  /** Aborts when no time is left. The end record is then written synchronously. */
  readonly now?: AbortSignal
  /** Shows people a line that belongs to no event. */
  readonly note?: (text: string) => void
}

/** The credentials of the run itself, which no child gets. */
export function credentialsOf({ apiKey, environment, config }: Pick<RunRequest, 'apiKey' | 'environment' | 'config'>) {
  const others = runnerSecrets(environment, config.provider).map(({ value }) => value)
  return apiKey === undefined ? others : [apiKey, ...others]
}

/** Where commands run that print credentials. */
export function helperPlace(request: RunRequest): HelperPlace {
  const { home, environment, config } = request
  return { home, environment, cwd: config.cwd, checkout: workspacesOf(request) }
}

/** The project root and the working directories that flags and policy add, without those that do not exist. */
export function workspacesOf({ config, policy }: Pick<RunRequest, 'config' | 'policy'>): string[] {
  return [config.cwd, ...config.addDirs, ...policy.settings.additionalDirectories.filter(isFolder)]
}
