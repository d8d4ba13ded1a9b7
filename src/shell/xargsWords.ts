import type { FoundFiles, Word } from '../contracts/subject.ts'
import type { Walk } from './walk.ts'

/** The files that come from the command before the pipe, where xargs parts them as they were printed. */
export function foundByXargs(options: readonly Word[], { input }: Walk): FoundFiles | undefined {
  const values = options.map((word) => (word.kind === 'literal' ? word.value : ''))
  const isNul = values.some((value) => /^-[rt]*0|^--null$/.test(value))
  const hasDelimiter = values.some((value) => /^(?:-d|--delimiter)/.test(value))
  if (input === undefined || hasDelimiter || isNul !== (input.isNul === true)) return undefined
  return isNul ? input : { ...input, isSplit: true }
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
