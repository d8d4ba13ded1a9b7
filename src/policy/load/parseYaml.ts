import {
  type Alias,
  type Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
  visit,
  type YAMLError,
} from 'yaml'
import { orElse } from '../../lib/orElse.ts'

export type Position = { readonly line: number; readonly column: number }
export type YamlFault = Position & { readonly message: string }
export type KeyPath = readonly PropertyKey[]

/** A YAML or JSON file as plain data, with the place of every key and value. */
export type YamlFile = {
  /** Undefined if the text cannot be parsed as one document. */
  readonly data: unknown
  readonly faults: readonly YamlFault[]
  /** Parts of the text could not be parsed as intended. What seems to be missing may be there. */
  readonly isBroken: boolean
  /** True for a place in such a part: a fault in its content would be a guess. */
  isDoubtful(place: Position): boolean
  /** Where the value is; the nearest existing parent for a missing one. */
  positionOf(path: KeyPath): Position
  keyPositionOf(path: KeyPath): Position
  /** The value as written, for advice on quoting. */
  sourceOf(path: KeyPath): string
  /** True if a comment follows the plain value on its line. */
  hasComment(path: KeyPath): boolean
}

/** Strict: one document, YAML 1.2 core, no anchors, aliases, tags or directives, unique string keys. Never throws. */
export function parseYaml(text: string): YamlFile {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, version: '1.2', merge: false })
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const broken = findYamlFaults(document)
  const faults = broken
    .filter(({ offset }, index) => index === broken.findIndex((other) => other.offset === offset))
    .map(({ offset, message }) => ({ ...at(offset), message }))
  const scalars = broken.some(({ spoils }) => spoils === 'line') ? scalarRanges(document) : []
  const doubtful = new Set(broken.flatMap((fault) => linesOf(scalars, fault, at)))
  const exact = broken.filter(({ spoils }) => spoils === 'node').map(({ offset }) => at(offset))
  const find = (path: KeyPath): Node | undefined => nodeAt(document.contents, path)
  return {
    data: dataOf(document),
    isBroken: broken.some(({ spoils }) => spoils !== 'nothing'),
    isDoubtful: ({ line, column }) =>
      doubtful.has(line) || exact.some((at) => at.line === line && at.column === column),
    faults: faults.slice(0, MAX_FAULTS),
    positionOf: (path) => at(find(path)?.range?.[0] ?? 0),
    keyPositionOf: (path) => at(keyNodeAt(document.contents, path)?.range?.[0] ?? find(path)?.range?.[0] ?? 0),
    sourceOf: (path) => {
      const range = find(path)?.range
      return range ? text.slice(range[0], range[1]).trim() : ''
    },
    hasComment: (path) => {
      const node = find(path)
      return isScalar(node) && node.type === 'PLAIN' && node.comment != null
    },
  }
}

type Range = readonly [start: number, end: number]

function scalarRanges(document: Document): readonly Range[] {
  const ranges: Range[] = []
  visit(document, {
    Scalar(_, { range }) {
      if (range) ranges.push([range[0], range[1]])
    },
  })
  return ranges
}

/** The lines that a fault makes unreliable: its own, and those of an unclosed quote that spans it. */
function linesOf(
  scalars: readonly Range[],
  { offset, spoils }: Fault,
  at: (offset: number) => Position,
): readonly number[] {
  if (spoils !== 'line') return []
  const lines = [at(offset).line]
  for (const [start, end] of scalars) {
    if (start > offset || offset > end) continue
    for (let { line } = at(start); line <= at(end).line; line += 1) lines.push(line)
  }
  return lines
}

/** The content, as far as it can be parsed. Errors leave gaps; only extreme nesting leaves nothing. */
function dataOf(document: Document): unknown {
  return orElse(undefined, () => {
    mergeDuplicateKeys(document.contents)
    return document.toJS({ maxAliasCount: 0 })
  })
}

function nodeAt(root: unknown, path: KeyPath): Node | undefined {
  let node: unknown = root
  for (const key of path) {
    const next: unknown = isCollection(node) ? node.get(key, true) : undefined
    if (!isNode(next)) break
    node = next
  }
  return isNode(node) ? node : undefined
}

