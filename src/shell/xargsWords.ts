import type { FoundFiles, Word } from '../contracts/subject.ts'
import { foundPaths } from './foundPaths.ts'
import { asChanged } from './speltWords.ts'
import { resolveValue, type Walk } from './walk.ts'

/** The files that come from the command before the pipe, as xargs reads them. */
export function foundByXargs(options: readonly Word[], walk: Walk): FoundFiles | undefined {
  const { input } = walk
  const values = options.map((word) => (word.kind === 'literal' ? word.value : ''))
  const isNul = values.some((value) => /^-[rt]*0|^--null$/.test(value))
  const hasDelimiter = values.some((value) => /^(?:-d|--delimiter)/.test(value))
  if (hasDelimiter || isNul !== (input?.isNul === true)) return asChanged(input)
  if (input === undefined) return undefined
  if (isNul) return input
  const found: FoundFiles = { ...input, isSplit: true }
  return mayTear(found, walk) ? { ...found, isTorn: true } : found
}

/** Whether a path may have a blank or a quote in it, as far as the disk shows now: a file `a -o` is two words to xargs. */
function mayTear(found: FoundFiles, walk: Walk): boolean {
  if (found.isSpelt || found.isUnclear) return false
  const { context, cwd, findings } = walk
  if (cwd === undefined || findings.changes.length > 0) return true
  findings.fitted.push({ command: findings.clock, at: findings.clock })
  const place = { resolve: (path: string) => resolveValue(path, { context, cwd }), disk: context }
  return found.starts.some((path) => foundPaths(found, { path }, place.resolve(path), place).files() === undefined)
}

/** What xargs puts each line for; null where it is not a usual sign, or a later `-n` or `-L` takes its place. */
export function placeholderOf(options: readonly Word[]): string | undefined | null {
  const values = options.map((word) => (word.kind === 'literal' ? word.value : ''))
  const at = values.findLastIndex((value) => value.startsWith('-I'))
  if (at < 0) return undefined
  if (values.slice(at).some((value) => /^(?:-[nL]|--max-a)/.test(value))) return null
  const mark = values[at] === '-I' ? values[at + 1] : values[at]?.slice(2)
  return mark !== undefined && /^(?:\{\}|%|@)$/.test(mark) ? mark : null
}
