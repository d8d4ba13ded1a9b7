import type { Reason } from '../../contracts/reason.ts'
import type { CommandLink, Word } from '../../contracts/subject.ts'
import { textOf } from '../programs/literalWord.ts'
import { assignmentProblem } from '../walk/assignmentProblem.ts'

const NAME = /^[A-Za-z_]\w*$/
/** They affect only the shell itself, whatever their arguments are. */
const HARMLESS = new Set(
  'true false : disown fg bg dirs times ulimit umask shift type caller return exit break continue popd'.split(' '),
)
/** Builtins whose operands are names or assignments. */
export const DECLARATION_BUILTINS = new Set('export declare typeset local readonly'.split(' '))
const SHOPT = /^(?:nullglob|dotglob|globstar|failglob|nocaseglob|nocasematch|inherit_errexit)$/
const SET = /^[-+][aefuvxCEhmnT]+$/
const SET_OPTION = /^(?:pipefail|errexit|nounset|xtrace|verbose|noglob|noclobber|allexport)$/

/** What a builtin needs: nothing if it cannot run anything, otherwise an exact rule. Undefined for anything else. */
export function builtinLink(argv: readonly Word[]): CommandLink | undefined {
  const name = textOf(argv[0])
  const problem = problemOf(name, argv)
  if (problem === undefined) return undefined
  if (problem === '') return { argv, cover: 'none' }
  if (problem === 'variable') return { argv, cover: 'exact', why: { code: 'variable', name: variableOf(argv) } }
  if (problem === 'unseen') {
    const why = MEANINGS[name] ?? ({ code: 'unseenCommands', program: name } as const)
    return { argv, cover: 'exact', isUnseen: true, why }
  }
  const instead = INSTEAD[problem]
  return { argv, cover: 'exact', why: { code: 'construct', what: problem, ...(instead ? { instead } : {}) } }
}

const OPTION = 'a shell option that changes how the line is parsed'
const UNSET = 'removing a function'
const TEST = 'a test whose operands may be `-v`'

/** What these change for the rest of the line. */
const MEANINGS: Readonly<Record<string, Reason>> = {
  set: { code: 'construct', what: 'a shell option that is known only at run time', instead: 'Write the option out.' },
  shopt: { code: 'construct', what: OPTION, instead: 'Leave out that option.' },
  hash: { code: 'construct', what: 'another file for the name of a program', instead: 'Run the program by its path.' },
}

/** What would work in place of a construct. */
const INSTEAD: Readonly<Record<string, string>> = {
  [OPTION]: 'Leave out that option.',
  [UNSET]: 'Give the function another name.',
  [TEST]: 'Put the operands in double quotes and use one comparison.',
  let: 'Use `$((…))` with plain numbers.',
  'wait with a variable': 'Use `wait` alone, or with `"$!"`.',
}

/** Empty: harmless; undefined: not a known builtin. */
function problemOf(name: string, argv: readonly Word[]): string | undefined {
  const words = argv.slice(1)
  const values = words.map(valueOfWord)
  if (HARMLESS.has(name)) return ''
  if (DECLARATION_BUILTINS.has(name)) return declareProblem(values)
  switch (name) {
    case 'jobs':
      return values.every((value) => value !== undefined && !/^-.*x/.test(value)) ? '' : 'unseen'
    case 'set':
      return setProblem(values)
    case 'shopt':
      return values.every((value = '') => /^-[suqp]+$/.test(value) || SHOPT.test(value)) ? '' : 'unseen'
    case 'unset':
      if (values.some((value = '') => /^-\w*f/.test(value))) return UNSET
      return values.every((value) => value === '-v' || isPlainName(value)) ? '' : 'variable'
    case 'read':
      return readProblem(values)
    case 'mapfile':
    case 'readarray':
      if (values.some((value) => value === undefined || /^-.*[Cc]/.test(value))) return 'unseen'
      return values.every((value = '') => /^(?:-\w|\d+$)/.test(value) || isPlainName(value)) ? '' : 'variable'
    case 'getopts':
      return isPlainName(values[1]) ? '' : 'variable'
    case 'wait':
      return waitProblem(words)
    case 'let':
      return 'let'
    case 'hash':
      return values.every((value) => value !== undefined && !/^-(?!r$)/.test(value)) ? '' : 'unseen'
    case 'trap':
      // A literal script is judged.
      return /^-[lp]$/.test(values[0] ?? '') || !values.includes(undefined) ? '' : 'unseen'
    case 'command':
      return /^-[vV]$/.test(values[0] ?? '') ? '' : undefined
    case 'test':
    case '[':
      return testProblem(argv) || (name === '[' && values.at(-1) !== ']') ? TEST : ''
    case 'printf':
      return printfProblem(words)
    default:
      return undefined
  }
}

/** The text of a word. For an assignment: its name and the sign. */
function valueOfWord(word: Word): string | undefined {
  if (word.kind === 'literal') return word.value
  return word.kind === 'dynamic' && /^[A-Za-z_]\w*\+?=$/.test(word.prefix ?? '') ? word.prefix : undefined
}

function isPlainName(value: string | undefined): boolean {
  return value !== undefined && NAME.test(value) && assignmentProblem(value) === undefined
}

