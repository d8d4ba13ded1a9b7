import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

/** More than this in a second is a flood, not a conversation. */
const MAX_PER_SECOND = 1_000

export interface MessageGate {
  /** The message in a line, an error to be noted, or undefined where the line is passed over. */
  admit(line: string): JSONRPCMessage | Error | undefined
}

/**
 * Lets a server's lines in: answers always, notifications and requests of its own up to 1,000 a second. The rest is
 * dropped and noted once, as is the first line that is no JSON.
 */
export function createMessageGate(now: () => number = () => performance.now()): MessageGate {
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
  return {
    admit(line) {
      if (line.trim() === '') return undefined
      const message = parse(line)
      if (message === undefined) return note('it writes lines to stdout that are no JSON-RPC messages')
      return 'method' in message && isFlood() ? note('it floods the client with messages; some are dropped') : message
    },
  }
}

/** Any JSON object; the SDK checks the rest of its form. */
function parse(line: string): JSONRPCMessage | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JSONRPCMessage) : undefined
  } catch {
    return undefined
  }
}
