import { createChannel } from './channel.ts'

export type ProgressLine = { readonly type: 'progress'; readonly text: string }

/** Lines closer together than this are dropped, so that a chatty command does not flood the run. */
const QUIET_MS = 500
const LINE_LENGTH = 200

/** Yields the latest line that `work` reports, at intervals. A reader that leaves early aborts it, and waits for it. */
export async function* withProgress<Value>(
  signal: AbortSignal,
  work: (report: (text: string) => void, signal: AbortSignal) => Promise<Value>,
): AsyncGenerator<ProgressLine, Value, undefined> {
  const channel = createChannel<string>()
  const left = new AbortController()
  let quietUntil = 0
  const report = (text: string): void => {
    const line = lastLine(text)
    if (line === '' || performance.now() < quietUntil) return
    quietUntil = performance.now() + QUIET_MS
    void channel.send(line)
  }
  const working = work(report, AbortSignal.any([signal, left.signal])).finally(() => channel.close())
  working.catch(() => undefined)
  try {
    for await (const text of channel.read()) yield { type: 'progress', text }
  } finally {
    left.abort()
    await Promise.allSettled([working])
  }
  return await working
}

function lastLine(text: string): string {
  const end = text.slice(-4 * LINE_LENGTH).trimEnd()
  return end.slice(end.lastIndexOf('\n') + 1).slice(0, LINE_LENGTH)
}
