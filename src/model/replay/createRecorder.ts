import { closeSync, constants, fstatSync, openSync, writeFileSync } from 'node:fs'
import { orFail, RunError } from '../../contracts/errors.ts'
import { orElse } from '../../lib/orElse.ts'
import { type CanonicalOptions, canonicalRequest } from '../canonicalRequest.ts'
import { classifyError } from '../classifyError.ts'
import { type FaultDetails, ModelFault } from '../ModelFault.ts'
import type { Attempt, Exchange } from '../stream/streamAttempt.ts'
import { throughFilter } from '../stream/throughFilter.ts'
import type { CassetteEntry } from './parseCassette.ts'

/** The headers that a replay needs; no credentials and nothing about the account. */
const RECORDED_HEADERS = ['content-type', 'request-id', 'retry-after', 'retry-after-ms', 'x-should-retry']

/** Writes every attempt that the user did not abort to a new `file`, redacted, as one line that `replay` reads. */
export function createRecorder(file: string, options: CanonicalOptions) {
  const descriptor = openForWriting(file)
  const write = (entry: CassetteEntry): void => {
    const { failure, ...rest } = entry
    const redactedFailure = failure && { ...failure, message: options.redact(failure.message) }
    const body = joinDeltas(entry.body, options.redact)
    const line = JSON.stringify({ ...rest, body, ...(redactedFailure && { failure: redactedFailure }) })
    orFail('io_error', `--record ${file}: cannot be written`, () => writeFileSync(descriptor, `${line}\n`))
  }
  const exchange: Exchange = (attempt) => recordAttempt(attempt, options, write)
  return { exchange, close: () => closeSync(descriptor) }
}

/** A new or empty file: an earlier recording is not overwritten. */
function openForWriting(file: string): number {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
  const descriptor = orFail('cannot_create', `--record ${file}: cannot be created`, () =>
    openSync(file, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600),
  )
  const stat = fstatSync(descriptor)
  if (stat.isFile() && stat.size === 0) return descriptor
  closeSync(descriptor)
  throw new RunError('cannot_create', `--record ${file}: the file exists and is not empty; remove it to record again`)
}

function recordAttempt(
  attempt: Attempt,
  options: CanonicalOptions,
  write: (entry: CassetteEntry) => void,
): ReturnType<Exchange> {
  let hasEnded = false
  attempt.onEnd(() => {
    hasEnded = true
  })
  return async (request, next) => {
    const startedAt = performance.now()
    const canonical = canonicalRequest(String(request.body), options)
    const entry = (response: Response | undefined, body: string, failure?: FaultDetails): CassetteEntry => ({
      v: 1,
      request: canonical,
      status: response?.status ?? 0,
      headers: recordedHeaders(response),
      body,
      failure,
      ms: Math.round(performance.now() - startedAt),
    })
    const failureOf = (error: unknown): FaultDetails | undefined => {
      const fault = attempt.fault ?? classifyError(error)
      return fault instanceof ModelFault ? fault.details : undefined
    }
    let response: Response
    try {
      response = await next(request)
    } catch (error) {
      if (!hasEnded && !attempt.signal.aborted) write(entry(undefined, '', failureOf(error)))
      throw error
    }
    if (response.body === null) return response
    const chunks: Uint8Array[] = []
    const body = throughFilter(
      response.body,
      (chunk) => {
        chunks.push(chunk)
        return chunk
      },
      ({ isWhole, error }) => {
        if (!isWhole && (hasEnded || attempt.signal.aborted)) return
        const isFailure = !isWhole && error !== undefined
        write(entry(response, Buffer.concat(chunks).toString('utf8'), isFailure ? failureOf(error) : undefined))
      },
    )
    return new Response(body, { status: response.status, headers: response.headers })
  }
}

function recordedHeaders(response: Response | undefined): Record<string, string> {
  const pairs = RECORDED_HEADERS.map((name) => [name, response?.headers.get(name)] as const)
  return Object.fromEntries(pairs.filter((pair): pair is readonly [string, string] => typeof pair[1] === 'string'))
}

type Delta = { readonly index: number; readonly type: string; readonly field: string; readonly text: string }

/** The deltas that carry text, and the field that holds it. */
const TEXT_FIELDS: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  input_json_delta: 'partial_json',
}

/**
 * The same server-sent events with neighboring deltas of a block joined and every text redacted, so that a secret split
 * into two deltas is found. Other content is only redacted. Pure.
 */
function joinDeltas(body: string, redact: (text: string) => string): string {
  const out: string[] = []
  let open: Delta | undefined
  const flush = (): void => {
    if (open !== undefined) out.push(renderDelta({ ...open, text: redact(open.text) }))
    open = undefined
  }
  for (const event of body.split(/(?<=\n\n)/)) {
    const delta = parseDelta(event)
    if (delta !== undefined && open?.index === delta.index && open.type === delta.type) {
      open = { ...open, text: open.text + delta.text }
      continue
    }
    flush()
    if (delta === undefined) out.push(redact(event))
    else open = delta
  }
  flush()
  return out.join('')
}

function parseDelta(event: string): Delta | undefined {
  const data = /^event: content_block_delta\ndata: (.*)\n\n$/.exec(event)?.[1]
  if (data === undefined) return undefined
  return orElse(undefined, () => {
    const { index, delta } = JSON.parse(data)
    const field = TEXT_FIELDS[String(delta.type)]
    return field === undefined ? undefined : { index, type: delta.type, field, text: String(delta[field]) }
  })
}

function renderDelta({ index, type, field, text }: Delta): string {
  const data = { type: 'content_block_delta', index, delta: { type, [field]: text } }
  return `event: content_block_delta\ndata: ${JSON.stringify(data)}\n\n`
}
