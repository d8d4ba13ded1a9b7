import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { parseObject } from '../../lib/text/json.ts'

/** More than this in a second is a flood, not a conversation. */
const MAX_PER_SECOND = 1_000

/**
 * Accepts a server's lines: all answers, and up to 1,000 of its own notifications and requests a second. The rest is
 * dropped and reported once, as is the first line that is not JSON. Gives the message in a line, an error to report, or
 * undefined if the line is skipped.
 */
export function createMessageGate(now: () => number = () => performance.now()) {
  let windowStart = now()
  let inWindow = 0
  const noted = new Set<string>()
  const note = (text: string): Error | undefined => {
    if (noted.has(text)) return undefined
    noted.add(text)
    return new Error(text)
  }
  const isFlood = (): boolean => {
    if (now() - windowStart >= 1_000) {
      windowStart = now()
      inWindow = 0
    }
    inWindow += 1
    return inWindow > MAX_PER_SECOND
  }
  return (line: string): JSONRPCMessage | Error | undefined => {
    if (line.trim() === '') return undefined
    // Any JSON object; the SDK checks the rest of its form.
    const message = parseObject(line) as JSONRPCMessage | undefined
    if (message === undefined) return note('it writes lines to stdout that are not JSON-RPC messages')
    return 'method' in message && isFlood() ? note('it sends too many messages; some are dropped') : message
  }
}
