import type { InitEvent, PermissionDeniedEvent, ToolIntentEvent } from '../../contracts/events.ts'

/** What the lines need to remember: the calls that run, why others were denied, what the run started with. */
export type LineState = {
  readonly calls: Map<string, ToolIntentEvent>
  /** Calls in words, as far as they have started. */
  readonly names: Map<string, string>
  readonly denied: Map<string, PermissionDeniedEvent>
  /** Calls that only `--audit` lets run. */
  readonly audited: Set<string>
  /** Sub-agents by the calls that started them. */
  readonly agents: Map<string, string>
  /** SHA-256 of the end record. A copy kept elsewhere shows whether the transcript was cut or rewritten. */
  head?: string
  /** What the run waits for while no call runs. */
  activity?: string
  /** The last output of the calls that run. */
  readonly outputs: Map<string, string>
  /** The kinds of the outputs that the agent has proposed. */
  readonly proposed: string[]
  turn: number
  isNewTurn: boolean
  /** Limits and policy of the main loop, for the command that continues the run. */
  start?: {
    readonly limits: InitEvent['limits']
    /** What the runs before this one cost, in dollars. */
    spent: number
    readonly policy: string | undefined
    readonly cwd: string
  }
}

export function newLineState(): LineState {
  return {
    calls: new Map(),
    names: new Map(),
    denied: new Map(),
    audited: new Set(),
    agents: new Map(),
    outputs: new Map(),
    proposed: [],
    turn: 0,
    isNewTurn: false,
  }
}
