/** A signal that aborts some time after another one; `release` stops listening to that one. */
export type DelayedSignal = { readonly signal: AbortSignal; release(): void }

/** The same abort, but later, so that a call can finish by itself. */
export function delayAbort(signal: AbortSignal, milliseconds: number): DelayedSignal {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    timer = setTimeout(() => controller.abort(signal.reason), milliseconds)
  }
  if (signal.aborted) wait()
  else signal.addEventListener('abort', wait, { once: true })
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer)
      signal.removeEventListener('abort', wait)
    },
  }
}
