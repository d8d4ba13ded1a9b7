import type { Word as SyntaxWord, TestCommand, TestExpression } from 'unbash'
import { arithmeticProblem, isSafeWord } from '../words/arithmetic.ts'
import { emitPieces, readPieces, wordProblem } from '../words/readWord.ts'
import { assignmentProblem } from './assignmentProblem.ts'
import type { Walk } from './Walk.ts'

/** Judges `[[ … ]]`. Returns its canonical text. */
export function walkTest(node: TestCommand, walk: Walk): string {
  return `[[ ${readExpression(node.expression, walk)} ]]`
}

function readExpression(node: TestExpression, walk: Walk): string {
  switch (node.type) {
    case 'TestLogical':
      return node.operands.map((operand) => readExpression(operand, walk)).join(` ${node.operator} `)
    case 'TestNot':
      return `${'! '.repeat(node.negations.length)}${readExpression(node.operand, walk)}`
    case 'TestGroup':
      return `( ${readExpression(node.expression, walk)} )`
    case 'TestUnary':
      return readUnary(node.operator, node.operand, walk)
    case 'TestBinary':
      return readBinary(node.operator, node.left, node.right, walk)
  }
}

/** `-v a[$(command)]` runs the command. */
function readUnary(operator: string, operand: SyntaxWord, walk: Walk): string {
  const isName = /^[A-Za-z_]\w*$/.test(operand.text) && assignmentProblem(operand.text) === undefined
  if (/^-[vR]$/.test(operator) && !isName) throw arithmeticProblem(operand.text)
  if (!/^-[a-zA-Z]$/.test(operator)) throw arithmeticProblem(operator)
  return `${operator} ${readOperand(operand, walk)}`
}

function readBinary(operator: string, left: SyntaxWord, right: SyntaxWord, walk: Walk): string {
  const isNumeric = /^-(?:eq|ne|lt|le|gt|ge)$/.test(operator)
  // Both sides are arithmetic, which can run commands in a value.
  if (isNumeric && !(isNumber(left, walk) && isNumber(right, walk)))
    throw arithmeticProblem(`${left.text} ${operator} ${right.text}`)
  if (!/^(?:-[a-z]{2}|==?|!=|<|>|=~)$/.test(operator)) throw arithmeticProblem(operator)
  const first = readOperand(left, walk)
  return `${first} ${operator} ${operator === '=~' ? readRegex(right, walk) : readOperand(right, walk)}`
}

function isNumber({ text }: SyntaxWord, walk: Walk): boolean {
  return isSafeWord(text.replace(/^(["'])(.*)\1$/s, '$2').replace(/^-(?=\d)/, ''), walk)
}

/** There is no word splitting and no file name expansion here. A pattern keeps its wildcards. */
function readOperand(word: SyntaxWord, walk: Walk): string {
  return emitPieces(readPieces(word, walk))
}

/** An expression without metacharacters or expansions, or one that is quoted or in a variable. */
function readRegex(word: SyntaxWord, walk: Walk): string {
  const text = word.text.replace(/\$$/, '')
  const isPlain = /^(?:[\w.^*+?/:,=@%[\]{}()|-]|\\[.\\/*+?^$|()[\]{}dws-])+$/.test(text) && isBalanced(text)
  if (isPlain || text === '') return word.text
  // Quotes would make its characters literal.
  const isLiteral = (word.parts ?? [{ type: 'Literal' }]).some(({ type }) => type === 'Literal' || type === 'Glob')
  if (isLiteral) throw wordProblem('pattern', word.text)
  return readOperand(word, walk)
}

function isBalanced(text: string): boolean {
  let depth = 0
  for (const character of text.replace(/\\./g, '')) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (depth < 0) return false
  }
  return depth === 0
}
