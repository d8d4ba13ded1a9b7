import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { parseJson } from '../../../src/lib/text/json.ts'
import { renderTurn, type Turn } from '../../../src/model/replay/renderTurn.ts'
import { checkMessagesRequest } from './checkMessagesRequest.ts'

/** What the server does with one request. Without any field it answers a turn that says "ok". */
export type Step = {
  /** Rendered to server-sent events. */
  readonly turn?: Turn
  /** Server-sent events as they are, instead of `turn`. */
  readonly sse?: readonly string[]
  /** Body as it is, instead of `turn` and `sse`. */
  readonly body?: string | Uint8Array
  /** 200 unless given; from 400 up the body is the API's error object of `errorType` and `errorMessage`. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly errorType?: string
  readonly errorMessage?: string
  /** Destroys the socket after so many bytes of the body. */
  readonly cutAtByte?: number
  /** Goes silent after so many bytes of the body, with the socket open. */
  readonly stallAfter?: number
  /** Sends these events again and again, one per `dripMs`, after the body (or after `stallAfter`). */
  readonly repeat?: string
  /** Sends the body in pieces of so many bytes … */
  readonly chunkBytes?: number
  /** … with so many milliseconds between them. */
  readonly dripMs?: number
  readonly gzip?: boolean
  /** `reset` destroys the socket, `silent` never answers; both before any header. */
  readonly before?: 'reset' | 'silent'
}

/** Decides by what the request is, for tests with sub-agents and calls beside the loop. */
export type StepFor = (request: RecordedRequest) => Step

export type RecordedRequest = {
  readonly index: number
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the parsed body; tests look into it freely
  readonly body: any
}

export type MessagesServerOptions = {
  /** These strings must not be in any byte of a request but its `authorization` and `x-api-key` headers. */
  readonly canaries?: readonly string[]
  /** True where a test sends invalid requests on purpose. */
  readonly allowInvalid?: boolean
}

export type MessagesServer = {
  /** For `baseURL`, without a slash at the end. */
  readonly url: string
  readonly requests: readonly RecordedRequest[]
  /** What was wrong with requests so far. */
  readonly violations: readonly string[]
  /** Answers that are neither complete nor broken off. */
  openAnswers(): number
  /** Throws if a request broke the API's rules, or came after the last step. */
  close(): Promise<void>
}

/**
 * A loopback server that speaks `POST /v1/messages` with server-sent events, one step per request. Every request is checked
 * as strictly as the API does (`checkMessagesRequest`); what it finds fails the test in `close()`.
 *
 * ```ts
 * const server = await startMessagesServer([
 *   { status: 529 },
 *   { turn: { tools: [{ name: 'Read', input: { file_path: '/x' } }] } },
 *   { turn: { say: 'done' } },
 * ])
 * onTestFinished(() => server.close())
 * // point the client's base URL to server.url, then look at server.requests
 * ```
 */
export async function startMessagesServer(
  steps: readonly Step[] | StepFor,
  options: MessagesServerOptions = {},
): Promise<MessagesServer> {
  const requests: RecordedRequest[] = []
  const violations: string[] = []
  const open = new Set<ServerResponse>()
  const server = createServer((incoming, response) => {
    open.add(response)
    response.on('close', () => open.delete(response))
    readText(incoming).then(
      (text) => {
        const { method = '', url: path = '', headers } = incoming
        const request = { index: requests.length, method, path, headers, text, body: parseJson(text) }
        requests.push(request)
        if (options.allowInvalid !== true) violations.push(...checkMessagesRequest(request, options.canaries ?? []))
        const step = typeof steps === 'function' ? steps(request) : steps[request.index]
        if (step === undefined) violations.push(`request ${request.index + 1} came after the last step`)
        answer(step ?? { status: 400, errorMessage: 'the test server has no step left' }, request, response)
      },
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    violations,
    openAnswers: () => open.size,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      if (violations.length > 0) throw new Error(`invalid requests:\n${violations.join('\n')}`)
    },
  }
}

function answer(step: Step, request: RecordedRequest, response: ServerResponse): void {
  if (step.before === 'reset') response.socket?.resetAndDestroy()
  if (step.before !== undefined) return
  const status = step.status ?? 200
  const headers: Record<string, string> = {
    'content-type': status === 200 ? 'text/event-stream; charset=utf-8' : 'application/json',
    'request-id': `req_test_${request.index + 1}`,
    ...(step.gzip === true ? { 'content-encoding': 'gzip' } : {}),
    ...step.headers,
  }
  response.writeHead(status, headers)
  const plain = bodyOf(step, status, request)
  sendBody(step.gzip === true ? gzipSync(plain) : plain, step, response)
}

function bodyOf(step: Step, status: number, request: RecordedRequest): Uint8Array {
  if (step.body !== undefined) return Buffer.from(step.body)
  if (step.sse !== undefined) return Buffer.from(step.sse.join(''))
  if (status !== 200) return Buffer.from(JSON.stringify(errorBody(step, status)))
  const identity = { id: `test_${request.index + 1}`, model: String(request.body?.model ?? 'test-model') }
  return Buffer.from(renderTurn(step.turn ?? { say: 'ok' }, identity).join(''))
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  ...{ 400: 'invalid_request_error', 401: 'authentication_error', 402: 'billing_error', 403: 'permission_error' },
  ...{ 404: 'not_found_error', 413: 'request_too_large', 429: 'rate_limit_error', 504: 'timeout_error' },
  ...{ 529: 'overloaded_error' },
}

function errorBody(step: Step, status: number): unknown {
  const type = step.errorType ?? ERROR_TYPES[status] ?? 'api_error'
  return {
    type: 'error',
    error: { type, message: step.errorMessage ?? `test error ${status}` },
    request_id: 'req_test',
  }
}

function sendBody(bytes: Uint8Array, step: Step, response: ServerResponse): void {
  const end = Math.min(step.cutAtByte ?? bytes.length, step.stallAfter ?? bytes.length)
  const size = step.chunkBytes ?? bytes.length
  let position = 0
  const finish = (): void => {
    if (step.cutAtByte !== undefined && position >= step.cutAtByte) response.socket?.destroy()
    else if (step.repeat !== undefined) drip(step.repeat, step.dripMs ?? 10, response)
    else if (step.stallAfter === undefined) response.end()
  }
  const next = (): void => {
    if (response.destroyed) return
    if (position >= end) {
      finish()
      return
    }
    const chunk = bytes.subarray(position, Math.min(position + size, end))
    position += chunk.length
    const isRoomLeft = response.write(chunk)
    if (step.dripMs !== undefined) setTimeout(next, step.dripMs)
    else if (isRoomLeft) setImmediate(next)
    else response.once('drain', next)
  }
  response.flushHeaders()
  next()
}

function drip(text: string, everyMs: number, response: ServerResponse): void {
  const timer = setInterval(() => response.write(text), everyMs)
  response.once('close', () => clearInterval(timer))
}
