import type { ArithmeticExpression } from 'unbash'
import { assignmentProblem } from '../walk/assignmentProblem.ts'
import { Unjudged, type Walk } from '../walk/Walk.ts'

export function arithmeticProblem(text: string): Unjudged {
  return new Unjudged({ code: 'arithmetic', text: text.slice(0, 60) }, true)
}

/**
 * The expression as bash will read it. Throws `Unjudged` if a value may run a command, such as `a[$(command)]`. Bash
 * evaluates the value of a variable as another expression. So only numbers, and variables that hold only numbers, pass.
 */
export function emitArithmetic(whole: ArithmeticExpression | undefined, source: string, walk: Walk): string {
  const emit = (node: ArithmeticExpression): string => {
    switch (node.type) {
      case 'ArithmeticWord':
        if (!isSafeWord(node.value, walk)) break
        return node.value
      case 'ArithmeticGroup':
        return `(${emit(node.expression)})`
      case 'ArithmeticUnary':
        if (/^(?:\+\+|--)$/.test(node.operator) && !isTarget(node.operand)) break
        return node.prefix ? `${node.operator} ${emit(node.operand)}` : `${emit(node.operand)}${node.operator}`
      case 'ArithmeticBinary':
        if (isAssigning(node.operator) && !isTarget(node.left)) break
        return `${emit(node.left)} ${node.operator} ${emit(node.right)}`
      case 'ArithmeticTernary':
        return `${emit(node.test)} ? ${emit(node.consequent)} : ${emit(node.alternate)}`
    }
    throw arithmeticProblem(source)
  }
  return whole === undefined ? '' : emit(whole)
}

export function isAssigning(operator: string): boolean {
  return /^(?:[^=!<>]|<<|>>)?=$/.test(operator)
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
