import { readFileSync, statSync } from 'node:fs'

/** More than one record can have: a longer first line is no record. */
const MAX_BYTES = 4 * 1024 * 1024

/** True for the transcript of a run that was killed before its first record was whole: it did nothing. */
export function isUnbegun(path: string): boolean {
  if (statSync(path).size > MAX_BYTES) return false
  const text = readFileSync(path, 'utf8')
  return text === '' || (text.startsWith('{"v":') && !text.includes('\n'))
}
