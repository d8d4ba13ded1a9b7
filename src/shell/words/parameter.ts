import type { ParameterOperation, Word as SyntaxWord, WordPart } from 'unbash'
import { inSubshell, type Walk } from '../walk/Walk.ts'

export type Variable = Extract<WordPart, { type: 'SimpleExpansion' | 'ParameterExpansion' }>

/** `$NAME`, or an operation on its value; `many` for `"$@"` and whole arrays. */
export type Parameter = {
  readonly name: string
  readonly emission: string
  readonly isPlain: boolean
  readonly isMany: boolean
  readonly isNumber: boolean
}

const NAME = /^(?:[A-Za-z_]\w*|[?$#!@*-]|\d{1,2})$/

/** An expansion as bash will read it, without surrounding quotes; undefined if it runs or assigns something. */
export function readParameter(part: Variable, walk: Walk): Parameter | undefined {
  if (part.type === 'SimpleExpansion') {
    const name = part.text.slice(1)
    const emission = `\${${name}}`
    return NAME.test(name)
      ? { name, emission, isPlain: true, isMany: name === '@', isNumber: /^[?#$!]$/.test(name) }
      : undefined
  }
  const { parameter: name, prefix, index, operation } = part
  if (!NAME.test(name) || prefix === '!') return undefined
  // The text in brackets is arithmetic.
  if (index !== undefined && !/^(?:\d+|[@*])$/.test(index.text)) return undefined
  const own = `${prefix === '#' ? '#' : ''}${name}${index ? `[${index.text}]` : ''}`
  const done = operation === undefined ? '' : emitOperation(operation, walk)
  if (done === undefined || (prefix === '#' && done !== '')) return undefined
  const isMany = prefix !== '#' && (name === '@' || index?.text === '@')
  const isPlain = prefix !== '#' && index === undefined && operation === undefined
  return { name, emission: `\${${own}${done}}`, isPlain, isMany, isNumber: prefix === '#' || /^[?#$!]$/.test(name) }
}

function emitOperation(operation: ParameterOperation, walk: Walk): string | undefined {
  switch (operation.type) {
    case 'Default':
    case 'Remove': {
      const operand = emitOperand(operation.operand, walk)
      return operand === undefined || operation.operator.includes('=') ? undefined : `${operation.operator}${operand}`
    }
    case 'Replace': {
      const [pattern, replacement] = [emitOperand(operation.pattern, walk), emitOperand(operation.replacement, walk)]
      if (pattern === undefined || replacement === undefined || /(?:^|[^\\])\//.test(pattern)) return undefined
      return `${operation.operator}${pattern}/${replacement}`
    }
    case 'CaseModification':
      return operation.operand === undefined || operation.operand.text === '' ? operation.operator : undefined
    case 'Slice': {
      const texts = [operation.offset.text, ...(operation.length ? [operation.length.text] : [])]
      return texts.every((text) => /^\s*-?\d+$/.test(text))
        ? `:${texts.map((text) => (text.trim().startsWith('-') ? ` ${text.trim()}` : text)).join(':')}`
        : undefined
    }
    case 'Transform':
      return /^[QULu]$/.test(operation.operand.text) ? `@${operation.operand.text}` : undefined
    default:
      return undefined
  }
}

const PLAIN = /^(?:[\w./:@%+=, \n*?#!^~[\]-]|\\[#%/.:*?[\]-])*$/

/** Plain text and patterns, other variables, command substitutions. */
function emitOperand(word: SyntaxWord, walk: Walk): string | undefined {
  if (PLAIN.test(word.text)) return word.text
  const texts = word.parts?.map((part) => {
    if (part.type === 'Literal' || part.type === 'Glob') return PLAIN.test(part.text) ? part.text : undefined
    if (part.type === 'SimpleExpansion' || part.type === 'ParameterExpansion')
      return readParameter(part, walk)?.emission
    if (part.type === 'CommandExpansion' && part.script)
      return `$( ${walk.visit.script(part.script, inSubshell(walk))} )`
    return undefined
  })
  return texts === undefined || texts.includes(undefined) ? undefined : texts.join('')
}
