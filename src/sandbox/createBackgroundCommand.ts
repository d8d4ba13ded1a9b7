import { setTimeout as delay } from 'node:timers/promises'
import type { BackgroundCommand, CommandRequest, CommandResult } from '../contracts/commands.ts'

/** How much of each stream is kept between two reads. */
const MAX_UNREAD = 1_000_000

type Stream = 'stdout' | 'stderr'
/** A command that runs in the background. Output that nobody reads in time is dropped from the beginning. */
export function createBackgroundCommand(
  { id, command }: Pick<BackgroundCommand, 'id' | 'command'>,
  launch: (controls: Required<Pick<CommandRequest, 'signal' | 'onOutput'>>) => Promise<CommandResult>,
): BackgroundCommand {
  const unread: Record<Stream, string> = { stdout: '', stderr: '' }
  const dropped: Record<Stream, number> = { stdout: 0, stderr: 0 }
  const killing = new AbortController()
  let result: CommandResult | undefined
  let isTold = false

  const keep = (text: string, stream: Stream) => {
    const all = unread[stream] + text
    const kept = all.length > MAX_UNREAD ? all.slice(-MAX_UNREAD) : all
    dropped[stream] += all.length - kept.length
    unread[stream] = kept
  }
  const take = (stream: Stream) => {
    const note = dropped[stream] > 0 ? `[… ${dropped[stream]} characters left out …]\n` : ''
    const text = note + unread[stream]
    unread[stream] = ''
    dropped[stream] = 0
    return text
  }
  const ended = launch({ signal: killing.signal, onOutput: keep }).then((end) => {
    if (end.startError !== undefined) keep(end.startError, 'stderr')
    result = end
  })
  return {
    id,
    command,
    status() {
      if (result === undefined) return { state: 'running', exitCode: null }
      isTold = true
      const { exitCode, signal, isAborted } = result
      return { state: signal === null && !isAborted ? 'exited' : 'killed', exitCode }
    },
    untold: () => (result === undefined ? 'running' : isTold ? undefined : 'ended'),
    readNew: () => ({ stdout: take('stdout'), stderr: take('stderr') }),
    async wait(timeoutMs, signal) {
      await Promise.race([ended, delay(timeoutMs, undefined, { signal }).catch(() => undefined)])
    },
    async kill() {
      isTold = true
      killing.abort()
      await ended
    },
  }
}
