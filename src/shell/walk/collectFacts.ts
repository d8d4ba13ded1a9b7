import { type Assignment, forEachChild, type SyntaxNode, type Word } from 'unbash'
import { isAssigning } from '../words/arithmetic.ts'
import { DIRECTORY_BUILTINS, hasUnknownTarget, isQuery, namedBy, namesArrays, OPEN } from './shellBuiltins.ts'

/** Facts about a script's variables, collected before the walk. */
export type Facts = ReturnType<typeof collectFacts>

/** Shell variables that always hold numbers. */
const COUNTERS = /^(?:RANDOM|SECONDS|LINENO|EPOCHSECONDS|BASHPID|PPID|UID|EUID)$/

/** Bash sets them itself. */
const SET_BY_BASH = /^(?:REPLY|MAPFILE|OPTARG|OPTIND|PWD|OLDPWD|DIRSTACK|PIPESTATUS|FUNCNAME|GROUPS|COPROC|_)$/
const ARRAYS = /^(?:MAPFILE|DIRSTACK|PIPESTATUS|FUNCNAME|GROUPS|COPROC)$/

export function collectFacts(root: SyntaxNode) {
  const entries = new Map<string, { count: number; isNumeric: boolean }>()
  const functions = new Set<string>()
  const arrays = new Set<string>()
  /** Variables that are used where the script has not surely set them. */
  const inherited = new Set<string>()
  let [isOpen, hasMoving, hasParts] = [false, false, false]
  const note = (name: string, isNumeric: boolean): void => {
    const entry = entries.get(name) ?? { count: 0, isNumeric: true }
    entries.set(name, { count: entry.count + 1, isNumeric: entry.isNumeric && isNumeric })
  }
  const look = (node: SyntaxNode, known: Known): void => {
    if (node.type === 'Assignment') {
      note(node.name, isNumber(node))
      if (node.index !== undefined || node.value.type === 'ArrayValue') arrays.add(node.name)
    }
    if (node.type === 'For' || node.type === 'Select')
      note(node.name.text, node.type === 'For' && areNumbers(node.wordlist))
    if (node.type === 'ArithmeticBinary' && isAssigning(node.operator)) noteTarget(node.left, note)
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
      isOpen ||= (OPEN.has(node.name?.value ?? '') && !isQuery(node)) || hasUnknownTarget(node)
      hasParts ||= OPEN.has(node.name?.value ?? '') && !isQuery(node) && node.args.at(-1)?.text !== 'EXIT'
      const isForArrays = namesArrays(node)
      for (const name of namedBy(node)) {
        note(name, false)
        if (isForArrays) arrays.add(name)
      }
      if (isForArrays) for (const each of node.args) if (each.type === 'Assignment') arrays.add(each.name)
    }
    const used = usedBy(node)
    if (used !== undefined && !known.has(used)) inherited.add(used)
  }
  visitInOrder(root, new Set(), look)
  return {
    /** True for a variable that is assigned in one place only. */
    isAssignedOnce: (name: string) => !isOpen && !SET_BY_BASH.test(name) && entries.get(name)?.count === 1,
    /**
     * True for a variable that the script only ever sets to numbers, and sets before each use. What it inherits may be
     * anything: bash runs the command in `a[$(command)]` where it reads a number.
     */
    isNumeric(name: string) {
      const entry = entries.get(name)
      if (isOpen || SET_BY_BASH.test(name)) return false
      return entry === undefined ? COUNTERS.test(name) : entry.isNumeric && !inherited.has(name)
    },
    /** True for a variable that may hold a list. */
    isArray: (name: string) => hasParts || arrays.has(name) || ARRAYS.test(name),
    /** True for a function that may change the directory. */
    isMoving: (name: string) => hasMoving && functions.has(name),
  }
}

/** The variables that have surely been set. */
type Known = Set<string>

