import { randomBytes } from 'node:crypto'
import type { RunEvent, TranscriptRecord } from '../../contracts/events.ts'
import { formatDuration } from '../../lib/text/words.ts'
import { encodeUntrusted } from '../markdown/encodeUntrusted.ts'
import { lineOf } from '../transcript/bodies.ts'
import { hashOfLine } from '../transcript/hashOfLine.ts'
import { activityOf, consoleLines } from './consoleLines.ts'
import { createPulse, type Timers } from './createPulse.ts'
import { newLineState } from './LineState.ts'
import { paintLine } from './paintLine.ts'

export type ConsoleOptions = {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
  readonly hasColors?: boolean
  /** True under GitHub's runner: each turn is a group of the log, in which the runner obeys no commands. */
  readonly isGitHub: boolean
  readonly verbosity: 'quiet' | 'normal' | 'verbose'
  readonly columns?: number
  /** True for the time of day, in UTC, before each line. */
  readonly hasTimes?: boolean
  readonly timers?: Timers
}

/** Progress for people, through `write`. Everything that it writes, except group commands, is encoded. */
export function createConsole(options: ConsoleOptions) {
  const { write, isTerminal, isGitHub, verbosity, columns = 100, hasColors = false, hasTimes = false, timers } = options
  const state = newLineState()
  const group = createGroup(write)
  let isLive = false
  const clearLive = (): void => {
    if (isLive) write('\r\u001b[K')
    isLive = false
  }
  const note = (text: string): void => {
    clearLive()
    const line = encodeUntrusted(hasTimes ? timed(text) : text)
    write(hasColors ? paintLine(line) : line)
  }
  const sign = (activity: string, ms: number): void => note(`· ${activity}: ${formatDuration(ms)} so far`)
  const pulse = isTerminal || verbosity === 'quiet' ? undefined : createPulse(sign, timers)
  const live = (text: string): void => {
    clearLive()
    write(
      encodeUntrusted(text)
        .slice(0, -1)
        .slice(0, columns - 1),
    )
    isLive = true
  }
  const event = (event: RunEvent | TranscriptRecord): void => {
    if (event.type === 'result' && 'seq' in event && event.exit_reason !== 'io_error')
      state.head = hashOfLine(lineOf(event))
    const { lines, running } = consoleLines(event, state, verbosity)
    if (isGitHub && state.isNewTurn) group.open(`Turn ${state.turn}`)
    if (isGitHub && event.type === 'result') group.close()
    state.isNewTurn = false
    for (const line of lines) note(line)
    pulse?.show(event.type === 'result' ? undefined : activityOf(state))
    if (isTerminal && running !== null && verbosity !== 'quiet') live(running)
  }
  return {
    /** Writes at most a few lines for an event; most events give none. */
    event,
    /** Writes a line that belongs to no event, such as a warning at the start. */
    note,
    /** Ends the live line and the group, if they are open. */
    close(): void {
      pulse?.show(undefined)
      clearLive()
      group.close()
    },
  }
}

/** Groups of the runner's log. Between open and close its commands are stopped: only the random token starts them again. */
function createGroup(write: (text: string) => void) {
  let token: string | null = null
  const close = (): void => {
    if (token !== null) write(`::${token}::\n::endgroup::\n`)
    token = null
  }
  const open = (title: string): void => {
    close()
    token = randomBytes(16).toString('hex')
    write(`::group::${title}\n::stop-commands::${token}\n`)
  }
  return { open, close }
}

function timed(text: string): string {
  const time = new Date().toISOString().slice(11, 19)
  return text.replace(/^/gm, `${time} `)
}
