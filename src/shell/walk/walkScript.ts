import {
  type AndOr,
  type CommandNode,
  type CompoundList,
  type Function as FunctionNode,
  type ParsedScript,
  type Pipeline,
  type PipelineNode,
  parse,
  type Statement,
} from 'unbash'
import { messageOf } from '../../contracts/errors.ts'
import { CONTEXT_WRAPPERS, HIDDEN_COMMAND_RUNNERS, SHELLS, TRANSPARENT_WRAPPERS } from '../programs/wrappers.ts'
import { collectFacts } from './collectFacts.ts'
import { readCommand } from './readCommand.ts'
import { readRedirects } from './readRedirects.ts'
import { inSubshell, noteOpaquePart, orOpaque, Unjudged, visitOptional, type Walk } from './Walk.ts'
import { walkCompound } from './walkCompound.ts'
import { walkTest } from './walkTest.ts'

const BUILTIN_NAMES: ReadonlySet<string> = new Set(
  (
    '. : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable eval ' +
    'exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read ' +
    'readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait'
  ).split(' '),
)

/** Names that a function must not redefine, because their effect is assumed here. */
const TAKEN_NAMES = [BUILTIN_NAMES, TRANSPARENT_WRAPPERS, CONTEXT_WRAPPERS, SHELLS, HIDDEN_COMMAND_RUNNERS]

const MAX_DEPTH = 8

/** Judges a script in place. Returns its canonical text. */
export function walkScript(script: ParsedScript, walk: Walk): string {
  const [error] = script.errors ?? []
  if (error) return noteSyntax(walk, error.message, script)
  return walkStatements(script.commands, walk)
}

/**
 * Judges the text of a script. Returns its canonical text. Of a part of another script, such as the text of `eval`, no
 * variable is known: what else assigns it is not in the text.
 */
export function walkText(text: string, walk: Walk, isPart = false): string {
  if (walk.depth > MAX_DEPTH || walk.findings.scripts <= 0) return noteSyntax(walk, 'a script nested too deeply')
  walk.findings.scripts -= 1
  try {
    const script = parse(text)
    const own = collectFacts(script)
    const inner: Walk = { ...walk, facts: isPart ? { ...NOTHING, isMoving: own.isMoving } : own }
    const canonical = walkScript(script, inner)
    Object.assign(walk, { cwd: inner.cwd, moves: inner.moves, functions: inner.functions })
    return canonical
  } catch (error) {
    // Deep nesting overflows the stack.
    return noteSyntax(walk, messageOf(error))
  }
}

function noteSyntax(walk: Walk, problem: string, script?: ParsedScript): string {
  noteOpaquePart(walk, { code: 'syntax', problem }, script, true)
  return ''
}

const NOTHING = { isAssignedOnce: () => false, isNumeric: () => false, isArray: () => true }

function walkStatements(statements: readonly Statement[], walk: Walk): string {
  return statements.map((statement) => walkStatement(statement, walk)).join('\n')
}

function walkStatement({ command, background }: Statement, walk: Walk): string {
  if (background) return `${walkAndOr(command, inSubshell(walk))} &`
  const before = walk.moves
  const text = walkAndOr(command, walk)
  if (walk.moves !== before) walk.cwd = undefined
  return text
}

/** A directory stays known only along `&&`, and so does a variable. */
function walkAndOr(node: AndOr | PipelineNode, walk: Walk): string {
  if (node.type !== 'AndOr') return walkPipeline(node, walk)
  const before = walk.moves
  const [first, ...others] = node.commands
  let text = first ? walkPipeline(first, walk) : ''
  visitOptional(walk, () => {
    for (const [index, command] of others.entries()) {
      const operator = node.operators[index] ?? '&&'
      const isSkippable = node.operators.slice(0, index + 1).includes('||')
      if (isSkippable && walk.moves !== before) walk.cwd = undefined
      const visit = () => walkPipeline(command, walk)
      text += ` ${operator} ${operator === '||' ? visitOptional(walk, visit) : visit()}`
    }
  })
  return text
}

function walkPipeline(node: PipelineNode, walk: Walk): string {
  if (node.type !== 'Pipeline') return walkNode(node, walk)
  if (node.commands.length === 0) {
    noteOpaquePart(walk, { code: 'construct', what: 'an empty pipeline' }, node)
    return ''
  }
  const prefix = node.prefixes.map(prefixText).join('')
  const isAlone = node.commands.length === 1
  const before = walk.moves
  const texts = node.commands.map((command) => walkNode(command, isAlone ? walk : inSubshell(walk)))
  if (walk.moves !== before && node.prefixes.some((each) => each.type === 'Negation')) walk.cwd = undefined
  return (
    prefix + texts.map((text, index) => `${index === 0 ? '' : ` ${node.operators[index - 1] ?? '|'} `}${text}`).join('')
  )
}

function prefixText(prefix: Pipeline['prefixes'][number]): string {
  if (prefix.type === 'Negation') return '! '
  return `time ${prefix.posix ? '-p ' : ''}${prefix.endOfOptions ? '-- ' : ''}`
}

function walkNode(node: CommandNode, walk: Walk): string {
  return orOpaque(node, walk, () => judgeNode(node, walk)) ?? ''
}

function judgeNode(node: CommandNode, walk: Walk): string {
  switch (node.type) {
    case 'Command':
      return readCommand(node, walk)
    case 'Redirected': {
      const redirects = readRedirects(node.redirects, walk)
      const { functions } = walk
      const text = walkNode(node.command, walk)
      // If a redirect fails, none of it runs.
      walk.functions = functions
      return `${text}${redirects}`
    }
    case 'Function':
      return walkFunction(node, walk)
    case 'TestCommand':
      refuseInPosix(walk)
      return walkTest(node, walk)
    case 'ArithmeticCommand':
      refuseInPosix(walk)
      return walkCompound(node, walk, walkList)
    case 'Subshell':
    case 'BraceGroup':
    case 'If':
    case 'While':
    case 'For':
    case 'Case':
    case 'ArithmeticFor':
      return walkCompound(node, walk, walkList)
    default:
      throw new Unjudged({ code: 'construct', what: node.type.toLowerCase() })
  }
}

function walkList({ commands }: CompoundList, walk: Walk): string {
  return walkStatements(commands, walk)
}

/** To another shell than bash, `[[` is a program, `((` opens two subshells, and the operators in them are its own. */
function refuseInPosix({ isPosix }: Walk): void {
  if (isPosix) throw new Unjudged({ code: 'construct', what: '`[[` or `((` in a script of sh' }, true)
}

/** The body is judged where the function is defined, so a call needs nothing. */
function walkFunction(node: FunctionNode, walk: Walk): string {
  const name = node.name.value
  const isPlain = /^[A-Za-z_][\w-]*$/.test(name) && node.name.text === name
  const isTaken = TAKEN_NAMES.some((names) => names.has(name))
  if (!isPlain || isTaken || /handle$/.test(name) || node.body.type === 'CompoundList') {
    throw new Unjudged({ code: 'construct', what: `a function called ${name}` })
  }
  const inner: Walk = { ...inSubshell(walk), cwd: undefined, variables: new Map(), moves: walk.moves + 1 }
  inner.functions = new Set([...walk.functions, name])
  const body = walkNode(node.body, inner)
  walk.functions = new Set([...walk.functions, name])
  return `${name}() ${body}`
}
