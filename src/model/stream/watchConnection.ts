import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { SilenceTimer } from './startSilenceTimer.ts'

/**
 * Tells the timer when a connection to the URL's host and port starts and when it is established; call the result to
 * stop. Node's `fetch` reports this only on diagnostics channels (undici, "Diagnostics Channel Support"); without them,
 * nothing is timed.
 */
export function watchConnection(url: string, timer: SilenceTimer): () => void {
  const { host } = new URL(url)
  const isOurs = (message: unknown): boolean => hostOf(message) === host
  const onStart = (message: unknown): void => {
    if (isOurs(message)) timer.connecting()
  }
  const onEnd = (message: unknown): void => {
    if (isOurs(message)) timer.connected()
  }
  subscribe('undici:client:beforeConnect', onStart)
  subscribe('undici:client:connected', onEnd)
  subscribe('undici:client:connectError', onEnd)
  return () => {
    unsubscribe('undici:client:beforeConnect', onStart)
    unsubscribe('undici:client:connected', onEnd)
    unsubscribe('undici:client:connectError', onEnd)
  }
}

function hostOf(message: unknown): unknown {
  return (message as { connectParams?: { host?: unknown } }).connectParams?.host
}
