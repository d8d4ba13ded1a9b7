import type { FileChange } from '../../contracts/events.ts'
import { oneLine } from '../../lib/text/words.ts'
import { callLabel } from '../callLabel.ts'
import type { CallReport } from './runReport.ts'

const MAX_AUTHORS = 3
const LONGEST = 80

/** The calls that changed a file, in words; only the last ones if there are many. Empty if the record does not say. */
export function authorsOf({ by = [] }: Pick<FileChange, 'by'>, calls: readonly CallReport[]): readonly string[] {
  const distinct = [...new Set(by.map((id) => nameOfCall(id, calls)))]
  const more = distinct.length - MAX_AUTHORS
  return more > 0 ? [`${more} earlier`, ...distinct.slice(-MAX_AUTHORS)] : distinct
}

/** A call in words; its id if the record has no such call. */
export function nameOfCall(id: string, calls: readonly CallReport[]): string {
  const call = calls.find((each) => each.id === id)
  return call === undefined ? id : oneLine(callLabel(call.tool, call.input, call.path), LONGEST)
}
