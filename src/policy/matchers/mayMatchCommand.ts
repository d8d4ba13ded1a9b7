import path from 'node:path'
import type { Word } from '../../contracts/subject.ts'
import { isStarMatch } from '../../lib/text/matchesGlob.ts'
import { programName } from '../../lib/text/programName.ts'
import type { CommandForms } from './commandForms.ts'
import { isGlobMatch, withTail } from './globs.ts'
import { type CommandPattern, type GlobPattern, SEPARATOR } from './parseCommandPattern.ts'

/** A word of a rule: the texts between its stars. */
type Token = readonly string[]

/**
 * True if the pattern of a deny or ask rule may match the command. Options may stand between the words, and the rule's
 * own options may be in any order and spelling. A word that is unknown until run time may match any word.
 */
export function mayMatchCommand(pattern: CommandPattern, forms: CommandForms): boolean {
  if (pattern.kind === 'any') return true
  if (pattern.kind === 'glob') {
    const isMet = forms.denyTexts.some(([text = '', ...rest]) =>
      rest.length === 0 ? isGlobMatch(pattern, text) : mayFit(pattern, [text, ...rest]),
    )
    return isMet || areWordsNamed(tokensOf(pattern), pattern.hasOptionalTail || pattern.segments.at(-1) === '', forms)
  }
  const tokens = pattern.words.map((word): Token => [word])
  return areWordsNamed(tokens, pattern.kind === 'prefix', forms)
}

function areWordsNamed(tokens: readonly Token[], isOpen: boolean, forms: CommandForms): boolean {
  const isMet = (extent: Extent): boolean => extent === 'whole' || (extent === 'begin' && isOpen)
  if (isMet(mayStartWith(tokens, forms))) return true
  const [options, others] = partOptions(tokens)
  if (options.length === 0 || !options.every((option) => isOptionGiven(option, forms.argv))) return false
  const argv = forms.argv.filter((word) => word.kind !== 'literal' || !isOption(word.value))
  return isMet(mayStartWith(others, { ...forms, argv }))
}

const STAR = '\u0002'

function tokensOf({ segments }: GlobPattern): readonly Token[] {
  return segments
    .join(STAR)
    .split(SEPARATOR)
    .map((word) => word.split(STAR))
}

type Extent = 'no' | 'begin' | 'whole'

function isOption(word: string): boolean {
  return /^-[^-]|^--./.test(word)
}

function partOptions(tokens: readonly Token[]): readonly [options: readonly Token[], others: readonly Token[]] {
  const isOwn = ([start = '']: Token, index: number): boolean => index > 0 && isOption(start)
  return [tokens.filter(isOwn), tokens.filter((token, index) => !isOwn(token, index))]
}

/** Options that most programs, or some, accept in both spellings. */
const LONG_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ f: 'force', r: 'recursive', d: 'delete', g: 'global' },
    ...{ i: 'in-place', s: 'symbolic', u: 'unique', k: 'keep' },
  }),
)
/** The letters of these that programs take in either case. */
const EITHER_CASE = /[frdg]/i

/**
 * Whether an option of a deny rule is among the words in any order or spelling: `-rf` as `-r --force`, `--force` as
 * `--forc`. A word that is known only at run time may be any option.
 */
function isOptionGiven([option = '', ...more]: Token, argv: readonly Word[]): boolean {
  if (argv.slice(1).some(mayBeAnyOption)) return true
  const given = argv.slice(1).map(knownStart).filter(isOption)
  if (more.length > 0) {
    const isMet = given.some((word) => isStarMatch([option, ...more], word))
    return isMet || (option.length > '--x'.length && isOptionGiven([option], argv))
  }
  const short = given.filter((word) => !word.startsWith('--')).join('')
  const long = given.filter((word) => word.startsWith('--')).map(nameOfOption)
  const isLongGiven = (name: string): boolean =>
    long.some((each) => name.startsWith(each)) || (name === 'force' && isForcedPush(argv))
  const isEither = (letter: string): boolean => EITHER_CASE.test(letter)
  const isShortGiven = (letter: string): boolean =>
    isEither(letter) ? short.toLowerCase().includes(letter.toLowerCase()) : short.includes(letter)
  if (option.startsWith('--')) {
    const name = nameOfOption(option)
    const letter = [...LONG_NAMES].find(([, full]) => full === name)?.[0]
    return isLongGiven(name) || (letter !== undefined && isShortGiven(letter))
  }
  const letters = [...option.slice(1)].filter((letter) => /[a-z]/i.test(letter))
  const isLetterGiven = (letter: string): boolean =>
    isShortGiven(letter) || isLongGiven(LONG_NAMES.get(isEither(letter) ? letter.toLowerCase() : letter) ?? '-')
  return letters.length > 0 && letters.every(isLetterGiven)
}

