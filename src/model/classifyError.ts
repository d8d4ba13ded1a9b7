import type { ExitReason } from '../contracts/errors.ts'
import { messageOf, RunError } from '../contracts/errors.ts'
import type { ApiErrorKind } from '../contracts/model.ts'
import { isObject } from '../lib/isObject.ts'
import { badStream, type FaultDetails, lost, ModelFault } from './ModelFault.ts'

type Verdict = { readonly kind: ApiErrorKind; readonly reason: ExitReason; readonly canRetry: boolean }

const OVERLOADED: Verdict = { kind: 'overloaded', reason: 'api_unavailable', canRetry: true }
const RATE_LIMIT: Verdict = { kind: 'rate_limit', reason: 'rate_limited', canRetry: true }
const SERVER_ERROR: Verdict = { kind: 'server_error', reason: 'api_unavailable', canRetry: true }
const AUTH: Verdict = { kind: 'authentication_failed', reason: 'auth', canRetry: false }
const BILLING: Verdict = { kind: 'billing_error', reason: 'billing', canRetry: false }
const TOO_LONG: Verdict = { kind: 'context_too_long', reason: 'context_exhausted', canRetry: false }
const TOO_LARGE: Verdict = { kind: 'request_too_large', reason: 'context_exhausted', canRetry: false }
const NO_MODEL: Verdict = { kind: 'model_not_found', reason: 'config', canRetry: false }
const INVALID: Verdict = { kind: 'invalid_request', reason: 'bad_request', canRetry: false }

/** Not from the API: from a gateway, or a wrong address. */
const ODD_REFUSAL: Verdict = { kind: 'unknown', reason: 'config', canRetry: false }

/** By status and by `error.type`, as in "Errors" of the API's documentation. An `error` event in a stream has no status. */
const ERRORS: readonly (readonly [status: number | undefined, type: string | undefined, verdict: Verdict])[] = [
  [400, 'invalid_request_error', INVALID],
  [401, 'authentication_error', AUTH],
  [402, 'billing_error', BILLING],
  [403, 'permission_error', AUTH],
  [404, 'not_found_error', NO_MODEL],
  [408, undefined, SERVER_ERROR],
  [409, undefined, SERVER_ERROR],
  [413, 'request_too_large', TOO_LARGE],
  [429, 'rate_limit_error', RATE_LIMIT],
  [529, 'overloaded_error', OVERLOADED],
  [undefined, 'api_error', SERVER_ERROR],
  [undefined, 'timeout_error', SERVER_ERROR],
]

/** The `error.type` of the API's answer with this status. */
export function errorTypeOf(status: number): string {
  return ERRORS.find(([known]) => known === status)?.[1] ?? 'api_error'
}

/** Never retried, whatever `x-should-retry` says: the same request would be rejected again. */
const FINAL_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 404])

/** The parts of the SDK's `APIError` that are used. */
type ApiFailure = Error & {
  readonly status?: number
  readonly headers?: Headers
  readonly type?: string | null
  readonly error?: unknown
}

/** What an error thrown by the SDK means. Finds errors that already say so, and `RunError`, in the chain of causes. */
export function classifyError(error: unknown): ModelFault | RunError {
  for (const link of causesOf(error)) if (link instanceof ModelFault || link instanceof RunError) return link
  const failure = causesOf(error).find(isApiFailure)
  if (failure !== undefined) return classifyFailure(failure)
  return classifyConnection(error)
}

