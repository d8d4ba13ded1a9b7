import { EXIT_CODES, messageOf, RunError } from '../contracts/errors.ts'
import { killLiveGroups } from '../lib/process/endProcessGroup.ts'
import { processStat } from '../lib/process/processIdentity.ts'

const SIGNALS = { SIGHUP: 'sighup', SIGINT: 'sigint', SIGTERM: 'sigterm' } as const

const PARENT_MS = 500

/** Signals that end a run from outside: in order, or at once. */
export type SignalListener = ReturnType<typeof listenForSignals>

/**
 * Turns the first SIGHUP, SIGINT or SIGTERM, or the death of the parent, into an orderly end. A second signal or an
 * uncaught exception ends the process at once: all children are killed, and listeners of `now` run last. The exit code
 * is that of the first reason.
 */
export function listenForSignals(complain: (text: string) => void) {
  const orderly = new AbortController()
  const atOnce = new AbortController()
  let first: RunError | undefined
  const end = (error: RunError): void => {
    if (first !== undefined) endNow(error)
    first = error
    orderly.abort(error)
  }
  const endNow = (error: RunError): never => {
    killLiveGroups()
    first ??= error
    atOnce.abort(first)
    process.exit(EXIT_CODES[first.reason].code)
  }
  const onDefect = (error: unknown): void => {
    complain(`kode-run: ${error instanceof Error ? (error.stack ?? error.message) : messageOf(error)}`)
    endNow(new RunError('internal', messageOf(error)))
  }
  const handlers = Object.entries(SIGNALS).map(([name, reason]) => {
    const handle = () => end(new RunError(reason, `The run was ended by ${name}.`))
    // Those of the start end the process at once. Without a listener for a moment, Node would lose a signal that came while it
    // loaded.
    const earlier = process.listeners(name as NodeJS.Signals)
    process.on(name, handle)
    for (const listener of earlier) process.off(name, listener)
    return [name, handle] as const
  })
  // SIGUSR1 would open Node's debugger, through which any process on the machine could read the key.
  process.off('SIGUSR1', ignore).on('SIGUSR1', ignore)
  process.on('uncaughtException', onDefect).on('unhandledRejection', onDefect)
  const stopWatching = watchParent(() => {
    if (first === undefined) end(new RunError('sighup', 'The process that started the run has ended.'))
  })
  return {
    /** Aborts at the first signal, with a `RunError` that says which. */
    signal: orderly.signal,
    /** Aborts when no time is left, with the reason of the exit code. The process ends when its listeners return. */
    now: atOnce.signal,
    stop() {
      stopWatching()
      for (const [name, handle] of handlers) process.off(name, handle)
      process.off('uncaughtException', onDefect).off('unhandledRejection', onDefect)
    },
  }
}

function ignore(): void {
  // A handler, so that neither the debugger opens nor the process ends.
}

/**
 * Calls `onDeath` when the parent has ended: if a job is canceled by killing its shell, nobody else would stop the run.
 * A session leader (`setsid`) was detached on purpose.
 */
function watchParent(onDeath: () => void): () => void {
  const parent = process.ppid
  if (parent <= 1 || Number(processStat(process.pid)[3]) === process.pid) return () => undefined
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onDeath()
  }, PARENT_MS).unref()
  return () => clearInterval(timer)
}
