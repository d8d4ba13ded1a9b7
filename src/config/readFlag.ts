import { RunError } from '../contracts/errors.ts'
import { parseDuration } from '../lib/text/duration.ts'
import type { Flag } from './Flag.ts'
import type { FlagValue } from './parseArguments.ts'

/** Converts the values of one flag to its kind: those of the command line, or that of the environment. */
export function readFlag(name: string, flag: Flag, words: readonly string[]): FlagValue {
  const { kind, value, mayBeEmpty } = flag
  const label = `--${name}`
  const [word = ''] = words
  if (words.length > 1 && kind !== 'list' && kind !== 'repeat') throw new RunError('usage', `${label} is given twice.`)
  if (kind === 'switch') return true
  if (mayBeEmpty === true && words.every(isBlank)) return []
  const lists = words.map(splitList)
  if (words.some(isBlank) || (kind === 'list' && lists.some(({ length }) => length === 0)))
    throw new RunError('usage', `${label} needs a value (${value}).`)
  if (kind === 'list') return lists.flat()
  return kind === 'repeat' ? words : readScalar(label, flag, word)
}

function readScalar(label: string, flag: Flag, word: string): FlagValue {
  const refused = (is: string) => new RunError('usage', `${label}: ${quote(word)} is not ${is}.`)
  switch (flag.kind) {
    case 'count':
      if (!/^\d{1,9}$/.test(word)) throw refused(`a whole number from ${flag.mayBeZero === true ? 0 : 1} to 999999999`)
      return requirePositive(label, flag, Number(word))
    case 'money':
      if (!/^\d{1,9}(\.\d{1,6})?$/.test(word)) throw refused('an amount such as 2.50')
      return requirePositive(label, flag, Number(word))
    case 'duration': {
      const milliseconds = /^\d+$/.test(word) ? 0 : (parseDuration(word) ?? 0)
      if (milliseconds === 0) throw refused('a duration such as 90s, 20m or 1h30m')
      return milliseconds
    }
    case 'choice': {
      const refusal = flag.refusals?.[word]
      if (refusal !== undefined) throw new RunError('usage', `${label} ${word}: ${refusal}`)
      if (!flag.choices?.includes(word)) throw refused(`one of ${flag.choices?.join(', ')}`)
      return word
    }
    default:
      return word
  }
}

/** The count, which may be 0 only where the flag says so. */
export function requirePositive(label: string, { mayBeZero = false }: Flag, count: number): number {
  if (count === 0 && !mayBeZero) throw new RunError('usage', `${label} must be more than 0.`)
  return count
}

/** Splits `Read, Bash(git log, *)` at commas and blanks outside parentheses. */
export function splitList(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let part = ''
  for (const char of text) {
    if (char === '(') depth++
    if (char === ')') depth = Math.max(0, depth - 1)
    if (depth === 0 && (char === ',' || /\s/.test(char))) {
      parts.push(part)
      part = ''
    } else part += char
  }
  return [...parts, part].map((item) => item.trim()).filter((item) => item !== '')
}

function isBlank(word: string): boolean {
  return word.trim() === ''
}

function quote(word: string): string {
  return JSON.stringify(word.length > 60 ? `${word.slice(0, 60)}…` : word)
}
