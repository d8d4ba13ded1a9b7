import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { messageOf } from '../../contracts/errors.ts'
import type { NetworkAccess, NetworkRequest, NetworkResponse } from '../../contracts/network.ts'
import { once } from '../memoize.ts'
import { checkUrl, type NetworkGuard, NetworkRefusal } from './createAddressGuard.ts'
import { createDispatcher } from './createDispatcher.ts'
import { decodeUri } from './parseUrl.ts'

const MAX_BYTES = 5 * 1024 * 1024
const MAX_MS = 30_000
/** Set by the connection itself: RFC 9110, section 7.6.1, and what a proxy would act on. */
const OWN_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|keep-alive|expect|proxy-.*)$/i

/**
 * The network for in-process tools: one request to a public address by http or https, without secrets in it. At most 5
 * MiB of decoded body, 100 times the compressed size, within 30 seconds. Throws `NetworkRefusal`, or an Error with a
 * message for the model.
 */
export function createNetworkAccess(guard: NetworkGuard): NetworkAccess {
  const dispatcher = once(() => createDispatcher(guard))
  return {
    async fetch(address, request) {
      const timer = AbortSignal.timeout(Math.max(Math.min(request.timeoutMs, MAX_MS), 1))
      const signal = AbortSignal.any([request.signal, timer])
      try {
        const url = checkUrl(address, guard)
        checkSecrets(guard, address, request)
        return await exchange(url, { ...request, signal }, await dispatcher())
      } catch (error) {
        if (error instanceof NetworkRefusal) throw error
        if (timer.aborted)
          throw new NetworkRefusal('timeout', `${address} did not answer in full within the time limit`)
        throw new Error(`${address} cannot be fetched: ${messageOf(error)}`, { cause: error })
      }
    },
  }
}

/** Checks every spelling that the receiver would see: as given, decoded, and the host name without dots. */
function checkSecrets({ containsSecret }: NetworkGuard, address: string, { headers = {}, body = '' }: NetworkRequest) {
  if (containsSecret === undefined) return
  const { href, hostname } = new URL(address)
  const decoded = [address, href].map((text) => decodeUri(text.replaceAll('+', ' ')))
  const spellings = [address, href, ...decoded, hostname.replaceAll('.', ''), body]
  if ([...spellings, ...Object.entries(headers).flat()].some(containsSecret)) {
    throw new NetworkRefusal('secret', `the request to ${hostname} holds a secret of this run; it was not sent`)
  }
}

async function exchange(url: URL, request: NetworkRequest, dispatcher: Dispatcher): Promise<NetworkResponse> {
  const { request: send } = await import('./undici.ts')
  const given = Object.entries(request.headers ?? {}).filter(([name]) => !OWN_HEADERS.test(name))
  const answer = await send(url, {
    dispatcher,
    method: request.method ?? 'GET',
    headers: { 'user-agent': 'kode-run', ...Object.fromEntries(given), 'accept-encoding': 'gzip, deflate, br' },
    body: request.body ?? null,
    signal: request.signal,
    reset: true,
  })
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')]),
  )
  const maxBytes = Math.min(request.maxBytes, MAX_BYTES)
  const body = await readBody(answer.body, { encoding: headers['content-encoding'] ?? '', maxBytes })
  return { status: answer.statusCode, headers, ...body }
}

const MAX_RATIO = 100
/** Below this size, a page of blanks may well compress better than the limit. */
const RATIO_FROM = 256 * 1024

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * The decoded body, up to `maxBytes`; the rest is not read. `encoding`: the `content-encoding` header. Throws
 * `NetworkRefusal` for a body that grows more than a hundredfold, is compressed twice, or in a way not requested.
 */
export async function readBody(raw: Readable, { encoding, maxBytes }: { encoding: string; maxBytes: number }) {
  let received = 0
  const decoder = decoderOf(encoding, raw)
  if (decoder !== undefined) raw.on('data', (chunk: Buffer) => (received += chunk.length))
  // The error, if any, is thrown by the iteration below.
  const decoded = decoder === undefined ? raw : pipeline(raw, decoder, () => undefined)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of decoded as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (decoder !== undefined && size > RATIO_FROM && size > received * MAX_RATIO) {
      throw new NetworkRefusal('size', `the answer decompresses to more than ${MAX_RATIO} times its size`)
    }
    if (size > maxBytes) break
  }
  return { body: new Uint8Array(Buffer.concat(chunks).subarray(0, maxBytes)), isTruncated: size > maxBytes }
}

function decoderOf(encoding: string, raw: Readable): Transform | undefined {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  const [name, ...more] = names.filter((entry) => entry !== '' && entry !== 'identity')
  if (name === undefined) return undefined
  const create = more.length === 0 && Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined
  if (create !== undefined) return create()
  raw.on('error', () => undefined).destroy()
  throw new NetworkRefusal('size', `the answer is compressed as ${JSON.stringify(encoding)}`)
}
