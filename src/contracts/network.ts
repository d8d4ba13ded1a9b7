/** One HTTP exchange. Headers that name a host or a length are set by the network itself. */
export type NetworkRequest = {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Of the decoded body; the rest is not fetched. */
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export type NetworkResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly isTruncated: boolean
}

/** The one way by which in-process tools reach the network: http and https, never an internal address. */
export interface NetworkAccess {
  /** One hop: a redirect is a response like any other. Throws with a message meant for the model. */
  fetch(url: string, request: NetworkRequest): Promise<NetworkResponse>
}
