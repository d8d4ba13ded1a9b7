import type { CommandLink, Subject, Word } from '../../contracts/subject.ts'
import { isStarMatch } from '../../lib/text/matchesGlob.ts'
import { programName } from '../../lib/text/programName.ts'
import { takesScript } from '../../shell/programs/findStart.ts'
import { formsOf } from './commandForms.ts'
import { isGlobMatch } from './globs.ts'
import { mayMatchCommand } from './mayMatchCommand.ts'
import { type CommandPattern, type GlobPattern, type PlaceToken, SEPARATOR } from './parseCommandPattern.ts'

export type CommandSubject = Extract<Subject, { kind: 'command' }>

/**
 * True if a deny or ask rule matches any link of the chain. Ignores folders before the name, the case of the name, and
 * options between the words. A word that is unknown until run time may match anything.
 */
export function isCommandDenied(pattern: CommandPattern, subject: CommandSubject): boolean {
  return subject.chain.some((link) => mayMatchCommand(pattern, formsOf(link)))
}

/** True if these allow rules cover every link of the chain, or one of them matches a whole link exactly. */
export function isCommandCovered(patterns: readonly CommandPattern[], subject: CommandSubject): boolean {
  if (subject.chain.some((link) => link.cover === 'never')) return false
  for (const link of subject.chain) {
    if (patterns.some((pattern) => pattern.kind === 'exact' && isLinkCovered(pattern, link))) return true
    if (link.cover !== 'none' && !patterns.some((pattern) => isLinkCovered(pattern, link))) return false
  }
  return true
}

/** What to ignore, to find out why a rule does not cover a link. */
export type Leniency = { readonly isMoved?: boolean; readonly overridesRule?: boolean }

/** True if this allow rule alone covers the link. A link that needs no rule is covered only by an exact one. */
export function isLinkCovered(pattern: CommandPattern, link: CommandLink, lenient: Leniency = {}): boolean {
  if (link.cover === 'never') return false
  if (pattern.kind === 'any') return link.cover !== 'exact'
  if (link.isMoved && !lenient.isMoved && namesProgramFile(pattern)) return false
  if (pattern.kind === 'exact') return formsOf(link).allow.some((words) => isExactly(pattern.words, words))
  if (link.cover === 'exact' && !isSpelled(pattern, link)) return false
  // Of thousands of rules few fit the words, so the costly looks come last.
  if (!fits(pattern, link)) return false
  return lenient.overridesRule === true || !overridesRule(wordsOf(pattern), link.argv)
}

function fits(pattern: Exclude<CommandPattern, { kind: 'any' | 'exact' }>, link: CommandLink): boolean {
  const { allow, allowTexts } = formsOf(link)
  if (pattern.kind === 'prefix') return allow.some((words) => startsWith(pattern.words, words))
  const { places, hasOptionalTail } = pattern
  const isMatch = allowTexts.some(
    (text) => isGlobMatch(pattern, text) && (!places || matchesPlaces(places, text.split(SEPARATOR), hasOptionalTail)),
  )
  return isMatch && !climbs(pattern, link.argv)
}

/** True if the rule contains the words that start another program, or allows an interpreter as a whole. */
function isSpelled(pattern: Exclude<CommandPattern, { kind: 'any' | 'exact' }>, link: CommandLink): boolean {
  const rule = wordsOf(pattern)
  if (link.isInterpreter && pattern.kind === 'prefix' && rule.length === 1) return true
  return link.spelled?.every((word) => rule.includes(word)) === true
}

/** After these, no file follows but a program's text or a module. */
const INLINE = /^-\w*[cemp]$/

/** The word of a rule that an interpreter takes as its script, also after wrappers. */
function scriptOf(words: readonly string[]): string | undefined {
  const rest = words.slice(words.findIndex((word) => takesScript(programName(word))) + 1)
  const script = rest.find((word) => !word.startsWith('-'))
  return rest.length === words.length || rest.some((word) => INLINE.test(word)) ? undefined : script
}

/** True if the rule names a program or a script by its path below the project root: `./gradlew`, `sh build.sh`. */
function namesProgramFile(pattern: Exclude<CommandPattern, { kind: 'any' }>): boolean {
  const words = wordsOf(pattern)
  const script = scriptOf(words)
  if (script !== undefined && !/^(?:run|test|task|fmt|lint|check)$/.test(script)) return true
  return /^[^/~].*\//.test(words[0] ?? '')
}

