import type { CommandEffects, EffectsReport } from './effects.ts'

/** A child process: clean environment, no stdin, no terminal, own process group, in the sandbox if there is one. */
export type CommandRequest = {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  /** Limited to the policy's maximum and to the remaining time of the run. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  /** True: stderr is merged into `stdout`, so that both are in the order in which they were written. */
  readonly isJoined?: boolean
  /** What it may change. Absent: nothing, because the checkout is read-only. */
  readonly effects?: CommandEffects
  /** A program of kode-run itself that only reads: the checkout is not compared, its output stays as it is. */
  readonly isOwnReader?: true
  /** Called with decoded, not yet redacted text as it arrives; for progress lines. */
  readonly onOutput?: (text: string, stream: 'stdout' | 'stderr') => void
}

/** One captured stream: its first and last 32 kB. If it is longer, a file has the whole, up to 64 MiB. */
export type CapturedStream = {
  readonly text: string
  readonly bytes: number
  readonly isTruncated: boolean
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
  /** What it changed, and which changes were kept. Absent for a command that cannot change anything. */
  readonly effects?: EffectsReport
  /** Set when the process could not be started at all. */
  readonly startError?: string
}

/** A command that runs while the agent works, directly on the checkout. It ends with the run at the latest. */
export interface BackgroundCommand {
  readonly id: string
  readonly command: string
  status(): { readonly state: 'running' | 'exited' | 'killed'; readonly exitCode: number | null }
  /** The same for who only watches: `ended` until `status` or `kill` told the end, then undefined. */
  untold(): 'running' | 'ended' | undefined
  readNew(): { readonly stdout: string; readonly stderr: string }
  wait(timeoutMs: number, signal: AbortSignal): Promise<void>
  kill(): Promise<void>
}

export interface CommandAccess {
  readonly defaultTimeoutMs: number
  /** Characters of output above which a result holds only head and tail. */
  readonly maxOutputCharacters: number
  /** Never throws and never leaves a process behind: TERM to the group, at most two seconds, KILL. */
  run(request: CommandRequest): Promise<CommandResult>
  start(request: Omit<CommandRequest, 'timeoutMs' | 'signal'> & { readonly command: string }): BackgroundCommand
  background(id: string): BackgroundCommand | undefined
  listBackground(): readonly BackgroundCommand[]
}
