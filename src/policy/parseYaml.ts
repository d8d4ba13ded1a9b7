import type { Document, YAMLError } from 'yaml'
import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml'

export type Position = { readonly line: number; readonly column: number }
export type YamlFault = Position & { readonly message: string }
export type KeyPath = readonly PropertyKey[]

/** A YAML or JSON file as plain data, with the place of every key and value. */
export type YamlFile = {
  /** Undefined where the text cannot be read as one document. */
  readonly data: unknown
  readonly faults: readonly YamlFault[]
  /** Where the value stands; the nearest existing parent for one that is missing. */
  positionOf(path: KeyPath): Position
  /** Where the entries of a list stand, in order. */
  positionsOf(path: KeyPath): readonly Position[]
  /** Where the key of the pair stands. */
  keyPositionOf(path: KeyPath): Position
  /** The value as written, for advice on quoting. */
  sourceOf(path: KeyPath): string
  /** True where the plain value is followed by a comment on its line. */
  hasComment(path: KeyPath): boolean
}

/**
 * Strict reading: one document, YAML 1.2 core, no anchors, aliases, tags or directives, every key a text that stands once.
 * Warnings of the parser are faults. Never throws.
 */
export function parseYaml(text: string): YamlFile {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, version: '1.2', merge: false })
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const faults = [
    ...[...document.errors, ...document.warnings]
      .filter(({ code }) => code !== 'TAG_RESOLVE_FAILED')
      .map((error) => ({ ...at(error.pos[0]), message: wordsOf(error) })),
    ...findForbidden(document, at),
  ]
  const find = (path: KeyPath): Node | undefined => nodeAt(document.contents, path)
  return {
    data: isReadable(document, faults) ? document.toJS({ maxAliasCount: 0 }) : undefined,
    faults: faults.slice(0, MAX_FAULTS),
    positionOf: (path) => at(find(path)?.range?.[0] ?? 0),
    positionsOf: (path) => {
      const list = find(path)
      return isSeq(list) ? list.items.map((item) => at(isNode(item) ? (item.range?.[0] ?? 0) : 0)) : []
    },
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

/** A file with doubled keys still has data worth checking; one with broken syntax has not. */
function isReadable(document: Document, faults: readonly YamlFault[]): boolean {
  const hasBrokenSyntax = document.errors.some(({ code }) => code !== 'DUPLICATE_KEY')
  return !hasBrokenSyntax && faults.length === document.errors.length
}

function findForbidden(document: Document, at: (offset: number) => Position): readonly YamlFault[] {
  const faults: YamlFault[] = []
  if (document.directives?.yaml.explicit) faults.push({ ...at(0), message: 'a %YAML directive is not accepted' })
  if (document.errors.some(({ code }) => code !== 'DUPLICATE_KEY')) return faults
  const add = (node: Node | null | undefined, message: string): void => {
    faults.push({ ...at(node?.range?.[0] ?? 0), message })
  }
  visit(document, (_, node) => {
    if (isAlias(node)) add(node, `an alias is not accepted; quote the text if it starts with \`*\``)
    else if (isPair(node)) {
      const { key } = node
      const isText = isScalar(key) && typeof key.value === 'string' && key.value !== '__proto__'
      if (!isText) add(isNode(key) ? key : undefined, 'a key must be a plain text; quote it')
    } else if (isScalar(node) || isCollection(node)) {
      if (node.anchor !== undefined) add(node, 'an anchor is not accepted; quote the text if it starts with `&`')
      if (node.tag !== undefined)
        add(node, `a tag (${node.tag}) is not accepted; quote the text if it starts with \`!\``)
    }
  })
  return faults
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
  const pair = parent.items.find(({ key }) => isScalar(key) && key.value === name)
  return isNode(pair?.key) ? pair.key : undefined
}

const MAX_FAULTS = 20

function wordsOf({ code, message }: YAMLError): string {
  if (code === 'MULTIPLE_DOCS') return 'the file has more than one document'
  if (code === 'BAD_SCALAR_START') return `${message}; put it in quotes`
  return message.startsWith('Maximum call stack') ? 'the file is nested too deeply' : message
}
