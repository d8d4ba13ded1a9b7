import type { InitEvent, PermissionDeniedEvent, ToolIntentEvent } from '../../contracts/events.ts'

/** What the lines need to remember: the calls that run, why others were denied, what the run started with. */
export type LineState = ReturnType<typeof newLineState>

/** Limits and policy of the main loop, for the command that continues the run. */
export type RunStart = {
  readonly limits: InitEvent['limits']
  /** What the runs before this one cost, in dollars. */
  spent: number
  readonly policy: string | undefined
  readonly cwd: string
}

export function newLineState() {
  return {
    calls: new Map<string, ToolIntentEvent>(),
    /** Calls in words, as far as they have started. */
    names: new Map<string, string>(),
    denied: new Map<string, PermissionDeniedEvent>(),
    /** Calls that only `--audit` lets run. */
    audited: new Set<string>(),
    /** Sub-agents by the calls that started them. */
    agents: new Map<string, string>(),
    /** The last output of the calls that run. */
    outputs: new Map<string, string>(),
    /** The kinds of the outputs that the agent has proposed. */
    proposed: [] as string[],
    turn: 0,
    isNewTurn: false,
    /** SHA-256 of the end record. A copy kept elsewhere shows whether the transcript was cut or rewritten. */
    head: undefined as string | undefined,
    /** What the run waits for while no call runs. */
    activity: undefined as string | undefined,
    start: undefined as RunStart | undefined,
  }
}
