import path from 'node:path'
import type { EffectsReport, PathChange, RefusedChange } from '../contracts/effects.ts'
import { displayPath } from '../lib/fs/paths.ts'
import { groupBy } from '../lib/groupBy.ts'
import type { CommandOutput } from '../lib/process/commandOutput.ts'
import { visibleName } from '../lib/text/visibleName.ts'
import { someOf } from '../lib/text/words.ts'

const MAX_PATHS = 8
const MAX_PATTERNS = 10

/**
 * Which changes of a command were not kept and why, in words for the model, for people and for hooks. Empty if
 * everything was kept. Paths below `root` are relative to it.
 */
export function describeEffects(report: EffectsReport, root: string): string {
  if (report.unknown !== undefined) return `It is unknown which changes of this command were kept: ${report.unknown}.`
  const { undone, leftOut, kept } = report
  const isWhole = report.of === undefined && undone.length > 0 && kept.length === 0
  const refused = isWhole ? undone : [...undone, ...leftOut]
  if (refused.length === 0) return ''
  const { start, rest } = wordsFor(report)
  // The reasons have names in them, too.
  return visibleName(`${start}: ${listOf(refused, root)}.${rest} ${permission(report.allowed ?? [])}`)
}

function wordsFor({ of, undone, kept, scratch }: EffectsReport): { readonly start: string; readonly rest: string } {
  if (of !== undefined) return { start: `Put back what ${of} changed`, rest: '' }
  // While another command works on the same checkout, only what is refused is put back.
  if (undone.length > 0 && kept.length > 0)
    return { start: 'Put back what this command changed', rest: ' What else changed was kept.' }
  if (undone.length > 0) return { start: 'Nothing that this command changed was kept', rest: '' }
  const hasRest = kept.length > 0 || Object.keys(scratch).length > 0
  return { start: 'Not kept', rest: hasRest ? ' Everything else that it changed was kept.' : '' }
}

/** One entry per reason, each with its paths. */
function listOf(refused: readonly RefusedChange[], root: string): string {
  return [...groupBy(withoutNested(refused), reasonOf)]
    .map(([why, group]) => `${pathsOf(group, root)} – ${why}`)
    .join('; ')
}

/** For a new folder and its content that are refused for the same reason: only the folder. */
function withoutNested(refused: readonly RefusedChange[]): readonly RefusedChange[] {
  const folders = new Map(refused.filter(isNewFolder).map((each) => [each.change.path, each.why] as const))
  const isNested = (file: string, why: string): boolean => {
    const parent = path.dirname(file)
    return parent !== file && (folders.get(parent) === why || isNested(parent, why))
  }
  return folders.size === 0 ? refused : refused.filter(({ change, why }) => !isNested(change.path, why))
}

function isNewFolder({ change: { kind, entry } }: RefusedChange): boolean {
  return kind === 'created' && entry === 'folder'
}

/** Why a change was refused, with the rule that refuses it and its line. */
export function reasonOf({ why, rule }: RefusedChange): string {
  if (rule === undefined) return why
  const place = rule.line > 0 ? `${path.basename(rule.file)}:${rule.line}` : rule.file
  const name = why.includes(rule.text) ? '' : ` ${rule.text}`
  return `${why} (${rule.list} rule${name}, ${place})`
}

function pathsOf(group: readonly RefusedChange[], root: string): string {
  const names = group.map(({ change }) => `${displayPath(change.path, root)} (${KIND_WORDS[change.kind]})`)
  return someOf(names, MAX_PATHS)
}

/** The word for a kind of change, in messages and reports. */
export const KIND_WORDS: Readonly<Record<PathChange['kind'], string>> = {
  created: 'new',
  modified: 'modified',
  deleted: 'deleted',
  mode: 'mode changed',
}

function permission(allowed: readonly string[]): string {
  const shown = allowed.slice(0, MAX_PATTERNS)
  if (shown.length === 0) return 'Commands may change only files that git ignores.'
  const more = allowed.length > shown.length ? [`${allowed.length - shown.length} more patterns`] : []
  return `Commands may change ${[...shown, ...more].join(', ')}${allowed.length > 1 ? ',' : ''} and files that git ignores.`
}

/** The output of a command, with a last line on changes that were not kept. Such a line makes it an error. */
export function withEffects(output: CommandOutput, effects: EffectsReport | undefined, root: string): CommandOutput {
  const notKept = effects === undefined ? '' : describeEffects(effects, root)
  return notKept === '' ? output : { ...output, notKept, isError: true }
}