function keyNodeAt(root: unknown, path: KeyPath): Node | undefined {
  const parent = nodeAt(root, path.slice(0, -1))
  if (!isMap(parent)) return undefined
  const name = path.at(-1)
  const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === name)
  return isNode(pair?.key) ? pair.key : undefined
}

const MAX_FAULTS = 20

/** Adds the value of a duplicate key to the first one, so that both are checked. Of two scalars, the first stays. */
function mergeDuplicateKeys(node: unknown): void {
  if (isSeq(node)) for (const item of node.items) mergeDuplicateKeys(item)
  if (!isMap(node)) return
  const firsts = new Map<unknown, Pair>()
  const kept: Pair[] = []
  for (const pair of node.items) {
    const key = isScalar(pair.key) ? pair.key.value : pair.key
    const first = firsts.get(key)
    if (first === undefined) kept.push(pair)
    else join(first.value, pair.value)
    firsts.set(key, first ?? pair)
  }
  node.items = kept
  for (const { value } of kept) mergeDuplicateKeys(value)
}

function join(first: unknown, later: unknown): void {
  if (isMap(first) && isMap(later)) first.items.push(...later.items)
  if (isSeq(first) && isSeq(later)) first.items.push(...later.items)
}

type Fault = {
  readonly offset: number
  readonly message: string
  /** How much text around it cannot be trusted. */
  readonly spoils: 'line' | 'node' | 'nothing'
}

/**
 * Broken syntax, and valid YAML that is not accepted: anchors, aliases, tags, directives, keys that are not strings. An
 * alias becomes the intended text, so that the rest of the document can be checked.
 */
function findYamlFaults(document: Document): readonly Fault[] {
  const known = [...document.errors, ...document.warnings].filter(({ code }) => code !== 'TAG_RESOLVE_FAILED')
  const faults = known.map((error) => ({
    offset: isUnclosed(error) ? startOfScalar(document, error.pos[0]) : error.pos[0],
    message: wordsOf(error),
    spoils: error.code === 'DUPLICATE_KEY' ? ('nothing' as const) : ('line' as const),
  }))
  return known.some(isHopeless) ? faults : [...faults, ...findForbidden(document)]
}

function findForbidden(document: Document): readonly Fault[] {
  const faults: Fault[] = []
  const add = (node: Node | null | undefined, message: string): void => {
    faults.push({ offset: node?.range?.[0] ?? 0, message, spoils: 'node' })
  }
  if (document.directives?.yaml.explicit) add(undefined, 'a %YAML directive is not accepted')
  visit(document, {
    Alias(_, node) {
      add(node, `an alias is not accepted; quote the text if it starts with \`*\``)
      return sourceTextOf(node)
    },
    Value(_, node) {
      if (node.anchor !== undefined) add(node, 'an anchor is not accepted; quote the text if it starts with `&`')
      if (node.tag !== undefined)
        add(node, `a tag (${node.tag}) is not accepted; quote the text if it starts with \`!\``)
    },
    Pair(_, { key }) {
      if (!isPlainKey(key)) add(isNode(key) ? key : undefined, 'a key must be a plain string; quote it')
    },
  })
  return faults
}

function isPlainKey(key: unknown): boolean {
  return isScalar(key) && typeof key.value === 'string' && key.value !== '__proto__'
}

function sourceTextOf({ source, range }: Alias): Scalar {
  const text = new Scalar(`*${source}`)
  text.range = range ?? null
  return text
}

function isUnclosed({ message }: YAMLError): boolean {
  return message.startsWith('Missing closing')
}

/** Where a quote opens that is missed at the end of the text. */
function startOfScalar(document: Document, end: number): number {
  return scalarRanges(document).find(([start, last]) => start <= end && end <= last)?.[0] ?? end
}

function isHopeless({ message }: YAMLError): boolean {
  return message.startsWith('Maximum call stack')
}

function wordsOf(error: YAMLError): string {
  const { code, message } = error
  if (code === 'MULTIPLE_DOCS') return 'the file has more than one document'
  if (isUnclosed(error)) return 'a quote is not closed'
  if (code === 'DUPLICATE_KEY') return 'this key is in the same map twice; join the two'
  if (code === 'BAD_SCALAR_START') return `${message}; put it in quotes`
  return isHopeless(error) ? 'the file is nested too deeply' : message
}
