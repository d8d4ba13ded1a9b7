import type { Word as SyntaxWord, TestCommand, TestExpression } from 'unbash'
import { isSafeWord } from '../words/arithmetic.ts'
import { emitPieces, readPieces, type WordProblem } from '../words/readWord.ts'
import { assignmentProblem } from './assignmentProblem.ts'
import { noteOpaquePart, type Walk } from './Walk.ts'

type Emission = { readonly emission: string } | WordProblem

/** Judges `[[ … ]]`. Returns its canonical text. */
export function walkTest(node: TestCommand, walk: Walk): string {
  const read = readExpression(node.expression, walk)
  return 'problem' in read ? noteOpaquePart(walk, read.problem, node, read.isUnseen) : `[[ ${read.emission} ]]`
}

function readExpression(node: TestExpression, walk: Walk): Emission {
  switch (node.type) {
    case 'TestLogical': {
      const texts: string[] = []
      for (const operand of node.operands) {
        const read = readExpression(operand, walk)
        if ('problem' in read) return read
        texts.push(read.emission)
      }
      return { emission: texts.join(` ${node.operator} `) }
    }
    case 'TestNot': {
      const read = readExpression(node.operand, walk)
      return 'problem' in read ? read : { emission: `${'! '.repeat(node.negations.length)}${read.emission}` }
    }
    case 'TestGroup': {
      const read = readExpression(node.expression, walk)
      return 'problem' in read ? read : { emission: `( ${read.emission} )` }
    }
    case 'TestUnary':
      return readUnary(node.operator, node.operand, walk)
    case 'TestBinary':
      return readBinary(node.operator, node.left, node.right, walk)
  }
}

/** `-v a[$(command)]` runs the command. */
function readUnary(operator: string, operand: SyntaxWord, walk: Walk): Emission {
  const isName = /^[A-Za-z_]\w*$/.test(operand.text) && assignmentProblem(operand.text) === undefined
  if (/^-[vR]$/.test(operator) && !isName) return arithmetic(operand.text)
  if (!/^-[a-zA-Z]$/.test(operator)) return arithmetic(operator)
  const read = readOperand(operand, walk)
  return 'problem' in read ? read : { emission: `${operator} ${read.emission}` }
}

function readBinary(operator: string, left: SyntaxWord, right: SyntaxWord, walk: Walk): Emission {
  const isNumeric = /^-(?:eq|ne|lt|le|gt|ge)$/.test(operator)
  // Both sides are arithmetic, which can run commands in a value.
  if (isNumeric && !(isNumber(left, walk) && isNumber(right, walk)))
    return arithmetic(`${left.text} ${operator} ${right.text}`)
  if (!/^(?:-[a-z]{2}|==?|!=|<|>|=~)$/.test(operator)) return arithmetic(operator)
  const first = readOperand(left, walk)
  if ('problem' in first) return first
  const second = operator === '=~' ? readRegex(right, walk) : readOperand(right, walk)
  return 'problem' in second ? second : { emission: `${first.emission} ${operator} ${second.emission}` }
}

function arithmetic(text: string): WordProblem {
  return { problem: { code: 'arithmetic', text: text.slice(0, 60) }, isUnseen: true }
}

function isNumber({ text }: SyntaxWord, walk: Walk): boolean {
  return isSafeWord(text.replace(/^(["'])(.*)\1$/s, '$2').replace(/^-(?=\d)/, ''), walk)
}

/** There is no word splitting and no file name expansion here. A pattern keeps its wildcards. */
function readOperand(word: SyntaxWord, walk: Walk): Emission {
  const pieces = readPieces(word, walk)
  return 'problem' in pieces ? pieces : { emission: emitPieces(pieces) }
}

/** An expression without metacharacters or expansions, or one that is quoted or in a variable. */
function readRegex(word: SyntaxWord, walk: Walk): Emission {
  const text = word.text.replace(/\$$/, '')
  const isPlain = /^(?:[\w.^*+?/:,=@%[\]{}()|-]|\\[.\\/*+?^$|()[\]{}dws-])+$/.test(text) && isBalanced(text)
  if (isPlain || text === '') return { emission: word.text }
  // Quotes would make its characters literal.
  const isLiteral = (word.parts ?? [{ type: 'Literal' }]).some(({ type }) => type === 'Literal' || type === 'Glob')
  return isLiteral
    ? { problem: { code: 'word', what: 'pattern', text: word.text.slice(0, 60) } }
    : readOperand(word, walk)
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
