import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { messageOf, RunError } from '../../contracts/errors.ts'
import { createLineReader } from '../../lib/async/createLineReader.ts'
import { isObject } from '../../lib/isObject.ts'
import { parseObject } from '../../lib/text/json.ts'

export type Json = Readonly<Record<string, unknown>>

/** The other side of the control protocol: the program that started this process, such as the Agent SDK. */
export type Control = {
  /** Sends a request and waits for its answer. Rejects if the other side answers with an error, or has gone. */
  ask(request: Json, signal?: AbortSignal): Promise<Json>
}

export type ControlOptions = {
  readonly input: Readable
  readonly send: (message: Json) => void
  /** Answers a request of the other side. An error becomes the answer. */
  readonly onRequest: (request: Json) => Json | Promise<Json>
  /** Any message that is neither a request nor an answer. */
  readonly onMessage: (message: Json) => void
  /** No more messages come; with the reason if one could not be read. */
  readonly onEnd: (fault?: RunError) => void
}

/** Reads Claude Code's `stream-json` input: one JSON object per line, requests and answers in both directions. */
export function openControl({ input, send, onRequest, onMessage, onEnd }: ControlOptions): Control {
  const waiting = new Map<unknown, { resolve(answer: Json): void; reject(error: Error): void }>()
  let isOver = false
  const end = (fault?: RunError): void => {
    if (isOver) return
    isOver = true
    input.pause()
    for (const { reject } of waiting.values()) reject(new Error(GONE))
    waiting.clear()
    onEnd(fault)
  }
  const reply = async (id: unknown, request: Json): Promise<void> => {
    try {
      const response = await onRequest(request)
      send({ type: 'control_response', response: { subtype: 'success', request_id: id, response, ...NOTHING_OPEN } })
    } catch (error) {
      send({ type: 'control_response', response: { subtype: 'error', request_id: id, error: messageOf(error) } })
    }
  }
  const settle = ({ subtype, request_id, response, error }: Json): void => {
    const asked = waiting.get(request_id)
    const refuse = (why: unknown) => asked?.reject(new Error(String(why)))
    if (subtype === 'error') refuse(error)
    else if (subtype !== 'success') refuse(`the answer has the unknown subtype ${JSON.stringify(subtype)}`)
    else if (response === undefined || response === null) asked?.resolve({})
    else if (isObject(response)) asked?.resolve(response)
    else refuse('the answer is no JSON object')
  }
  const read = (line: string): void => {
    if (line.trim() === '' || isOver) return
    const message = parseObject(line)
    if (message === undefined) {
      end(new RunError('bad_input', 'A line on stdin is not a JSON object, as --input-format stream-json wants.'))
      return
    }
    const { type, request_id, request, response } = message
    if (type === 'control_request' && isObject(request)) void reply(request_id, request)
    else if (type === 'control_response' && isObject(response)) settle(response)
    else onMessage(message)
  }
  const tooLong = `A line on stdin has more than ${MOST_MIB} MiB.`
  const onTooLong = () => end(new RunError('bad_input', tooLong))
  const reader = createLineReader(read, { maxBytes: MOST_MIB * 1024 * 1024, onTooLong })
  input.on('data', reader)
  input.on('error', (error) => end(new RunError('io_error', `stdin cannot be read: ${error.message}`)))
  input.on('end', () => {
    reader(Buffer.from('\n'))
    end()
  })
  return {
    ask(request, signal) {
      if (isOver) return Promise.reject(new Error(GONE))
      if (signal?.aborted) return Promise.reject(new Error(CANCELED))
      const request_id = randomUUID()
      const cancel = (): void => {
        send({ type: 'control_cancel_request', request_id })
        waiting.get(request_id)?.reject(new Error(CANCELED))
      }
      const answered = new Promise<Json>((resolve, reject) => waiting.set(request_id, { resolve, reject }))
      signal?.addEventListener('abort', cancel, { once: true })
      send({ type: 'control_request', request_id, request })
      return answered.finally(() => {
        waiting.delete(request_id)
        signal?.removeEventListener('abort', cancel)
      })
    },
  }
}

/** No request of the Messages API has more than 32 MB. */
const MOST_MIB = 128
/** Part of each answer: what this side has asked is asked once, of this caller. */
const NOTHING_OPEN = { pending_permission_requests: [] }
const CANCELED = 'it was canceled'
const GONE = 'the caller has closed stdin, so nobody answers'