function classifyFailure(failure: ApiFailure): ModelFault {
  const status = failure.status ?? null
  const verdict = verdictOf(failure, status)
  const retryAfterMs = failure.headers === undefined ? undefined : readRetryAfter(failure.headers)
  const details: FaultDetails = {
    ...verdict,
    canRetry: canRetry(verdict, status, failure.headers),
    status,
    message: describe(failure, status, verdict),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
  return new ModelFault(details, { cause: failure })
}

function verdictOf(failure: ApiFailure, status: number | null): Verdict {
  const text = failure.message
  if (/credit balance is too low/i.test(text)) return BILLING
  if (/prompt is too long|exceed(s|ed)? (the )?context (limit|window)/i.test(text)) return TOO_LONG
  const [, , byStatus] = ERRORS.find(([known]) => known !== undefined && known === status) ?? []
  if (byStatus !== undefined) return byStatus
  const [, , byType] = ERRORS.find(([, known]) => known !== undefined && known === failure.type) ?? []
  if (status === null) return byType ?? SERVER_ERROR
  if (status < 500) return byType ?? ODD_REFUSAL
  return byType === OVERLOADED ? OVERLOADED : SERVER_ERROR
}

function canRetry(verdict: Verdict, status: number | null, headers: Headers | undefined): boolean {
  if (status !== null && FINAL_STATUSES.has(status)) return false
  const hint = headers?.get('x-should-retry')
  if (hint === 'true') return true
  return hint === 'false' ? false : verdict.canRetry
}

const ADVICE: Partial<Record<ApiErrorKind, string>> = {
  authentication_failed: 'check the API key',
  billing_error: 'add credit to the account',
  model_not_found: 'check the model name, and the base URL',
  unknown: 'this answer is not from the API itself: check the base URL and any gateway in between',
}

function describe(failure: ApiFailure, status: number | null, verdict: Verdict): string {
  const what = printable(saidBy(failure) ?? failure.message).slice(0, 500)
  const advice = ADVICE[verdict.kind]
  const answer = status === null ? `the API cut off its answer: ${what}` : `the API answered ${what}`
  return advice === undefined ? answer : `${answer} (${advice})`
}

/** The API's own words in its error object, after the status and the id that its support asks for. */
function saidBy({ status, error }: ApiFailure): string | undefined {
  const { error: inner, request_id: id } = isObject(error) ? error : {}
  const { message } = isObject(inner) ? inner : {}
  if (typeof message !== 'string') return undefined
  return status === undefined ? message : `${status}${typeof id === 'string' ? ` (${id})` : ''}: ${message}`
}

/** OpenSSL's verification results, and Node's own codes for a failed TLS connection. */
const TLS_CODE =
  /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY)|HOSTNAME_MISMATCH|INVALID_CA)/

/** A 4xx answer of a proxy to CONNECT is final; after a 5xx it may work in a minute. */
const PROXY_REFUSAL = /Proxy response \(4\d\d\)/

function classifyConnection(error: unknown): ModelFault {
  const chain = causesOf(error)
  const text = chain.map(messageOf).join('\n')
  const last = chain.at(-1)
  const innermost = last instanceof SyntaxError ? 'an event is not JSON' : printable(messageOf(last)).slice(0, 500)
  const codes = chain.map((link) => (link as { code?: unknown }).code).filter((code) => typeof code === 'string')
  return new ModelFault(connectionDetails(text, innermost, codes), { cause: error })
}

/** `text` is the whole chain of errors; `what` is its innermost message, for people. */
function connectionDetails(text: string, what: string, codes: readonly string[]): FaultDetails {
  const setting = { kind: 'connection', reason: 'config', canRetry: false } as const
  const tls = codes.find((code) => TLS_CODE.test(code))
  if (tls !== undefined) {
    const message = `the TLS connection cannot be trusted (${tls}): ${what}; a private CA goes into NODE_EXTRA_CA_CERTS`
    return { ...setting, message }
  }
  if (/unexpected redirect/i.test(text)) {
    const message = 'the API address answered with a redirect, which is not followed'
    return { ...setting, message: `${message}; use the final address as the base URL` }
  }
  if (/(?:AWS|Google OAuth) credentials/.test(text)) {
    const message = `there are no usable credentials: ${what}`
    return { kind: 'authentication_failed', reason: 'auth', message, canRetry: true, maxAttempts: 2 }
  }
  const isCut = /without producing a Message|without sending any chunks/.test(text)
  if (isCut) return badStream('the answer ended before message_stop').details
  if (codes.length > 0 || /fetch failed|terminated|connection error|socket/i.test(text)) {
    return { ...lost(`the connection failed: ${what}`).details, canRetry: !PROXY_REFUSAL.test(text) }
  }
  return badStream(`the answer is malformed: ${what}`).details
}

/** External text on one line, without control characters. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim()
}

function isApiFailure(error: unknown): error is ApiFailure {
  if (!(error instanceof Error)) return false
  const { status, type } = error as ApiFailure
  return typeof status === 'number' || typeof type === 'string'
}

function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = []
  for (let link = error; link !== undefined && link !== null && chain.length < 10; ) {
    chain.push(link)
    link = link instanceof AggregateError ? link.errors[0] : (link as { cause?: unknown }).cause
  }
  return chain
}

/**
 * The wait that a response requests, in milliseconds; undefined if there is none or it is invalid. A date is compared
 * with the response's own clock. Source: RFC 9110, 10.2.3; the official SDKs read `retry-after-ms`.
 */
export function readRetryAfter(headers: Headers): number | undefined {
  const milliseconds = Number.parseFloat(headers.get('retry-after-ms') ?? '')
  if (milliseconds > 0) return milliseconds
  const text = headers.get('retry-after') ?? ''
  const wait = /^[\d.]+$/.test(text) ? Number.parseFloat(text) * 1000 : Date.parse(text) - nowOf(headers)
  return wait > 0 ? wait : undefined
}

function nowOf(headers: Headers): number {
  const date = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(date) ? Date.now() : date
}
