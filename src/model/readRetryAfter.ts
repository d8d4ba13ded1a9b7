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
