import { memoizeFor } from '../../lib/memoize.ts'
import type { RuleTarget } from '../Policy.ts'

/** Separates two words of a command in pattern text; no word can contain it. */
export const SEPARATOR = '\0'

/**
 * The specifier of a `Bash(…)` rule, ready to match: `any` command, a word `prefix`, the `exact` words, or a `glob`
 * whose literal `segments` lie between its stars.
 */
export type CommandPattern =
  | { readonly kind: 'any' }
  | { readonly kind: 'prefix'; readonly words: readonly string[] }
  | { readonly kind: 'exact'; readonly words: readonly string[] }
  | GlobPattern

/** A word of a rule: `place` has a star below a folder, `free` has one that matches any words. */
export type PlaceToken = { readonly kind: 'one' | 'place' | 'free'; readonly segments: readonly string[] }

/** `places` exists if a star stands below a folder (`dist/*`): an allow rule then has to match these words. */
export type GlobPattern = {
  readonly kind: 'glob'
  readonly segments: readonly string[]
  readonly hasOptionalTail: boolean
  readonly places?: readonly PlaceToken[]
}

/**
 * The pattern of a rule specifier. An `error` says why the rule could never match, and what to write instead. It is an
 * error in a deny or ask list and a warning in an allow list.
 */
export function parseCommandPattern(specifier: string): CommandPattern | CommandProblem {
  const text = specifier.trim()
  if (text === '*') return { kind: 'any' }
  if (text === '' || text === ':*') return { error: 'the specifier is empty; write `Bash` for every command' }
  if (text.startsWith('command:')) return { error: '`command:` is not a part of Bash rules; write the command alone' }
  const tail = text.endsWith(':*') ? ':*' : /[ \t]\*$/.test(text) ? ' *' : ''
  const body = text.slice(0, text.length - tail.length).trimEnd()
  const kind = tail === '' ? 'exact' : 'prefix'
  if (PLAIN.test(body)) {
    const words = wordsOf(body)
    if (!KEYWORDS.has(words[0] ?? '')) return { kind, words }
  }
  const foreign = problemOfCommandText(text)
  if (foreign) return foreign
  if (body.includes(':*')) return { error: '`:*` has a meaning only at the end; write `*`' }
  const tokens = tokenize(body)
  if ('error' in tokens) return tokens
  const problem = problemOf(tokens)
  if (problem) return { error: problem }
  if (tokens.some((token) => token.segments.length > 1)) {
    const hasOptionalTail = tail !== ''
    const places = placesOf(tokens)
    return { kind: 'glob', segments: joinSegments(tokens), hasOptionalTail, ...(places ? { places } : {}) }
  }
  return { kind, words: tokens.map((token) => token.segments[0] ?? '') }
}

/** Most rules: literal words, and no dots at the end. */
const PLAIN = /^\w(?:[\w\s./@%+-]*[\w/@%+-])?$/

/** One word of a rule: the literal text between its stars. `source` is the text as written. */
type Token = { readonly segments: readonly string[]; readonly source: string }

