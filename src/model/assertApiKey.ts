import { RunError } from '../contracts/errors.ts'

/** The key without white space around it. A key that is no header value is a `RunError` that does not show it. */
export function assertApiKey(text: string, source = 'the API key'): string {
  const key = text.trim()
  if (key === '' && source !== 'the API key') throw new RunError('auth', `${source} is empty: it must be an API key`)
  if (key === '') throw new RunError('auth', 'there is no API key: set ANTHROPIC_API_KEY, or use --api-key-file')
  if (!/^[\x21-\x7e]+$/.test(key)) {
    const message = `${source} contains white space or a control character; is it two lines, or quoted?`
    throw new RunError('auth', message)
  }
  return key
}

/** The text with the key replaced by `[API key …1234]`. */
export function withoutKey(text: string, key: string): string {
  return key === '' ? text : text.replaceAll(key, key.length < 24 ? '[API key]' : `[API key …${key.slice(-4)}]`)
}
