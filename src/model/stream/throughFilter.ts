/** The result for a chunk; undefined holds it back. If it throws, the stream ends. */
type Filter = (chunk: Uint8Array) => Uint8Array | undefined

/** Called once, at the end of the stream. */
type OnEnd = (end: { readonly isWhole: boolean; readonly error?: unknown }) => void

/**
 * A byte stream passed through a filter. Nothing is read ahead and nothing is lost: an error comes after everything
 * that was read before it, so the same bytes always give the same events. Leaving it leaves the source. `bind` receives
 * a function that breaks it off at once, whatever the source does.
 */
export function throughFilter(
  source: ReadableStream<Uint8Array>,
  filter: Filter,
  tell: OnEnd = () => undefined,
  bind: (cut: (error: unknown) => void) => void = () => undefined,
): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  let isTold = false
  const onEnd: OnEnd = (end) => {
    if (!isTold) tell(end)
    isTold = true
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        bind((error) => {
          onEnd({ isWhole: false, error })
          controller.error(error)
          reader.cancel(error).catch(() => undefined)
        })
      },
      async pull(controller) {
        try {
          for (let out: Uint8Array | undefined; out === undefined; ) {
            const { done, value } = await reader.read()
            if (done) {
              onEnd({ isWhole: true })
              return controller.close()
            }
            out = filter(value)
            if (out !== undefined) controller.enqueue(out)
          }
        } catch (error) {
          onEnd({ isWhole: false, error })
          reader.cancel(error).catch(() => undefined)
          throw error
        }
      },
      async cancel(reason) {
        onEnd({ isWhole: false, error: reason })
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
