import type { ModelTimers } from './stream/startSilenceTimer.ts'

/** How to reach the Messages API: the client options that library users see, without the SDK's types. */
export type AnthropicOptions = {
  readonly apiKey: string | KeyHelper
  /** Added to every request, for gateways. */
  readonly headers?: Readonly<Record<string, string>>
  /** `DEFAULT_BASE_URL` unless the operator sets another. */
  readonly baseURL: string
  /** `--allow-insecure-base-url`: allows `http://` to a host other than loopback. */
  readonly allowInsecureBaseUrl?: boolean
  /** Used in this order if a model stays overloaded. */
  readonly fallbackModels?: readonly string[]
  /** Whether tools may be references, or strict. By default only at the API's own address, with models that support it. */
  readonly toolReferences?: boolean | undefined
  readonly strictTools?: boolean | undefined
  /** Attempts after the first, for the whole request. 9. */
  readonly maxRetries?: number
  /** The longest wait the API may ask for. 120 s. */
  readonly maxRetryWaitMs?: number
  readonly timers?: Partial<ModelTimers>
  readonly proxy?: ProxySettings
  /** All certificates to trust, as PEM, Node's own included; read when the first connection opens. */
  readonly trusted?: (() => readonly string[]) | undefined
  /** Receives the SDK's own warnings, one line each. */
  readonly log?: ((line: string) => void) | undefined
  /** Scales the waits before retries; the reported values are unscaled. 1. */
  readonly waitScale?: number
  /** 0 to 1, for the jitter of waits. */
  readonly random?: () => number
}

/** Prints keys, each of which is used for a while. */
export type KeyHelper = {
  /** The key of now. Throws `RunError('auth')` if none comes. */
  get(): Promise<string>
  /** The API refused the last key: `get` asks for another. */
  refuse(): void
  /** The last key; empty before the first. */
  last(): string
}

/** The operator's proxy variables from the environment. */
export type ProxySettings = {
  readonly httpProxy?: string | undefined
  readonly httpsProxy?: string | undefined
  readonly noProxy?: string | undefined
}
