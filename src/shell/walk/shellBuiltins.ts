import type { Command, CommandArgument } from 'unbash'
import type { Reason } from '../../contracts/reason.ts'
import type { Word } from '../../contracts/subject.ts'
import { DECLARATION_BUILTINS } from '../chain/builtinLink.ts'
import { textOf } from '../programs/literalWord.ts'
import { type ReadWord, wordProblem } from '../words/readWord.ts'
import { builtinWords } from './changeDirectory.ts'
import type { Walk } from './Walk.ts'

/** They may assign any variable, through a text that is not part of the script's syntax tree. */
export const OPEN = new Set(['eval', '.', 'source', 'trap', 'builtin', 'command', 'let', 'alias'])
export const DIRECTORY_BUILTINS = new Set(['cd', 'pushd', 'popd', 'eval', '.', 'source', 'command', 'builtin', 'trap'])
const VARIABLE_BUILTINS = new Set(
  'read mapfile readarray getopts unset printf local declare typeset export readonly'.split(' '),
)

/** True for a builtin that may assign a variable, change the directory, or run more text. */
function changesShell(name: string): boolean {
  return VARIABLE_BUILTINS.has(name) || DIRECTORY_BUILTINS.has(name) || OPEN.has(name)
}

/** The variables that a builtin may assign. */
export function namedBy({ name, args }: Command): readonly string[] {
  if (!VARIABLE_BUILTINS.has(name?.value ?? '')) return []
  const words = args.flatMap((each) => (each.type === 'Word' ? [each.value] : []))
  return words.flatMap((word) => {
    // The value of an option may follow its letter: `-raf`.
    const letters = /^-[A-Za-z_]\w*/.exec(word)?.[0] ?? ''
    const own = /^([A-Za-z_]\w*)/.exec(word)?.[1]
    return own === undefined ? Array.from(letters, (_, at) => letters.slice(at)) : [own]
  })
}

/** `read -a f`, `mapfile f`, `declare -A f`. */
export function namesArrays({ name, args }: Command): boolean {
  const program = name?.value ?? ''
  if (!VARIABLE_BUILTINS.has(program)) return false
  return (
    /^(?:mapfile|readarray)$/.test(program) || args.some((each) => /^[-+]\w*[aA]/.test(each.text.replace(/^['"]/, '')))
  )
}

/** `read $n`, `read {a,b}`: the name of what is assigned is not in the line. */
export function hasUnknownTarget({ name, args }: Command): boolean {
  const program = name?.value ?? ''
  if (!VARIABLE_BUILTINS.has(program)) return false
  const words = args.flatMap((each) => (each.type === 'Word' ? [each] : []))
  const [first, second] = words.map(({ text }) => /^["']?\$|\{/.test(text))
  if (program !== 'printf') return words.some(({ text }) => /[${]/.test(text))
  if (first === true) return words.length > 2
  return second === true && words[0]?.value === '-v'
}

/** `command -v` only looks a name up. */
export function isQuery({ name, args }: Command): boolean {
  const [first] = args
  return name?.value === 'command' && first?.type === 'Word' && /^-[vV]$/.test(first.value)
}

/** What a builtin assigns and where it goes is collected before the walk, by the name in the line: `$c` is none. */
export function nameProblem({ name }: Command, argv: readonly Word[]): Reason | undefined {
  const text = textOf(argv[0])
  return changesShell(text) && name?.value !== text ? { code: 'unknownCommand', text: name?.text ?? '' } : undefined
}

/** Throws for `declare -a x='($(command))'`, which reads a string as a list. Other shells split the value. */
export function refuseList(argument: CommandArgument, { emission }: ReadWord, { name: builtin }: Command, walk: Walk) {
  if (!DECLARATION_BUILTINS.has(builtin?.value ?? '')) return
  const [, name = '', value = ''] = /^'?([A-Za-z_]\w*)\+?=(.*)$/s.exec(emission) ?? []
  if (name === '' || (argument.type === 'Assignment' && argument.value.type === 'ArrayValue')) return
  const isList = walk.facts.isArray(name) && !/^'?[^'"$(]/.test(value)
  const isSplit = walk.isPosix && value.replace(/'[^']*'|"[^"]*"/g, '').includes('$')
  if (isList || isSplit) throw wordProblem('expansion', argument.text)
}

/** Without `-v`, `unset` removes a function if there is no such variable. */
export function onlyVariables(words: readonly ReadWord[]): readonly ReadWord[] {
  const own = builtinWords(words.map(({ word }) => word))
  if (textOf(own[0]) !== 'unset' || own.length === 1 || textOf(own[1]).startsWith('-')) return words
  const at = words.length - own.length
  return words.map((each, index) => (index === at ? { ...each, emission: "'unset' '-v'" } : each))
}
