import type { Messages } from '@anthropic-ai/sdk/resources/messages'
import { messageOf, RunError } from '../contracts/errors.ts'
import { type ApiErrorKind, type ModelClient, ModelError, type ModelEvent } from '../contracts/model.ts'
import { parseUrl } from '../lib/net/parseUrl.ts'
import type { AnthropicOptions, KeyHelper } from './AnthropicOptions.ts'
import { assertApiKey, withoutKey } from './assertApiKey.ts'
import { createThoughtFilter } from './createThoughtFilter.ts'
import type { CloudProvider, OpenMessages } from './elsewhere/openCloud.ts'
import { type RetryPolicy, retry } from './retry.ts'
import { openRoute, proxyNameFor } from './route.ts'
import { DEFAULT_TIMERS, type ModelTimers } from './stream/startSilenceTimer.ts'
import { type Exchange, streamAttempt } from './stream/streamAttempt.ts'
import { featuresOf, nameFeatures, refusedFeatures, TOOL_FEATURES, type ToolFeature } from './tools/toolFeatures.ts'
import { wireRequest } from './wireRequest.ts'

/** The API's own address, used by default. */
export const DEFAULT_BASE_URL = 'https://api.anthropic.com'

export type ClientOptions = AnthropicOptions & {
  /** Middlewares between the SDK and the network, outermost first. */
  readonly exchanges?: readonly Exchange[]
  /** Answers instead of the API. It has credentials of its own. */
  readonly cloud?: { readonly provider: CloudProvider; readonly open: OpenMessages } | undefined
}

/**
 * A client for the Messages API at `baseURL`. Every attempt, wait and broken answer is an event; an answer becomes a
 * `message` event only when it is complete. Throws `RunError` for an unusable key or base URL.
 */
export function createAnthropicClient(options: ClientOptions): ModelClient {
  const apiKey = typeof options.apiKey === 'string' && !options.cloud ? assertApiKey(options.apiKey) : options.apiKey
  const hide = (text: string) => withoutKey(text, typeof apiKey === 'string' ? apiKey : apiKey.last())
  const baseURL = assertBaseUrl(options.baseURL, options.allowInsecureBaseUrl === true)
  const proxyName = proxyNameFor(baseURL, options.proxy ?? {})
  const timers = { ...DEFAULT_TIMERS, ...options.timers }
  const policy = retryPolicy(options, timers)
  let features = wantedFeatures(options)
  const thoughts = createThoughtFilter()
  let opening: Promise<Connection> | undefined
  if (options.cloud === undefined) loadSdk().catch(() => undefined)

  async function* stream(...[request, signal]: Parameters<ModelClient['stream']>): AsyncGenerator<ModelEvent, void> {
    signal.throwIfAborted()
    opening ??= openConnection({ ...options, apiKey, baseURL }, hide)
    const { messages } = await opening
    const ask = async function* () {
      const accepted = thoughts.apply(request)
      const paramsFor = (model: string) => wireRequest({ ...accepted, model }, featuresOf(model, features))
      const params = paramsFor(request.model)
      const attempts = (model: string, silentMs: number) =>
        streamAttempt({
          ...{ messages, params: model === request.model ? params : paramsFor(model), signal },
          timers: { ...timers, pingOnlyMs: Math.max(timers.idleMs, timers.pingOnlyMs - silentMs) },
          exchanges: options.exchanges ?? [],
          hasParts: request.hasParts === true,
        })
      yield* retry(request.model, attempts, policy, signal)
    }
    for (let hasNewKey = false; ; ) {
      try {
        yield* ask()
        return
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (!hasNewKey && typeof apiKey !== 'string' && error instanceof ModelError && error.status === 401) {
          hasNewKey = true
          apiKey.refuse()
          yield sentAgain('authentication_failed', 401, 'asked run.apiKeyHelper for another key')
          continue
        }
        if (thoughts.refuse(request, error)) {
          yield plainerForm('the thoughts so far', error)
          continue
        }
        const dropped = featuresToDrop(error, featuresOf(request.model, features))
        if (dropped.length === 0) throw forPeople(error, hide, proxyName)
        features = features.filter((feature) => !dropped.includes(feature))
        yield plainerForm(nameFeatures(dropped), error)
      }
    }
  }
  return {
    name: options.cloud?.provider ?? 'anthropic',
    host: new URL(baseURL).host,
    stream,
    async close() {
      await (await opening)?.close()
    },
  }
}

