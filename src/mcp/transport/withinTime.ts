/** The value of `work`, or an error if it takes too long or the signal aborts first. The work itself continues. */
export function withinTime<Value>(work: Promise<Value>, milliseconds: number, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = () => settle(() => reject(new Error('the run is ending')))
    const timer = setTimeout(() => {
      settle(() => reject(new Error(`it did not answer within ${milliseconds / 1000} s`)))
    }, milliseconds)
    const settle = (act: () => void): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      act()
    }
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    work.then(
      (value) => settle(() => resolve(value)),
      (error) => settle(() => reject(error)),
    )
  })
}
