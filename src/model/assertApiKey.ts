import { RunError } from '../contracts/errors.ts'

/**
 * The key without white space around it. One that cannot stand in a header is a `RunError` that does not show it; `fetch`
 * would put it into its own error message.
 */
export function assertApiKey(text: string): string {
  const key = text.trim()
  if (key === '') throw new RunError('auth', 'there is no API key: set ANTHROPIC_API_KEY, or use --api-key-file')
  if (!/^[\x21-\x7e]+$/.test(key)) {
    const message = 'the API key contains white space or a control character; is it two lines, or quoted?'
    throw new RunError('auth', message)
  }
  return key
}

/** The text without the key: `[API key …1234]` stands for it. */
export function withoutKey(text: string, key: string): string {
  return text.replaceAll(key, key.length < 24 ? '[API key]' : `[API key …${key.slice(-4)}]`)
}