/** Of an option, its name is in it if there is a `=`. */
function knownStart(word: Word): string {
  return word.kind === 'literal' || word.kind === 'glob' ? word.value : (word.prefix ?? '')
}

/**
 * True for an unknown word whose known parts may belong to the name of an option, up to a `=`: not for `*.js`,
 * `"$dir"/a` and `--onto="$x"`. Of several words, only the first has the known start.
 */
function mayBeAnyOption(word: Word): boolean {
  if (word.kind === 'literal') return false
  if (word.kind === 'many') return true
  if (word.kind === 'glob') return /^(?:-[\w-]*)?[*?[][\w*?[\]!^-]*(?:=|$)/.test(word.value)
  const isStart = word.prefix === undefined || /^-[\w-]*$/.test(word.prefix)
  return isStart && (word.suffix === undefined || /^[\w-]*(?:=|$)/.test(word.suffix))
}

/** `git push origin +main` and `git push --mirror` force like `--force`. */
function isForcedPush(argv: readonly Word[]): boolean {
  const starts = argv.map(knownStart)
  return starts.includes('push') && starts.some((start) => /^\+|^--mi/.test(start))
}

function nameOfOption(word: string): string {
  return word.slice(2).split('=', 1)[0] ?? ''
}

/** Whether the words may begin with the expected ones, skipping options and their values. */
function mayStartWith(expected: readonly Token[], { argv, name }: CommandForms): Extent {
  const [first = '', ...others] = expected[0] ?? []
  if (others.length > 0 || (programName(first) !== name && name !== undefined)) return 'no'
  let found = 1
  let canSkip = false
  for (const word of argv.slice(1)) {
    const token = expected[found]
    if (token === undefined) return 'begin'
    if (word.kind === 'many') return mayBegin(token, word.prefix) || canSkip || mayBeOption(word) ? 'whole' : 'no'
    if (word.kind === 'glob' && mayBe(token, word.value)) return 'whole'
    if (isTokenMet(token, word)) found += 1
    else if (mayBeOption(word)) canSkip = true
    else if (canSkip) canSkip = false
    else return 'no'
  }
  return found === expected.length ? 'whole' : 'no'
}

function isTokenMet(token: Token, word: Word): boolean {
  if (word.kind === 'dynamic') return mayBegin(token, word.prefix) && mayEnd(token, word.suffix)
  return word.kind === 'literal' && fits(token, word)
}

/** Of an unknown word only its start counts: one without a start may be any word. */
function mayBeOption(word: Word): boolean {
  const start = knownStart(word)
  return start.startsWith('-') || (word.kind === 'glob' && /^[*?[]/.test(start))
}

/** Also true for another spelling of a path: `./src/a`, `docs/../src/a`. */
function fits(token: Token, word: Extract<Word, { kind: 'literal' }>): boolean {
  const { value, written } = word
  const texts = [value, written ?? value, value.includes('./') ? path.posix.normalize(value) : value]
  return texts.some((text) => isStarMatch(token, text))
}

function mayBegin([start = '', ...more]: Token, prefix = ''): boolean {
  return start.startsWith(prefix) || (more.length > 0 && prefix.startsWith(start))
}

function mayEnd(token: Token, suffix = ''): boolean {
  const end = token.at(-1) ?? ''
  return end.endsWith(suffix) || (token.length > 1 && suffix.endsWith(end))
}

function mayBe(token: Token, glob: string): boolean {
  const parts = glob.split(/\*|\?|\[.*\]/)
  if (token.length === 1) return isStarMatch(parts, token[0] ?? '')
  const [start = '', begin = ''] = [token[0], parts[0]]
  return start.startsWith(begin) || begin.startsWith(start)
}

/** Whether some text matches both. With a star in each, only the literal ends can rule it out. */
function mayFit({ segments, hasOptionalTail }: GlobPattern, other: readonly string[]): boolean {
  const pattern = hasOptionalTail ? withTail(segments) : segments
  const [start, otherStart] = [pattern[0] ?? '', other[0] ?? '']
  const [end, otherEnd] = [pattern.at(-1) ?? '', other.at(-1) ?? '']
  if (!start.startsWith(otherStart) && !otherStart.startsWith(start)) return false
  return hasOptionalTail || end.endsWith(otherEnd) || otherEnd.endsWith(end)
}
