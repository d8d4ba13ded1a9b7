/** The result of `work`, or undefined if the signal aborts first; then the result is dropped. */
export async function resultBeforeAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  let stop = (): void => undefined
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  work.catch(() => undefined)
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
