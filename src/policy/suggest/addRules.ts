import { isDeepStrictEqual } from 'node:util'
import {
  type Document,
  isMap,
  isNode,
  isSeq,
  type Node,
  type ParsedNode,
  parseDocument,
  type Scalar,
  type YAMLSeq,
} from 'yaml'
import { RunError } from '../../contracts/errors.ts'
import { parseJson } from '../../lib/text/json.ts'

/** An allow rule, and the comment for the line above it. */
export type AddedRule = { readonly rule: string; readonly comment: string }

/**
 * The text of a policy with more allow rules at the end of its list. Everything else stays as written: order, comments,
 * quotes. Throws `usage` for a text that is not such a policy.
 */
export function addRules(text: string, rules: readonly AddedRule[]): string {
  const document = parseDocument(text)
  const before: unknown = document.errors.length > 0 ? undefined : document.toJS()
  if (!isMap(document.contents) || typeof before !== 'object' || before === null || !('version' in before))
    throw new RunError('usage', '--apply changes a policy file (`version: 1`), and this is not one.')
  if (rules.length === 0) return text
  if (/\r\n/.test(text) && !/(?<!\r)\n/.test(text))
    return addRules(text.replaceAll('\r\n', '\n'), rules).replaceAll('\n', '\r\n')
  const wanted = grown(before, rules)
  if (parseJson(text) !== undefined) return `${JSON.stringify(wanted, undefined, 2)}\n`
  const isRight = (edited: string) => isDeepStrictEqual(parseDocument(edited).toJS(), wanted)
  const edited = edit(text, document, rules)
  if (edited !== undefined && isRight(edited)) return edited
  const rewritten = written(text, document, rules)
  if (isRight(rewritten)) return rewritten
  throw new RunError('internal', 'The policy could not be changed without changing more than its allow list.')
}

/** What the file must contain in the end. */
function grown(before: object, rules: readonly AddedRule[]): unknown {
  const permissions: unknown = Reflect.get(before, 'permissions') ?? {}
  const allow: unknown =
    (typeof permissions === 'object' && permissions !== null && Reflect.get(permissions, 'allow')) || []
  const texts = rules.map(({ rule }) => rule)
  return {
    ...before,
    permissions: { ...(permissions as object), allow: [...(Array.isArray(allow) ? allow : []), ...texts] },
  }
}

/** The text with lines more; undefined where it is not written in lines. */
function edit(text: string, document: Document.Parsed, rules: readonly AddedRule[]): string | undefined {
  const list = document.getIn(['permissions', 'allow'], true)
  const permissions = document.get('permissions', true)
  const isBlock = isMap(permissions) && permissions.flow !== true
  if (isSeq(list) && isBlock) return list.flow === true ? unfolded(text, list, rules) : lengthened(text, list, rules)
  if (permissions === undefined) return `${text}${text.endsWith('\n') ? '' : '\n'}permissions:\n${listOf(rules, '  ')}`
  if (!isBlock || list !== undefined) return undefined
  const [first, last] = [permissions.items[0]?.key, permissions.items.at(-1)]
  return insertedAfter(text, endOf(last?.value ?? last?.key), listOf(rules, indentOf(text, startOf(first))))
}

/** After the last entry of a list with one line per entry. */
function lengthened(text: string, list: YAMLSeq, rules: readonly AddedRule[]): string {
  const [first, last] = [list.items[0], list.items.at(-1)]
  return insertedAfter(text, endOf(last), linesOf(rules, indentOf(text, startOf(first))))
}

/** The text with `lines` after the line in which a node ends at `end`. A multi-line text ends with its line feed. */
function insertedAfter(text: string, end: number, lines: string): string {
  const next = text.indexOf('\n', end - 1)
  return next < 0 ? `${text}\n${lines}` : `${text.slice(0, next + 1)}${lines}${text.slice(next + 1)}`
}

function indentOf(text: string, start: number): string {
  return /^\s*/.exec(text.slice(text.lastIndexOf('\n', start) + 1))?.[0] ?? ''
}

function listOf(rules: readonly AddedRule[], indent: string): string {
  return `${indent}allow:\n${linesOf(rules, `${indent}  `)}`
}

/** `allow: [a, b]`, rewritten with one line per entry; undefined if it has comments of its own. */
function unfolded(text: string, list: YAMLSeq, rules: readonly AddedRule[]): string | undefined {
  const [start, end] = [startOf(list), endOf(list)]
  if (/#.*\n/.test(text.slice(start, end))) return undefined
  const next = text.indexOf('\n', end)
  const rest = text.slice(end, next < 0 ? undefined : next).trim()
  const indent = `${indentOf(text, start)}  `
  const entries = list.items.map((item) => `${indent}- ${text.slice(startOf(item), endOf(item))}\n`).join('')
  const head = `${text.slice(0, start).trimEnd()}${rest === '' ? '' : ` ${rest}`}\n`
  return `${head}${entries}${linesOf(rules, indent)}${next < 0 ? '' : text.slice(next + 1)}`
}

function linesOf(rules: readonly AddedRule[], indent: string): string {
  return rules.map(({ rule, comment }) => `${indent}# ${comment}\n${indent}- ${JSON.stringify(rule)}\n`).join('')
}

/** The file as the library writes it, if it has no lines to insert others between. */
function written(text: string, document: Document.Parsed, rules: readonly AddedRule[]): string {
  const list = document.getIn(['permissions', 'allow'], true)
  const nodes = rules.map(({ rule, comment }): Scalar => {
    const node = document.createNode(rule) as Scalar
    node.commentBefore = ` ${comment}`
    node.type = 'QUOTE_DOUBLE'
    return node
  })
  if (!isMap(document.get('permissions', true))) document.delete('permissions')
  if (isSeq(list)) for (const node of nodes) list.add(node as ParsedNode)
  else document.setIn(['permissions', 'allow'], document.createNode(nodes))
  return document.toString({ lineWidth: 0, flowCollectionPadding: /[[{] \S/.test(text) })
}

function startOf(node: unknown): number {
  return (isNode(node) ? (node as Node).range?.[0] : undefined) ?? 0
}

function endOf(node: unknown): number {
  return (isNode(node) ? (node as Node).range?.[1] : undefined) ?? 0
}
