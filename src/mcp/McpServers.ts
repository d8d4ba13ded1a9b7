import type { RunEvent } from '../contracts/events.ts'
import type { McpServerSettings } from '../contracts/settings.ts'
import type { Secret } from '../lib/secrets/secretForms.ts'
import type { BlobStore, McpAccess, Tool, ToolInput } from '../Tool.ts'
import type { McpLock } from './McpLock.ts'

/** A stdio server's process, before it is started. */
export type ServerProcess = {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** How a server is reached, depending on where its entry comes from. */
export type McpSource = {
  /** The operator's environment. A child gets a few of its variables; `${VAR}` in the settings may name any. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The network of HTTP servers; it decides which addresses may be reached. */
  fetch(url: string | URL, init?: RequestInit): Promise<Response>
  /** Runs the `headersHelper` of a server. Throws `RunError` where it must not run, or fails. */
  runHelper?(key: string, command: string, env: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string>
}

export type McpOptions = McpSource & {
  readonly servers: Readonly<Record<string, McpServerSettings>>
  /** The servers from the checkout, and what they get instead. */
  readonly project?: McpSource & { readonly names: ReadonlySet<string> }
  /** The project root, where stdio servers start. */
  readonly cwd: string
  /** Extra variables for every stdio server (the run's marker). */
  readonly childEnv?: Readonly<Record<string, string>>
  /** Puts a process into the sandbox, for servers with `sandbox: true`. Undefined if there is none. */
  sandbox?(server: ServerProcess): ServerProcess
  /** Gets each credential before it is sent, to redact it. */
  learn?(secrets: readonly Secret[]): void
  /** The folders of the run at this moment, for servers with `roots: true`. */
  roots?(): readonly string[]
  readonly blobs: BlobStore
  /** Pinned tools; a tool that differs from its pin is not offered. */
  readonly lock?: McpLock
  /** Milliseconds on a clock that only goes forward. */
  now?(): number
  /** The end of the run: ends start-up and all calls. */
  readonly signal: AbortSignal
  onEvent(event: RunEvent): void
}

/** How a server came up, for `system/init` and `kode-run mcp`. */
export type McpServerState = {
  readonly name: string
  /** `failed` servers are optional: a failed required one ends the start-up. `gone` servers used up their restarts. */
  readonly status: 'connected' | 'failed' | 'gone'
  readonly detail: string
  /** Model-facing names of the offered tools. */
  readonly tools: readonly string[]
  readonly startMs: number
}

export type DownServer = {
  readonly name: string
  /** How the names of its tools would begin. */
  readonly prefix: string
  /** How often it was tried again, and why it did not start. */
  readonly tries: number
  readonly detail: string
}

/** A server that was down at the start, and its tools. */
export type LateServer = { readonly name: string; readonly tools: readonly Tool[] }

export interface McpServers extends McpAccess {
  /** Those of the start, by name, for the whole run; `isEnabled` is false where the server is gone. */
  readonly tools: readonly Tool[]
  /**
   * Begins to try optional servers again that were down at the start, where it is time for that; waits for nothing.
   * Returns those that have come up since the last call.
   */
  retry(): readonly LateServer[]
  down(): readonly DownServer[]
  /** Tells servers with `roots: true` that the folders have changed, and waits up to a second until they have asked. */
  moved(): Promise<void>
  states(): readonly McpServerState[]
  /** Calls an offered tool, by the name that its server gives it. The text of its answer; throws if that is an error. */
  callTool(server: string, tool: string, input: ToolInput, signal: AbortSignal): Promise<string>
  /** The present tools of all connected servers, for pinning. */
  lock(): McpLock
  /** Ends all servers at the same time, within 2.5 s. Never rejects. */
  close(): Promise<void>
}
