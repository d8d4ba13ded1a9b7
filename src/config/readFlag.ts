import { RunError } from '../contracts/errors.ts'
import { parseDuration } from '../lib/text/duration.ts'
import type { Flag } from './Flag.ts'
import type { FlagValue } from './parseArguments.ts'

/** Converts the value of one flag to its kind. `raw` is the parser's value, from the command line or the environment. */
export function readFlag(name: string, flag: Flag, raw: unknown): FlagValue {
  const label = `--${name}`
  if (flag.kind === 'switch') {
    if (typeof raw !== 'boolean') throw new RunError('usage', `${label} is given twice.`)
    return raw
  }
  const words = (Array.isArray(raw) ? raw : [raw]).map(String)
  if (flag.mayBeEmpty === true && words.every((word) => word.trim() === '')) return []
  const isEmpty = (word: string) => word.trim() === '' || (flag.kind === 'list' && splitList(word).length === 0)
  if (words.some(isEmpty)) throw new RunError('usage', `${label} needs a value (${flag.value}).`)
  if (flag.kind === 'repeat') return words
  if (flag.kind === 'list') return words.flatMap(splitList)
  if (words.length > 1) throw new RunError('usage', `${label} is given twice.`)
  return readScalar(label, flag, words[0] ?? '')
}

function readScalar(label: string, flag: Flag, word: string): FlagValue {
  const isNot = (what: string) => new RunError('usage', `${label}: ${quote(word)} is not ${what}.`)
  switch (flag.kind) {
    case 'count':
      if (!/^\d{1,9}$/.test(word)) throw isNot(`a whole number from ${flag.mayBeZero === true ? 0 : 1} to 999999999`)
      return requirePositive(label, flag, Number(word))
    case 'money':
      if (!/^\d{1,9}(\.\d{1,6})?$/.test(word)) throw isNot('an amount such as 2.50')
      return requirePositive(label, flag, Number(word))
    case 'duration': {
      const milliseconds = (/^\d+$/.test(word) ? undefined : parseDuration(word)) ?? 0
      if (milliseconds === 0) throw isNot('a duration such as 90s, 20m or 1h30m')
      return milliseconds
    }
    case 'choice': {
      const refusal = flag.refusals?.[word]
      if (refusal !== undefined) throw new RunError('usage', `${label} ${word}: ${refusal}`)
      if (!flag.choices?.includes(word)) throw isNot(`one of ${flag.choices?.join(', ')}`)
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

function quote(word: string): string {
  return JSON.stringify(word.length > 60 ? `${word.slice(0, 60)}…` : word)
}