function problemOf(tokens: readonly Token[]): string | undefined {
  const [first] = tokens
  const name = first?.source ?? ''
  if (/^[A-Za-z_]\w*\+?=/.test(name))
    return 'a rule names a command without assignments before it; leave the assignment out'
  if (/^[\w.-]+:[\w-]+$/.test(name))
    return `\`:\` has a meaning only before \`*\` at the end; write \`${name.replace(':', ' ')}\``
  if (KEYWORDS.has(name)) return `\`${name}\` is not a command; write the command inside it`
  for (const { source } of tokens) {
    const problem = SPECIAL.test(source) ? problemOfWord(source) : undefined
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Characters that every word of shell grammar contains. */
const SPECIAL = /[;|&<>`$#{]/

function problemOfWord(source: string): string | undefined {
  if (/^(?:&&?|\|\|?|;|(?:\d*|&)(?:<|>).*)$|^[^'"\\]*[^'"\\;|&][;|&]+$/.test(source))
    return `\`${source}\` never matches: a rule names one simple command; redirects are judged by Edit and Read rules`
  if (/^[^'"\\]*(?:`|\$[({])/.test(source)) return `\`${source}\` is known only at run time, so no rule can name it`
  if (/^[^'"\\]*\{[^{}'"\\]*(?:,|\.\.)[^{}'"\\]*\}/.test(source))
    return `\`${source}\`: braces are literal; write a rule for each alternative`
  return source.startsWith('#')
    ? '`#` starts a comment in bash, so what follows it never matches; quote it if you mean a literal `#`'
    : undefined
}

/** Reserved words of the shell: a command line may begin with them, a simple command does not. */
const KEYWORDS = new Set(['if', 'for', 'while', 'until', 'case', 'select', 'function', '!', '[[', 'coproc'])

/**
 * `rm dist/*` means paths below dist: one or more words, none of them an option or another path. Stars that are not
 * below a folder, and one in the program's own name, match any words.
 */
function placesOf(tokens: readonly Token[]): readonly PlaceToken[] | undefined {
  const kinds = tokens.map(({ segments }, index): PlaceToken => {
    if (segments.length === 1) return { kind: 'one', segments }
    const isPlace = index > 0 && segments.slice(0, -1).join('*').includes('/')
    return { kind: isPlace ? 'place' : 'free', segments }
  })
  return kinds.some(({ kind }) => kind === 'place') ? kinds : undefined
}

function joinSegments(tokens: readonly Token[]): string[] {
  const joined: string[] = []
  for (const [index, token] of tokens.entries()) {
    const [first = '', ...rest] = token.segments
    if (index === 0) joined.push(first)
    else joined.push(`${joined.pop() ?? ''}${SEPARATOR}${first}`)
    joined.push(...rest)
  }
  return joined
}

/** Splits at spaces. Quotes and backslashes work as in bash; an unescaped star is a wildcard. */
function tokenize(text: string): Token[] | { readonly error: string } {
  if (!/["'\\]/.test(text)) return wordsOf(text).map((source) => ({ segments: source.split('*'), source }))
  const tokens: Token[] = []
  let index = 0
  while (index < text.length) {
    if (/\s/.test(text.charAt(index))) {
      index += 1
      continue
    }
    const read = readToken(text, index)
    if (!read) return { error: 'a quote is not closed' }
    tokens.push(read.token)
    index = read.end
  }
  return tokens
}

function wordsOf(text: string): readonly string[] {
  return text === '' ? [] : text.trim().split(/\s+/)
}

function readToken(text: string, start: number): { readonly token: Token; readonly end: number } | undefined {
  const segments: string[] = ['']
  const add = (character: string): void => {
    segments.push(`${segments.pop() ?? ''}${character}`)
  }
  let quote = ''
  let index = start
  for (; index < text.length; index += 1) {
    const character = text.charAt(index)
    const next = text.charAt(index + 1)
    if (quote === '' && /\s/.test(character)) break
    if (
      character === '\\' &&
      next !== '' &&
      (quote === '' || next === '*' || (quote === '"' && '"\\$`'.includes(next)))
    ) {
      add(next)
      index += 1
    } else if (character === quote) quote = ''
    else if (quote === '' && (character === '"' || character === "'")) quote = character
    else if (character === '*') segments.push('')
    else add(character)
  }
  return quote === '' ? { token: { segments, source: text.slice(start, index) }, end: index } : undefined
}

/** Why a rule's command is probably not what its author means, and the specifiers to write instead, one per rule. */
type CommandProblem = { readonly error: string; readonly edits?: readonly string[] }

/** Syntax of other languages that no command matches: outer quotes, regular expressions, lists, prompts, dots. */
function problemOfCommandText(text: string): CommandProblem | undefined {
  if (PLAIN_TEXT.test(text) && !text.endsWith('...')) return undefined
  const [, quote, quoted = '', tail = ''] = /^(["'])((?:(?!\1|\\).)*)\1(:\*|[ \t]+\*)?$/s.exec(text) ?? []
  if (quote !== undefined && /\s/.test(quoted) && !quoted.includes('/')) {
    return { error: 'the quotes make it one word; leave them out', edits: [`${quoted}${tail}`] }
  }
  if (/^\^|^\/[^/\s]+\s.*\/$/s.test(text)) {
    return { error: 'regular expressions are not supported; `*` stands for anything', edits: [withoutRegex(text)] }
  }
  if (/^(?:[$%>-]|-[\w-]*)\s/.test(text)) {
    const [, rest = ''] = /^\S+\s+(.*)$/s.exec(text) ?? []
    return { error: 'a rule starts with the name of a command', ...(/\w/.test(rest) && { edits: [rest] }) }
  }
  if (/\s(?:…|\.{3})$/.test(text)) {
    return { error: 'dots are literal; `*` stands for anything', edits: [text.replace(/\S+$/, '*')] }
  }
  const commands = commandsOf(text)
  if (commands.length === 1 && commands[0] !== text) {
    return { error: 'the character at its end would be part of the command', edits: commands }
  }
  return commands.length > 1 ? { error: 'a rule names one command; write a rule for each', edits: commands } : undefined
}

/** Most rules: nothing to check. */
const PLAIN_TEXT = /^\w[^"'|,;^$\u2026]*$/

function withoutRegex(text: string): string {
  const inner = text.replace(/^[/^]+/, '').replace(/[$/]+$/, '')
  return `${inner.replace(/\s*\.\*$/, '').replaceAll('.*', '*')} *`
}

/** The commands of a list in one rule: `curl|wget`, `git push*|git reset*`, `curl *, wget *`. */
function commandsOf(text: string): readonly string[] {
  if (!/[|,;]/.test(text) || /["'\\]/.test(text)) return [text]
  const [name = ''] = /^[^\s|,;]*/.exec(text) ?? []
  const isSame = (command: string): boolean => command === name || command.startsWith(`${name} `)
  const parts = text.split(/\s*[|,;]\s*/)
  const [first = '', ...rest] = parts
  const others = rest.filter((part) => part !== '')
  const isRepeated = others.length > 0 && others.every(isSame)
  return first === name || isRepeated || BEHIND_A_STAR.test(text) ? [first, ...others] : [text]
}

/** A list continues or ends after a command that ends in a star. */
const BEHIND_A_STAR = /\*\s*[,;|]\s*(?:$|[a-z][\w.-]*(?:\s|\*?$))/

type CommandTarget = Extract<RuleTarget, { kind: 'command' }>

/** The pattern of a rule on commands. One that never matches is no such target. */
export const commandPatternOf = memoizeFor((target: CommandTarget): CommandPattern => {
  const pattern = parseCommandPattern(target.pattern)
  if ('error' in pattern) throw new Error(pattern.error)
  return pattern
})
