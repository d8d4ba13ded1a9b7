import type { Config } from '../config/resolveConfig.ts'
import type { RunOrigin } from '../contracts/events.ts'
import type { ModelClient } from '../contracts/model.ts'
import type { Policy } from '../policy/Policy.ts'
import type { Tool } from '../Tool.ts'

/** `semi`: people with write access, their work not yet merged. `untrusted`: anyone may have had a hand in it. */
export type Trust = 'trusted' | 'semi' | 'untrusted'

/** What an entry point hands over: everything that comes from outside, already read and checked. */
export type RunRequest = {
  readonly prompt: string
  readonly config: Config
  readonly policy: Policy
  /** The operator's environment: secrets are looked for in it, children get an allow-list of it. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Where project files that steer the run are read instead of the checkout: a snapshot of the base commit. */
  readonly configRoot?: string
  /** The top folder of the repository in the checkout, of which the snapshot is one. */
  readonly configTop?: string
  /** What is known of those who set the run off; `trusted` where nothing is said. */
  readonly trust?: Trust
  /** What set the run off; part of its record. */
  readonly origin?: RunOrigin
  /** True: no command of the run gains rights by `sudo` and the like, in the sandbox or not. */
  readonly dropsPrivileges?: boolean
  /** What people must know of how the run was started; part of its record. */
  readonly warnings?: readonly string[]
  /** Folder for transcripts where none is named. */
  readonly stateFolder: string
  readonly apiKey: string | undefined
  /** Files by which the runner takes commands; no tool touches them. */
  readonly commandFiles: readonly string[]
  /** Tools of a library user, besides the built-in ones. */
  readonly tools?: readonly Tool[]
  /** Answers in place of the API; for library users and tests. */
  readonly model?: ModelClient
  /** Ends the run; its reason is a `RunError`. */
  readonly signal: AbortSignal
  /** Aborts when there is no time left: the end record is written before its listeners return. */
  readonly now?: AbortSignal
  /** A line for people that belongs to no event. */
  readonly note?: (text: string) => void
}

/** The project root, and what flags and policy add to it. */
export function workspacesOf({ config, policy }: RunRequest): string[] {
  return [config.cwd, ...config.addDirs, ...policy.settings.additionalDirectories]
}
