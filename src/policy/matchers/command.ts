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
    if (link.cover !== 'free' && !patterns.some((pattern) => isLinkCovered(pattern, link))) return false
  }
  return true
}

/** True when this allow rule by itself covers the link; one that is `free` only where the rule spells it. */
export function isLinkCovered(pattern: CommandPattern, link: CommandLink): boolean {
  if (link.cover === 'never') return false
  if (pattern.kind === 'any') return link.isOpaque !== true
  if (link.isMoved && namesFile(pattern)) return false
  if (pattern.kind === 'exact') return formsOf(link).allow.some((words) => isExactly(pattern.words, words))
  if (link.cover !== 'prefix' && !isSpelt(pattern, link)) return false
  const isKept = (rule: readonly string[]): boolean => link.mayTakeBack === true || !takesBack(rule, link.argv)
  if (pattern.kind === 'prefix') {
    return formsOf(link).allow.some((words) => startsWith(pattern.words, words)) && isKept(pattern.words)
  }
  if (!isKept(wordsOf(pattern))) return false
  if (climbs(pattern, link.argv) || leadsAway(pattern, link)) return false
  const { places, hasOptionalTail } = pattern
  const { allow, allowTexts } = formsOf(link)
  return allowTexts.some((text, form) => {
    if (!isGlobMatch(pattern, text)) return false
    if (!places) return true
    const spelt = allow[Math.floor(form / 2)] ?? []
    const staysIn = (index: number, folder: string): boolean => {
      const word = spelt[index]
      return word === undefined || link.staysIn === undefined || link.staysIn(word, folder)
    }
    return fitsPlaces(places, { words: text.split(SEPARATOR), staysIn }, hasOptionalTail)
  })
}

/** True where the rule spells the options that need it, in the same places. */
function isSpelt(pattern: CommandPattern, link: CommandLink): boolean {
  return pattern.kind === 'prefix' && startsWith(pattern.words, link.argv) && link.isSpeltBy?.(pattern.words) === true
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

/** True where the rule has a path from the project root among its words: `sh build.sh`, `rm dist/*`. */
function namesFile(pattern: Exclude<CommandPattern, { kind: 'any' }>): boolean {
  const words = pattern.kind === 'glob' ? wordsOf(pattern) : pattern.words
  const script = scriptOf(words)
  if (script !== undefined && !/^(?:run|test|task|fmt|lint|check)$/.test(script)) return true
  return words.slice(1).some((word) => {
    const path = word.replace(/^-+[\w-]*=/, '')
    return path.includes('/') && !/^(?:[-/~@]|\.\/\.\.\.$|\.\/$|[a-z+]+:\/\/)/i.test(path)
  })
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
  return argv.some((word) => word.kind !== 'dynamic' && /(?:^|\/)\.(?:\.|[*?[]+\.?\]?)(?:\/|$)/.test(word.value))
}

/** True where `scripts/*` names a link to a program elsewhere. In a `bin` that is what links are for. */
function leadsAway({ segments }: GlobPattern, { argv, staysIn }: CommandLink): boolean {
  const [program] = argv
  const start = segments[0] ?? ''
  const folder = start.slice(0, Math.max(start.lastIndexOf('/'), 0))
  if (staysIn === undefined || program === undefined || start.includes(SEPARATOR)) return false
  return folder !== '' && !/^[/~]|(?:^|\/)\.?bin$/.test(folder) && !staysIn(program, folder)
}

function isExactly(expected: readonly string[], words: readonly Word[]): boolean {
  return expected.length === words.length && startsWith(expected, words)
}

function startsWith(expected: readonly string[], words: readonly Word[]): boolean {
  return expected.length <= words.length && expected.every((text, index) => isWord(text, words[index]))
}
