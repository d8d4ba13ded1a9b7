import type { AndOr, CommandNode, ParsedScript, Pipeline, PipelineNode, Statement } from 'unbash'
import type { FoundFiles } from '../contracts/subject.ts'
import { readCommand } from './readCommand.ts'
import { readRedirects } from './readRedirects.ts'
import { addOpaque, atOnce, inBackground, inSubshell, type Walk } from './walk.ts'
import { walkCompound } from './walkCompound.ts'

/** Judges a script where it stands; its canonical text. */
export function walkScript(script: ParsedScript, walk: Walk): string {
  const problem = walk.checks.parseProblem(script.errors)
  if (problem) return addOpaque(walk, problem, script)
  return walkStatements(script.commands, walk)
}

function walkStatements(statements: readonly Statement[], walk: Walk): string {
  walk.printed = undefined
  const text = statements.map((statement) => walkStatement(statement, walk)).join('\n')
  const [only, ...others] = statements
  if (only?.background || only?.command.type === 'AndOr' || others.length > 0) walk.printed = undefined
  return text
}

function walkStatement({ command, background }: Statement, walk: Walk): string {
  if (background) return `${inBackground(walk, () => walkAndOr(command, inSubshell(walk)))} &`
  const before = walk.moves
  const text = walkAndOr(command, walk)
  if (walk.moves !== before) walk.cwd = undefined
  return text
}

/** A directory stays known along `&&` alone. */
function walkAndOr(node: AndOr | PipelineNode, walk: Walk): string {
  if (node.type !== 'AndOr') return walkPipeline(node, walk)
  const before = walk.moves
  let text = ''
  for (const [index, command] of node.commands.entries()) {
    const operator = node.operators[index - 1]
    text += `${operator ? ` ${operator} ` : ''}${walkPipeline(command, walk)}`
    const isSkippable = node.operators.slice(0, index + 1).includes('||')
    if (isSkippable && walk.moves !== before) walk.cwd = undefined
  }
  return text
}

function walkPipeline(node: PipelineNode, walk: Walk): string {
  if (node.type !== 'Pipeline') return walkNode(node, walk)
  if (node.commands.length === 0) return addOpaque(walk, 'an empty pipeline', node)
  const prefix = node.prefixes.map(prefixText).join('')
  const isAlone = node.commands.length === 1
  const before = walk.moves
  const texts = isAlone
    ? node.commands.map((command) => walkNode(command, walk))
    : atOnce(walk, () => walkStages(node.commands, node.operators, walk))
  if (walk.moves !== before && node.prefixes.some((each) => each.type === 'Negation')) walk.cwd = undefined
  return (
    prefix + texts.map((text, index) => `${index === 0 ? '' : ` ${node.operators[index - 1] ?? '|'} `}${text}`).join('')
  )
}

/** The commands of a pipeline; what one prints is known to the next where both are simple commands. */
function walkStages(commands: readonly CommandNode[], operators: Pipeline['operators'], walk: Walk): string[] {
  let printed: FoundFiles | undefined
  const texts = commands.map((command, index) => {
    const isPlain = command.type === 'Command'
    const input = isPlain && operators[index - 1] === '|' ? printed : undefined
    const stage: Walk = { ...inSubshell(walk), input, printed: undefined }
    const text = walkNode(command, stage)
    printed = isPlain ? stage.printed : undefined
    return text
  })
  walk.printed = printed
  return texts
}

function prefixText(prefix: Pipeline['prefixes'][number]): string {
  if (prefix.type === 'Negation') return '! '
  return `time ${prefix.posix ? '-p ' : ''}${prefix.endOfOptions ? '-- ' : ''}`
}

function walkNode(node: CommandNode, walk: Walk): string {
  switch (node.type) {
    case 'Command':
      return readCommand(node, walk)
    case 'Redirected': {
      const redirects = readRedirects(node.redirects, walk)
      return `${walkNode(node.command, walk)}${redirects}`
    }
    case 'Subshell':
    case 'BraceGroup':
    case 'If':
    case 'While':
    case 'For':
      return walkCompound(node, walk, (list, inner) => walkStatements(list.commands, inner))
    default:
      return addOpaque(walk, `${NAMES[node.type] ?? 'shell syntax'} is not judged`, node)
  }
}

const NAMES: Readonly<Record<string, string>> = {
  Case: '`case`',
  Select: '`select`',
  Function: 'a function definition',
  Coproc: '`coproc`',
  ArithmeticFor: '`for ((…))`',
  ArithmeticCommand: '`((…))`',
  TestCommand: '`[[ ]]` (use `[ ]`)',
}
