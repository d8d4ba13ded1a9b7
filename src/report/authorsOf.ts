import type { FileChange } from '../contracts/events.ts'
import { callWords } from './callWords.ts'
import type { CallReport } from './runReport.ts'
import { oneLine } from './words.ts'

const MOST_AUTHORS = 3
const LONGEST = 80

/** The calls that changed a file, in words, the last ones where they are many; empty where the record does not say. */
export function authorsOf({ by = [] }: FileChange, calls: readonly CallReport[]): readonly string[] {
  const authors = by.map((id) => {
    const call = calls.find((each) => each.id === id)
    return call === undefined ? id : oneLine(callWords(call.tool, call.input), LONGEST)
  })
  const distinct = [...new Set(authors)]
  const more = distinct.length - MOST_AUTHORS
  return more > 0 ? [`${more} earlier`, ...distinct.slice(-MOST_AUTHORS)] : distinct
}
