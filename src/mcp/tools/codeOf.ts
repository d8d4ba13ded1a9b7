/** JSON-RPC error codes of the SDK for requests that no server answered. */
export const CONNECTION_CLOSED = -32_000
export const REQUEST_TIMEOUT = -32_001

/** The `code` of anything thrown: a JSON-RPC error, an HTTP status, a name of the system. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
