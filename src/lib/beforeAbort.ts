/** What `work` comes to, or undefined where the signal aborts first; then nobody hears of it any more. */
export async function beforeAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
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