/** Calls `look` for each node with what is known there. What may not run, or runs in another shell, adds nothing. */
function visitInOrder(node: SyntaxNode, known: Known, look: (node: SyntaxNode, known: Known) => void): void {
  const visit = (child: SyntaxNode | undefined, at = known): void => {
    if (child !== undefined) visitInOrder(child, at, look)
  }
  const apart = (child: SyntaxNode): void => visit(child, new Set(known))
  look(node, known)
  switch (node.type) {
    case 'Command': {
      const assignments = node.name === undefined ? node.prefix.filter((each) => each.type === 'Assignment') : []
      forEachChild(node, (child) => {
        visit(child)
        if (child.type === 'Assignment' && assignments.includes(child)) known.add(child.name)
      })
      break
    }
    case 'ArithmeticBinary':
      if (!isAssigning(node.operator)) {
        visit(node.left)
        if (/^(?:&&|\|\|)$/.test(node.operator)) apart(node.right)
        else visit(node.right)
        break
      }
      visit(node.right)
      if (node.operator !== '=' || node.left.type !== 'ArithmeticWord') visit(node.left)
      else known.add(node.left.value)
      break
    case 'ArithmeticTernary':
      visit(node.test)
      for (const child of [node.consequent, node.alternate]) apart(child)
      break
    case 'AndOr': {
      const [first, ...others] = node.commands
      visit(first)
      // Without `||`, each one runs only after those before it.
      const chained = node.operators.includes('||') ? undefined : new Set(known)
      for (const child of others) visit(child, chained ?? new Set(known))
      break
    }
    case 'If':
      visit(node.clause)
      for (const child of [node.then, ...node.elif, node.else]) if (child !== undefined) apart(child)
      break
    case 'While':
      visit(node.clause)
      apart(node.body)
      break
    case 'For':
      for (const word of node.wordlist ?? []) visit(word)
      if ((node.wordlist ?? []).length > 0) known.add(node.name.text)
      apart(node.body)
      break
    case 'ArithmeticFor': {
      visit(node.initialize)
      visit(node.test)
      const body = new Set(known)
      visit(node.body, body)
      visit(node.update, body)
      break
    }
    case 'Function':
      visit(node.body, new Set())
      break
    case 'Redirected':
      for (const child of node.redirects) visit(child)
      visit(node.command)
      break
    case 'Statement':
      visit(node.command, node.background === true ? new Set(known) : known)
      break
    case 'Pipeline':
      for (const child of node.commands) visit(child, node.commands.length > 1 ? new Set(known) : known)
      break
    default:
      forEachChild(node, IN_ORDER.has(node.type) ? (child) => visit(child) : apart)
  }
}

/** Nodes whose children all run, one after the other, in the shell itself. */
const IN_ORDER = new Set<SyntaxNode['type']>([
  ...(['Script', 'CompoundList', 'BraceGroup', 'Word', 'Assignment', 'DoubleQuoted'] as const),
  ...(['ArithmeticExpansion', 'ArithmeticCommand', 'ArithmeticGroup', 'ArithmeticUnary', 'TestCommand'] as const),
])

/** The variable whose value a node uses. */
function usedBy(node: SyntaxNode): string | undefined {
  if (node.type === 'ParameterExpansion') return node.prefix === '#' ? undefined : node.parameter
  const text = node.type === 'ArithmeticWord' ? node.value : node.type === 'SimpleExpansion' ? node.text : ''
  return /^(?:\$\{?)?([A-Za-z_]\w*)/.exec(text)?.[1]
}

/** True if a node may change the directory of the shell that runs it: never false for one that does. */
export function mayChangeDirectory(node: SyntaxNode): boolean {
  if (node.type === 'Subshell' || node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') return false
  if (node.type === 'Command' && DIRECTORY_BUILTINS.has(node.name?.value ?? '')) return true
  let found = false
  forEachChild(node, (child) => {
    found ||= mayChangeDirectory(child)
  })
  return found
}

function noteTarget(node: SyntaxNode, note: (name: string, isNumeric: boolean) => void): void {
  if (node.type === 'ArithmeticWord') note(node.value, true)
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