/** The words of a rule, each with its stars. */
export function wordsOf(pattern: Exclude<CommandPattern, { kind: 'any' }>): readonly string[] {
  return pattern.kind === 'glob' ? pattern.segments.join('*').split(SEPARATOR) : pattern.words
}

/** True if a star stands for paths below a folder (`docs/*`), and a word of the command goes up again. */
function climbs({ segments }: GlobPattern, argv: readonly Word[]): boolean {
  const isBelow = segments
    .slice(0, -1)
    .some((segment) => segment.slice(segment.lastIndexOf(SEPARATOR) + 1).includes('/'))
  if (!isBelow || segments.some((segment) => segment.includes('..'))) return false
  return argv.some(
    (word) =>
      (word.kind === 'literal' || word.kind === 'glob') && /(?:^|\/)\.(?:\.|[*?[]+\.?\]?)(?:\/|$)/.test(word.value),
  )
}

function isExactly(expected: readonly string[], words: readonly Word[]): boolean {
  return expected.length === words.length && startsWith(expected, words)
}

function startsWith(expected: readonly string[], words: readonly Word[]): boolean {
  return expected.length <= words.length && expected.every((text, index) => isWord(text, words[index]))
}

/** True if a word of a command equals the text, as written or as the command gets it. */
function isWord(text: string, word: Word | undefined): boolean {
  if (word === undefined || word.kind === 'dynamic' || word.kind === 'many') return false
  return word.value === text || (word.kind === 'literal' && word.written === text)
}

/** With more words than this, a star that may match several words is not tried. */
const MAX_WORDS = 256

/**
 * Whether the words match a rule with a star below a folder. That star matches one or more such places; any other star
 * matches any words. Every word is checked once for each token.
 */
function matchesPlaces(tokens: readonly PlaceToken[], words: readonly string[], isOpen: boolean): boolean {
  if (words.length > MAX_WORDS && tokens.some(({ kind }) => kind === 'free')) return false
  const reached = Array.from({ length: words.length + 1 }, () => new Set<number>())
  reached[0]?.add(0)
  for (const [index, states] of reached.entries()) {
    if (states.has(tokens.length) && (isOpen || index === words.length)) return true
    for (const state of states) for (const [end, next] of steps(tokens, words, state, index)) reached[end]?.add(next)
  }
  return false
}

function* steps(
  tokens: readonly PlaceToken[],
  words: readonly string[],
  state: number,
  index: number,
): Generator<readonly [end: number, next: number]> {
  const token = tokens[state]
  if (token === undefined) return
  const last = token.kind === 'free' ? words.length : Math.min(index + 1, words.length)
  for (let end = index + 1; end <= last; end += 1) {
    if (!isStarMatch(token.segments, words.slice(index, end).join('\0'))) continue
    yield [end, state + 1]
    if (token.kind === 'place') yield [end, state]
  }
}

/**
 * Whether a word of the command overrides an option of the rule: `--no-dry-run` or `--dry-run=false` against
 * `--dry-run`, and the reverse. Rules know nothing else about the meaning of options.
 */
export function overridesRule(rule: readonly string[], argv: readonly Word[]): boolean {
  const own = new Set(rule)
  const fixed = rule.filter((word) => /^--[a-z]/i.test(word)).map(nameOf)
  if (fixed.length === 0) return false
  const end = argv.findIndex((word) => word.kind === 'literal' && word.value === '--')
  const others = argv
    .slice(1, end < 0 ? undefined : end)
    .flatMap((word) => (word.kind === 'literal' && !own.has(word.value) ? [word.value] : []))
  return others.some((word) => word.startsWith('--') && fixed.some((name) => isAgainst(name, word)))
}

function isAgainst(name: string, word: string): boolean {
  const other = nameOf(word)
  if (other === `no-${name}` || name === `no-${other}`) return true
  return other === name && /=(?:false|0|no|off|none|never)$/i.test(word)
}

function nameOf(option: string): string {
  return option.replace(/^--/, '').replace(/=.*$/s, '')
}

/** Whether a text that may contain commands has every word of a rule's pattern, anywhere. */
export function mayContainCommand(pattern: CommandPattern, text: string): boolean {
  const rule = pattern.kind === 'any' ? [] : wordsOf(pattern)
  const words = rule.filter((word) => word !== '' && (pattern.kind !== 'glob' || !word.includes('*')))
  if (words.length === 0) return false
  const tokens = new Set(text.toLowerCase().split(/[^\w./@+-]+/))
  return words.every((word) => tokens.has(word.toLowerCase()))
}
