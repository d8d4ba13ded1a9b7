import { type Assignment, type Command, forEachChild, type SyntaxNode, type Word } from 'unbash'

/** Facts about a script's variables, collected before the walk. */
export type Facts = {
  /** True for a variable that is assigned in one place only. */
  isAssignedOnce(name: string): boolean
  /** True for a variable that the script only ever sets to numbers. */
  isNumeric(name: string): boolean
  /** True for a function that may change the directory. */
  isMoving(name: string): boolean
}

type Entry = { count: number; isNumeric: boolean }

/** They may assign any variable, through a text that is not part of the script's syntax tree. */
const OPEN = new Set(['eval', '.', 'source', 'trap', 'builtin', 'command', 'let', 'alias'])
const DIRECTORY_BUILTINS = new Set(['cd', 'pushd', 'popd', 'eval', '.', 'source', 'command', 'builtin', 'trap'])
const VARIABLE_BUILTINS = new Set([
  'read',
  'mapfile',
  'readarray',
  'getopts',
  'unset',
  'printf',
  'local',
  'declare',
  'typeset',
  'export',
  'readonly',
])

/** Shell variables that always hold numbers. */
const COUNTERS = /^(?:RANDOM|SECONDS|LINENO|EPOCHSECONDS|BASHPID|PPID|UID|EUID)$/

export function collectFacts(root: SyntaxNode): Facts {
  const entries = new Map<string, Entry>()
  const functions = new Set<string>()
  let [isOpen, hasMoving] = [false, false]
  const note = (name: string, isNumeric: boolean): void => {
    const entry = entries.get(name) ?? { count: 0, isNumeric: true }
    entries.set(name, { count: entry.count + 1, isNumeric: entry.isNumeric && isNumeric })
  }
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Assignment') note(node.name, isNumber(node))
    if (node.type === 'For' || node.type === 'Select')
      note(node.name.text, node.type === 'For' && areNumbers(node.wordlist))
    if (node.type === 'ArithmeticBinary' && /^(?:[^=!<>]|<<|>>)?=$/.test(node.operator)) noteTarget(node.left, note)
    if (node.type === 'ArithmeticUnary' && /^(?:\+\+|--)$/.test(node.operator)) noteTarget(node.operand, note)
    if (
      node.type === 'ParameterExpansion' &&
      node.operation?.type === 'Default' &&
      node.operation.operator.includes('=')
    )
      note(node.parameter, false)
    if (node.type === 'Function') {
      functions.add(node.name.value)
      hasMoving ||= mayChangeDirectory(node.body)
    }
    if (node.type === 'Command') {
      isOpen ||= OPEN.has(node.name?.value ?? '') && !isQuery(node)
      for (const name of namedBy(node)) note(name, false)
    }
    forEachChild(node, visit)
  }
  visit(root)
  return {
    isAssignedOnce: (name) => !isOpen && entries.get(name)?.count === 1,
    isNumeric: (name) => !isOpen && (entries.get(name)?.isNumeric ?? COUNTERS.test(name)),
    isMoving: (name) => hasMoving && functions.has(name),
  }
}

/**
 * True if a node may change the directory of the shell that runs it. May be true for a node that does not, never false
 * for one that does.
 */
export function mayChangeDirectory(node: SyntaxNode): boolean {
  if (node.type === 'Subshell' || node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') return false
  if (node.type === 'Command' && DIRECTORY_BUILTINS.has(node.name?.value ?? '')) return true
  let found = false
  forEachChild(node, (child) => {
    found ||= mayChangeDirectory(child)
  })
  return found
}

/** `command -v` only looks a name up. */
function isQuery({ name, args }: Command): boolean {
  const [first] = args
  return name?.value === 'command' && first?.type === 'Word' && /^-[vV]$/.test(first.value)
}

function noteTarget(node: SyntaxNode, note: (name: string, isNumeric: boolean) => void): void {
  if (node.type === 'ArithmeticWord') note(node.value, true)
}

function namedBy({ name, args }: Command): readonly string[] {
  if (!VARIABLE_BUILTINS.has(name?.value ?? '')) return []
  const words = args.flatMap((each) => (each.type === 'Word' ? [each.value] : []))
  return words.flatMap((word) => /^(?:-v)?([A-Za-z_]\w*)/.exec(word)?.[1] ?? [])
}

function isNumber({ value, index }: Assignment): boolean {
  return index === undefined && value.type === 'Word' && isNumeric(value)
}

function areNumbers(words: readonly Word[] | undefined): boolean {
  return words?.every((word) => /^(?:\d+|'\d+'|\{\d+\.\.\d+\})$/.test(word.text)) === true
}

function isNumeric(word: Word): boolean {
  if (/^(?:-?\d+|'-?\d+')$/.test(word.text)) return true
  const [part, ...others] = word.parts ?? []
  if (part === undefined || others.length > 0) return false
  if (part.type === 'SimpleExpansion') return /^\$[?#!$]$/.test(part.text)
  return part.type === 'ArithmeticExpansion' || (part.type === 'ParameterExpansion' && part.prefix === '#')
}
