/** JSON-RPC error codes of the SDK for requests that no server answered. */
export const CONNECTION_CLOSED = -32_000
export const REQUEST_TIMEOUT = -32_001

/** The `code` of anything thrown: a JSON-RPC error, an HTTP status, a name of the system. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/** True for an answer of an HTTP server, although it is an error. */
export function isAnswered(error: unknown): boolean {
  const code = codeOf(error)
  return typeof code === 'number' && code >= 400 && code < 600
}
