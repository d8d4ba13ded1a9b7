import type { CommandLink, Subject, Word } from '../../contracts/subject.ts'
import { formsOf } from './commandForms.ts'
import { fitsPlaces } from './fitsPlaces.ts'
import { isGlobMatch } from './isGlobMatch.ts'
import { isWord } from './isWord.ts'
import { mayName } from './mayName.ts'
import { type CommandPattern, type GlobPattern, SEPARATOR } from './parseCommandPattern.ts'
import { takesBack } from './takesBack.ts'

/** One simple command of a Bash line, with the wrappers around it. */
export type CommandSubject = Extract<Subject, { kind: 'command' }>

/**
 * True when a deny or ask rule names any link of the chain. Looks past folders before the name, letter case of the name,
 * options between the words; a word that is only known when it runs counts as every word it may become.
 */
export function isCommandDenied(pattern: CommandPattern, subject: CommandSubject): boolean {
  return subject.chain.some((link) => mayName(pattern, formsOf(link)))
}

/** True when these allow rules cover every link of the chain, or one of them spells a whole link exactly. */
export function isCommandCovered(patterns: readonly CommandPattern[], subject: CommandSubject): boolean {
  if (subject.chain.some((link) => link.cover === 'never')) return false
  for (const link of subject.chain) {
    if (patterns.some((pattern) => pattern.kind === 'exact' && isLinkCovered(pattern, link))) return true
    if (link.cover !== 'none' && !patterns.some((pattern) => isLinkCovered(pattern, link))) return false
  }
  return true
}

/** What may be left out of account, to tell why a rule does not cover a link. */
export type Leniency = { readonly isMoved?: boolean; readonly takesBack?: boolean }

/** True when this allow rule by itself covers the link; one that needs nothing only where the rule spells it. */
export function isLinkCovered(pattern: CommandPattern, link: CommandLink, lenient: Leniency = {}): boolean {
  if (link.cover === 'never') return false
  if (pattern.kind === 'any') return link.cover !== 'exact'
  if (link.isMoved && !lenient.isMoved && namesProgramFile(pattern)) return false
  if (pattern.kind === 'exact') return formsOf(link).allow.some((words) => isExactly(pattern.words, words))
  if (link.cover === 'exact' && !isSpelled(pattern, link)) return false
  const rule = pattern.kind === 'glob' ? wordsOf(pattern) : pattern.words
  if (!lenient.takesBack && takesBack(rule, link.argv)) return false
  const { allow, allowTexts } = formsOf(link)
  if (pattern.kind === 'prefix') return allow.some((words) => startsWith(pattern.words, words))
  if (climbs(pattern, link.argv)) return false
  const { places, hasOptionalTail } = pattern
  return allowTexts.some(
    (text) => isGlobMatch(pattern, text) && (!places || fitsPlaces(places, text.split(SEPARATOR), hasOptionalTail)),
  )
}

/** True where the rule has the words that start another program, or is for an interpreter as a whole. */
function isSpelled(pattern: Exclude<CommandPattern, { kind: 'any' | 'exact' }>, link: CommandLink): boolean {
  const rule = pattern.kind === 'glob' ? wordsOf(pattern) : pattern.words
  if (link.isInterpreter && pattern.kind === 'prefix' && rule.length === 1) return true
  return link.spelled?.every((word) => rule.includes(word)) === true
}

/** What runs the file that its first operand names. */
const INTERPRETER =
  /^(?:(?:ba|da|z|k)?sh|node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php|lua|Rscript|pwsh|java|groovy|julia)$/
/** Behind these no file follows, but a program's text or a module. */
const INLINE = /^-\w*[cemp]$/

/** The word of a rule that an interpreter takes for its script, also behind wrappers. */
function scriptOf(words: readonly string[]): string | undefined {
  const rest = words.slice(words.findIndex((word) => INTERPRETER.test(word)) + 1)
  const script = rest.find((word) => !word.startsWith('-'))
  return rest.length === words.length || rest.some((word) => INLINE.test(word)) ? undefined : script
}

/** True where the rule names a program or a script by its place below the project root: `./gradlew`, `sh build.sh`. */
function namesProgramFile(pattern: Exclude<CommandPattern, { kind: 'any' }>): boolean {
  const words = pattern.kind === 'glob' ? wordsOf(pattern) : pattern.words
  const script = scriptOf(words)
  if (script !== undefined && !/^(?:run|test|task|fmt|lint|check)$/.test(script)) return true
  return /^[^/~].*\//.test(words[0] ?? '')
}

function wordsOf({ segments }: GlobPattern): readonly string[] {
  return segments.join('*').split(SEPARATOR)
}

/** True where a star stands for what is below a folder (`docs/*`), and a word of the command leads up again. */
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
