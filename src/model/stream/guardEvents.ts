import { TextDecoder } from 'node:util'
import { isObject } from '../../lib/isObject.ts'
import { parseObject } from '../../lib/text/json.ts'
import { badStream } from '../ModelFault.ts'
import type { ToolInputs } from './createToolInputs.ts'

/** The limits for a line and for a whole response after decompression, in bytes or characters. */
export const STREAM_CAPS = { line: 16 * 1024 * 1024, response: 64 * 1024 * 1024 }

/** Each of these faults costs a whole answer, so they are retried less often. */
const COSTLY_ATTEMPTS = 3

/**
 * A filter for one answer: it takes a chunk of server-sent events and returns the complete lines, possibly none.
 * Invalid UTF-8 and oversized data are faults. `heard` is called for every chunk, with true if it completes an event
 * other than a ping. Events without usage get an empty one, which the SDK needs. The inputs of tools go only to
 * `inputs`.
 */
export function guardEvents(
  caps: typeof STREAM_CAPS,
  heard: (isEvent: boolean) => void,
  inputs: ToolInputs,
): (chunk: Uint8Array) => Uint8Array | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const encoder = new TextEncoder()
  let bytes = 0
  let pending = ''
  let event = ''
  let hasOpenReturn = false

  /** A line may end with CR, LF or both; the two may be in different chunks. */
  const withLineFeeds = (text: string): string => {
    const rest = hasOpenReturn && text.startsWith('\n') ? text.slice(1) : text
    if (text !== '') hasOpenReturn = text.endsWith('\r')
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest
  }

  const takeLine = (line: string): { readonly text: string; readonly isEvent: boolean } => {
    if (line.length > caps.line) throw tooLarge('one line', caps.line)
    if (line.startsWith('event:')) event = line.slice('event:'.length).trim()
    if (!line.startsWith('data:')) return { text: line, isEvent: false }
    const text = event === 'content_block_delta' ? `data:${inputs.withhold(line.slice('data:'.length))}` : line
    return { text: withUsage(text, event), isEvent: event !== 'ping' }
  }
  return (chunk) => {
    bytes += chunk.length
    if (bytes > caps.response) throw tooLarge('the response', caps.response)
    const text = withLineFeeds(decode(decoder, chunk))
    pending += text
    if (!text.includes('\n')) {
      if (pending.length > caps.line) throw tooLarge('one line', caps.line)
      heard(false)
      return undefined
    }
    const lines = pending.split('\n')
    pending = lines.pop() ?? ''
    const taken = lines.map(takeLine)
    heard(taken.some((line) => line.isEvent))
    return encoder.encode(`${taken.map((line) => line.text).join('\n')}\n`)
  }
}

function decode(decoder: TextDecoder, chunk: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: true })
  } catch {
    throw badStream('the answer is not UTF-8 text', COSTLY_ATTEMPTS)
  }
}

function tooLarge(what: string, cap: number): Error {
  return badStream(`${what} of the answer is over ${cap / 1024 / 1024} MiB`, COSTLY_ATTEMPTS)
}

/** `message_start` has usage inside its message, `message_delta` beside its delta. */
function withUsage(line: string, event: string): string {
  if (event !== 'message_start' && event !== 'message_delta') return line
  const data = parseObject(line.slice('data:'.length))
  const owner = event === 'message_start' ? data?.['message'] : data
  if (!isObject(owner) || isObject(owner['usage'])) return line
  owner['usage'] = {}
  return `data: ${JSON.stringify(data)}`
}
