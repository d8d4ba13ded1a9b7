/** What a filter makes of a chunk; undefined holds it back. Its throw ends the stream. */
export type Filter = (chunk: Uint8Array) => Uint8Array | undefined

/** What is told once about the end of a stream: nothing where it is whole, else why it broke off or was left. */
export type OnEnd = (end: { readonly isWhole: boolean; readonly error?: unknown }) => void

/**
 * A byte stream seen through a filter. Nothing is read ahead and nothing is lost: an error comes after all that was read
 * before it, so that the same bytes always give the same events. Leaving it leaves the source. `bind` is given what breaks it
 * off at once, whatever the source does.
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
