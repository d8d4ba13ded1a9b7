import type { CommandEffects, EffectsReport } from './effects.ts'

/** A child process to run: clean environment, no stdin, no terminal, own process group, sandboxed where that is on. */
export type CommandRequest = {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  /** Clamped to the policy's maximum and to what is left of the run. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  /** True: stderr goes where stdout goes, so that both stand in the order they were written in; both are `stdout` then. */
  readonly isJoined?: boolean
  /** What it may change; absent: nothing, the checkout is read-only. */
  readonly effects?: CommandEffects
  /** Called with decoded, not yet redacted text as it arrives; for progress lines. */
  readonly onOutput?: (text: string, stream: 'stdout' | 'stderr') => void
}

/** One captured stream: the first and last 32 kB; the whole, up to 64 MiB, in a file when it was more. */
export type CapturedStream = {
  readonly text: string
  readonly bytes: number
  readonly isTruncated: boolean
  /** The blob that holds what did not fit. */
  readonly blob?: string
}

export type CommandResult = {
  /** Null when a signal ended it. */
  readonly exitCode: number | null
  readonly signal: string | null
  readonly isTimedOut: boolean
  readonly isAborted: boolean
  /** Killed because it wrote more than 1 GiB. */
  readonly isOutputLimited?: boolean
  readonly timeoutMs: number
  readonly stdout: CapturedStream
  readonly stderr: CapturedStream
  readonly durationMs: number
  /** What it changed, and what of that was kept. Absent for a command that could change nothing. */
  readonly effects?: EffectsReport
  /** Set when the process could not be started at all. */
  readonly startError?: string
}

/** A command that goes on while the agent works, on the checkout itself; ends with the run at the latest. */
export interface BackgroundCommand {
  readonly id: string
  readonly command: string
  status(): { readonly state: 'running' | 'exited' | 'killed'; readonly exitCode: number | null }
  /** What arrived since the last call. */
  readNew(): { readonly stdout: string; readonly stderr: string }
  wait(timeoutMs: number, signal: AbortSignal): Promise<void>
  kill(): Promise<void>
}

export interface CommandAccess {
  /** What a Bash call gets that names no timeout. */
  readonly defaultTimeoutMs: number
  /** Characters of output above which a result holds only head and tail. */
  readonly maxOutputCharacters: number
  /** Never throws and never leaves a process behind: TERM to the group, at most two seconds, KILL. */
  run(request: CommandRequest): Promise<CommandResult>
  start(request: Omit<CommandRequest, 'timeoutMs' | 'signal'> & { readonly command: string }): BackgroundCommand
  background(id: string): BackgroundCommand | undefined
  listBackground(): readonly BackgroundCommand[]
}
