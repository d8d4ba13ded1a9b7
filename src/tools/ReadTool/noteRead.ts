import { noteStamp } from '../../files/noteStamp.ts'
import type { ReadStamp, ToolUseContext } from '../../Tool.ts'

/** The lines that were shown, and their total number; null if the end was not reached. */
type Shown = { readonly startLine: number; readonly numLines: number; readonly totalLines: number | null }

/**
 * Tracks how much of a file the model has read. Consecutive parts from the top count as the whole file once they reach
 * the end. If the file changed in between, tracking starts over.
 */
export function noteRead(
  path: string,
  stamp: ReadStamp,
  shown: Shown | 'all',
  { readFileState }: ToolUseContext,
): void {
  const known = readFileState.get(path)
  const before = known !== undefined && isSame(known, stamp) ? known : undefined
  if (shown === 'all' || before?.isWhole === true) {
    noteStamp(readFileState, path, { ...stamp, isWhole: true })
    return
  }
  const seen = before?.seenLines ?? 0
  const last = shown.startLine + shown.numLines - 1
  const seenLines = shown.startLine <= seen + 1 ? Math.max(seen, last) : seen
  noteStamp(readFileState, path, { ...stamp, isWhole: seenLines === shown.totalLines, seenLines })
}

function isSame(a: ReadStamp, b: ReadStamp): boolean {
  return a.mtimeMs === b.mtimeMs && a.size === b.size && a.sha256 === b.sha256
}
