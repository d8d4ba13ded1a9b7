import type { ArithmeticExpression } from 'unbash'
import { assignmentProblem } from '../walk/assignmentProblem.ts'
import type { Walk } from '../walk/Walk.ts'

/**
 * The expression as bash will read it; undefined if a value may run a command, such as `a[$(command)]`. Bash evaluates
 * the value of a variable as another expression. So only numbers, and variables that hold only numbers, pass.
 */
export function emitArithmetic(node: ArithmeticExpression | undefined, walk: Walk): string | undefined {
  if (node === undefined) return ''
  switch (node.type) {
    case 'ArithmeticWord':
      return isSafeWord(node.value, walk) ? node.value : undefined
    case 'ArithmeticGroup': {
      const inner = emitArithmetic(node.expression, walk)
      return inner === undefined ? undefined : `(${inner})`
    }
    case 'ArithmeticUnary': {
      const operand = emitArithmetic(node.operand, walk)
      if (operand === undefined || (/^(?:\+\+|--)$/.test(node.operator) && !isTarget(node.operand))) return undefined
      return node.prefix ? `${node.operator} ${operand}` : `${operand}${node.operator}`
    }
    case 'ArithmeticBinary': {
      const [left, right] = [emitArithmetic(node.left, walk), emitArithmetic(node.right, walk)]
      if (left === undefined || right === undefined) return undefined
      if (isAssigning(node.operator) && !isTarget(node.left)) return undefined
      return `${left} ${node.operator} ${right}`
    }
    case 'ArithmeticTernary': {
      const parts = [node.test, node.consequent, node.alternate].map((part) => emitArithmetic(part, walk))
      return parts.includes(undefined) ? undefined : `${parts[0]} ? ${parts[1]} : ${parts[2]}`
    }
    case 'ArithmeticCommandExpansion':
      return undefined
  }
}

function isAssigning(operator: string): boolean {
  return /=$/.test(operator) && !/^(?:==|!=|<=|>=)$/.test(operator)
}

function isTarget(node: ArithmeticExpression): boolean {
  const isName = node.type === 'ArithmeticWord' && /^[A-Za-z_]\w*$/.test(node.value)
  return isName && assignmentProblem(node.value, false) === undefined
}

/** Numbers, and variables that only ever hold them. */
export function isSafeWord(text: string, { facts }: Walk): boolean {
  if (/^(?:0[xX][\dA-Fa-f]+|\d+|\$[?#]|\$\{#[A-Za-z_]\w*(?:\[@\])?\})$/.test(text)) return true
  const name = /^(?:\$\{([A-Za-z_]\w*)\}|\$?([A-Za-z_]\w*))$/.exec(text)
  return name !== null && facts.isNumeric(name[1] ?? name[2] ?? '')
}