function retryPolicy(options: ClientOptions, timers: ModelTimers): RetryPolicy {
  const { maxRetries = 9, maxRetryWaitMs = 120_000, fallbackModels = [], random = Math.random, waitScale = 1 } = options
  return { maxRetries, maxRetryWaitMs, fallbackModels, timers, random, waitScale }
}

/**
 * A feature that the operator did not set is used only at the API itself, because a gateway may drop fields that it
 * does not know.
 */
function wantedFeatures({ baseURL, toolReferences, strictTools }: ClientOptions): readonly ToolFeature[] {
  const isApi = new URL(baseURL).host === new URL(DEFAULT_BASE_URL).host
  const isWanted = { references: toolReferences ?? isApi, strict: strictTools ?? isApi }
  return TOOL_FEATURES.filter((feature) => isWanted[feature])
}

/** The features that the error refuses, or may refuse; none for any other error. */
function featuresToDrop(error: unknown, used: readonly ToolFeature[]): readonly ToolFeature[] {
  if (!(error instanceof ModelError) || error.kind !== 'invalid_request' || error.status !== 400) return []
  return refusedFeatures(used, error.message)
}

/** The record of a request that is sent again in a plainer form. */
function plainerForm(dropped: string, error: unknown): ModelEvent {
  return sentAgain('invalid_request', 400, `${messageOf(error)}; sent again without ${dropped}`)
}

function sentAgain(error: ApiErrorKind, status: number, detail: string): ModelEvent {
  return { type: 'retry', attempt: 1, maxRetries: 1, delayMs: 0, status, error, source: 'backoff', detail }
}

type Connection = { readonly messages: Messages; close(): Promise<void> }

/** Starts while the rest of a run starts up; the first request waits for it. */
function loadSdk() {
  return import('./createMessages.ts')
}

/** The SDK with one explicit credential and address: it looks nothing up, does not retry, follows no redirect. */
async function openConnection(options: ClientOptions, hide: (text: string) => string): Promise<Connection> {
  const dispatcher = await openRoute(options.baseURL, { proxy: options.proxy ?? {}, trusted: options.trusted })
  const line = (text: string): void => options.log?.(hide(text))
  const settings: Parameters<OpenMessages>[0] = {
    baseURL: options.baseURL,
    ...(options.headers === undefined ? {} : { defaultHeaders: options.headers }),
    webhookKey: null,
    maxRetries: 0,
    logLevel: 'warn',
    logger: { error: line, warn: line, info: line, debug: line },
    openTelemetry: { propagation: false },
    fetch: sendBytes,
    // The type of `fetch` in the SDK does not accept a dispatcher from another copy of undici; Node's own `fetch` does.
    fetchOptions: { redirect: 'error', ...(dispatcher === undefined ? {} : { dispatcher: dispatcher as never }) },
  }
  const messages = await (options.cloud?.open(settings) ?? openApi(settings, options.apiKey))
  return { messages, close: async () => await dispatcher?.destroy() }
}

async function openApi(settings: Parameters<OpenMessages>[0], key: string | KeyHelper): Promise<Messages> {
  const { createMessages } = await loadSdk()
  return createMessages({ ...settings, apiKey: typeof key === 'string' ? key : key.get })
}

/** For a string body, `fetch` keeps a second copy in bytes, and both stay until a full garbage collection. */
const sendBytes: typeof fetch = (input, init) =>
  fetch(input, typeof init?.body === 'string' ? { ...init, body: Buffer.from(init.body) } : init)

/** The error as it leaves the module: it names the proxy involved, and never the key. */
function forPeople(error: unknown, hide: (text: string) => string, proxyName: string | undefined): unknown {
  if (error instanceof RunError || !(error instanceof ModelError)) return error
  const proxied = error.kind === 'connection' && proxyName !== undefined ? ` (proxy ${proxyName})` : ''
  const message = hide(`${error.message}${proxied}`)
  return new ModelError(error.kind, error.reason, message, { status: error.status, cause: error.cause })
}

/** The base URL without its last slash. Throws for one with credentials, or that sends the key in clear text. */
export function assertBaseUrl(text: string, allowInsecure: boolean): string {
  const url = parseUrl(text.trim())
  if (url === undefined) throw refused('is not a URL')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused(`is ${url.protocol}// and not https://`)
  if (url.username !== '' || url.password !== '') throw refused('contains a user name or password')
  if (url.search !== '' || url.hash !== '') throw refused('has a query or fragment')
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowInsecure) {
    throw refused(`sends the API key in clear text to ${url.host}; use https://, or --allow-insecure-base-url`)
  }
  return url.href.replace(/\/+$/, '')
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

function refused(problem: string): RunError {
  return new RunError('config', `the base URL of the API ${problem}`)
}
