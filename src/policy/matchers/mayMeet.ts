import { braceExpand } from 'minimatch'
import { foldText } from '../foldText.ts'
import type { PathPattern } from './parsePathPattern.ts'

/** Words longer than this are not compared; they count as meeting every rule. */
const MAX_LENGTH = 2_048

/**
 * Whether some path could fit the absolute glob of a shell word and also a deny pattern or what lies below it. Errs towards
 * yes. As in bash, a wildcard at the start of a name does not stand for a dot.
 */
export function mayMeet(pattern: Pick<PathPattern, 'base' | 'glob'>, glob: string): boolean {
  if (glob.length > MAX_LENGTH) return true
  const word = glob.startsWith('/') ? partsOf(foldText(glob)) : ['**']
  if (word.some((part, index) => part === '..' || (index < word.length - 1 && isUp(part)))) return true
  const base = foldText(pattern.base)
    .split('/')
    .filter((part) => part !== '')
  const alternatives = pattern.glob === '' ? [''] : expand(foldText(pattern.glob))
  return alternatives.some((alternative) => {
    const tail = alternative === '' ? [] : alternative.split('/')
    return meets(word, [...base.map(escapeAll), ...tail, '**'])
  })
}

/** True for what older shells let stand for `..` too: `.?`, `.*`. */
function isUp(part: string): boolean {
  return part.startsWith('.') && meetNames(toUnits(part), toUnits('..'), true)
}

/** The names of a glob; what stands for no name (`//`, `/./`) is left out. */
function partsOf(glob: string): readonly string[] {
  return glob.split('/').filter((part) => part !== '' && part !== '.')
}

/** Whether some single name could fit both globs. */
export function mayNamesMeet(word: string, pattern: string): boolean {
  return meetNames(toUnits(word), toUnits(pattern), true)
}

function expand(glob: string): readonly string[] {
  return glob.includes('{') ? braceExpand(glob, { braceExpandMax: 300 }) : [glob]
}

function escapeAll(name: string): string {
  return name.replace(/[*?[\]{}\\]/g, '\\$&')
}

/** Segment by segment, `**` on either side standing for any number of them. */
function meets(word: readonly string[], pattern: readonly string[]): boolean {
  let reachable = new Set([0])
  const closure = (states: Set<number>): Set<number> => {
    for (const state of states) if (pattern[state] === '**') states.add(state + 1)
    return states
  }
  reachable = closure(reachable)
  for (const segment of word) {
    if (segment.includes('**')) return reachable.size > 0
    const next = new Set<number>()
    for (const state of reachable) {
      const expected = pattern[state]
      if (expected === undefined) continue
      if (expected === '**') next.add(state)
      else if (mayNamesMeet(segment, expected)) next.add(state + 1)
    }
    reachable = closure(next)
  }
  return reachable.has(pattern.length)
}

/** One character, any character, or any text. */
type Unit = { readonly kind: 'one'; readonly text: string } | { readonly kind: 'any' } | { readonly kind: 'many' }

function toUnits(glob: string): readonly Unit[] {
  const units: Unit[] = []
  for (let index = 0; index < glob.length; index += 1) {
    const character = glob.charAt(index)
    const close = character === '[' ? glob.indexOf(']', index + 2) : -1
    if (character === '*') units.push({ kind: 'many' })
    else if (character === '?') units.push({ kind: 'any' })
    else if (close > 0) {
      units.push({ kind: 'any' })
      index = close
    } else if (character === '\\' && index + 1 < glob.length) {
      index += 1
      units.push({ kind: 'one', text: glob.charAt(index) })
    } else units.push({ kind: 'one', text: character })
  }
  return units
}

function meetNames(word: readonly Unit[], pattern: readonly Unit[], isStart: boolean): boolean {
  const [a, b] = [word[0], pattern[0]]
  if (isStart && a !== undefined && a.kind !== 'one' && b?.kind === 'one' && b.text === '.') return false
  let row = new Set([0])
  const close = (states: Set<number>): Set<number> => {
    for (const state of states) if (pattern[state]?.kind === 'many') states.add(state + 1)
    return states
  }
  row = close(row)
  for (const unit of word) {
    const next =
      unit.kind === 'many' ? fromLowest(row, pattern.length) : [...row].flatMap((state) => step(unit, pattern, state))
    row = close(new Set(next))
  }
  return row.has(pattern.length)
}

/** After any text, every later place of the pattern can be reached. */
function fromLowest(row: ReadonlySet<number>, length: number): readonly number[] {
  if (row.size === 0) return []
  const lowest = Math.min(...row)
  return Array.from({ length: length - lowest + 1 }, (_, index) => lowest + index)
}

/** Where the pattern may stand after one character of the word was read from `state`. */
function step(unit: Exclude<Unit, { kind: 'many' }>, pattern: readonly Unit[], state: number): readonly number[] {
  const expected = pattern[state]
  if (expected === undefined) return []
  if (expected.kind === 'many') return [state]
  const isSame = unit.kind === 'any' || expected.kind === 'any' || unit.text === expected.text
  return isSame ? [state + 1] : []
}