/** The variable among the words that controls what runs, also behind an option's letter; empty if none is named. */
function variableOf(argv: readonly Word[]): string {
  const texts = argv.flatMap((word) => valueOfWord(word) ?? []).flatMap((value) => [value, value.replace(/^-\w/, '')])
  return texts.map(assignedName).find((name) => name !== undefined && assignmentProblem(name) !== undefined) ?? ''
}

/** `export A`, `local a b`. Assignments among the words are read elsewhere. */
function declareProblem(values: readonly (string | undefined)[]): string {
  if (values.some((value = '') => /^[-+]\w*[inf]/.test(value)))
    return 'a computed variable name or an exported function'
  const isKnown = values.every((value = '') => /^[-+][A-Za-z]+$/.test(value) || isPlainName(assignedName(value)))
  return isKnown ? '' : 'variable'
}

/** `A` of `A`, `A=b` and `A+=b`. */
function assignedName(value: string): string | undefined {
  return /^([A-Za-z_]\w*)(?:\+?=|$)/.exec(value)?.[1]
}

function setProblem(values: readonly (string | undefined)[]): string {
  let index = 0
  for (; index < values.length; index += 1) {
    const value = values[index]
    if (value === '--') return ''
    if (value === undefined) return 'unseen'
    if (/^[-+][aefuvxCEhmnT]*o$/.test(value)) {
      index += 1
      if (!SET_OPTION.test(values[index] ?? '')) return OPTION
    } else if (!SET.test(value)) return value.startsWith('-') || value.startsWith('+') ? OPTION : ''
  }
  return ''
}

/** Options in one word, up to the first that takes a value: the rest of the word, or else the next one. */
const READ_OPTIONS = /^-(?:[eEsr]*)(?:([adinNptu])(.*))?$/s

function readProblem(values: readonly (string | undefined)[]): string {
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index]
    if (value === undefined) return 'variable'
    if (!value.startsWith('-')) {
      if (!isPlainName(value)) return 'variable'
      continue
    }
    const [, option, rest = ''] = READ_OPTIONS.exec(value) ?? [undefined, '']
    if (option === '') return 'variable'
    if (option === undefined) continue
    if (rest === '') index += 1
    if (option === 'a' && !isPlainName(rest || values[index])) return 'variable'
  }
  return ''
}

/** `-p` assigns a variable. A single word that is known only at run time is a job at most. */
function waitProblem(words: readonly Word[]): string {
  const unknown = words.filter(({ kind }) => kind !== 'literal')
  const isPlain = words.every((word) => word.kind === 'dynamic' || /^(?:-[fn]|[\w%]+)$/.test(textOf(word)))
  return isPlain && (unknown.length === 0 || words.length === 1) ? '' : 'wait with a variable'
}

/** `-v` and `%n` assign variables. */
function printfProblem(words: readonly Word[]): string | undefined {
  let at = 0
  for (let option = textOf(words[at]); option.startsWith('-v'); option = textOf(words[at])) {
    const name = option.slice(2) || textOf(words[at + 1])
    if (!isPlainName(name)) return 'variable'
    at += option === '-v' ? 2 : 1
  }
  const isAssigning = at > 0
  if (textOf(words[at]) === '--') at += 1
  const format = words[at]
  if (format === undefined) return isAssigning ? '' : undefined
  if (format.kind !== 'literal')
    return words.length - at > 1 || format.kind !== 'dynamic'
      ? 'printf with a format that is known only at run time'
      : isAssigning
        ? ''
        : undefined
  if (/%[^A-Za-z%]*[hjlLqtz]*n/.test(format.value.replaceAll('%%', ''))) return 'printf %n'
  return isAssigning ? '' : undefined
}

/** One operand, used as text or as a file name. */
const UNARY = /^-[a-hknprstuwxzGLNOS]$/
const BINARY = /^(?:==?|!=|<|>|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))$/
const AND_OR = /^-[ao]$/

/** True if `test` may evaluate a subscript: through `-v`, `-R`, or a word that may become one of them at run time. */
function testProblem(argv: readonly Word[]): boolean {
  const words = argv.slice(1)
  if (words.some((word) => /^-[vR]$/.test(textOf(word)))) return true
  if (words.every((word) => word.kind === 'literal')) return false
  const isBracket = textOf(argv[0]) === '['
  const operands = isBracket ? words.slice(0, -1) : words
  if (operands.some((word) => word.kind === 'many' || word.kind === 'glob')) return true
  return !isPlain(operands)
}

/** `-n X` or `X = Y`, each with an optional `!` before it, joined by `-a` or `-o`. */
function isPlain(words: readonly Word[]): boolean {
  const joint = words.findIndex((word) => AND_OR.test(textOf(word)))
  if (joint > 0) return isPlain(words.slice(0, joint)) && isPlain(words.slice(joint + 1))
  const own = textOf(words[0]) === '!' ? words.slice(1) : words
  if (own.length === 1) return words.length === own.length
  if (own.length === 2) return UNARY.test(textOf(own[0]))
  return own.length === 3 && BINARY.test(textOf(own[1]))
}
