import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  Scalar,
  type YAMLError,
} from 'yaml'

/** What is wrong at a place in the text. */
export type Fault = {
  readonly offset: number
  readonly message: string
  /** How much text around it cannot be trusted. */
  readonly spoils: 'line' | 'node' | 'nothing'
}

/**
 * Broken syntax, and valid YAML that is not accepted: anchors, aliases, tags, directives, keys that are not strings. An
 * alias becomes the intended text, so that the rest of the document can be checked.
 */
export function findYamlFaults(document: Document): readonly Fault[] {
  const known = [...document.errors, ...document.warnings].filter(({ code }) => code !== 'TAG_RESOLVE_FAILED')
  const faults = known.map((error) => ({
    offset: error.pos[0],
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
  const check = (node: unknown): unknown => {
    if (isAlias(node)) {
      add(node, `an alias is not accepted; quote the text if it starts with \`*\``)
      return sourceTextOf(node)
    }
    if (isScalar(node) || isCollection(node)) {
      if (node.anchor !== undefined) add(node, 'an anchor is not accepted; quote the text if it starts with `&`')
      if (node.tag !== undefined)
        add(node, `a tag (${node.tag}) is not accepted; quote the text if it starts with \`!\``)
    }
    if (isSeq(node)) node.items = node.items.map(check)
    if (isMap(node)) {
      for (const pair of node.items) {
        if (!isPlainKey(pair.key))
          add(isNode(pair.key) ? pair.key : undefined, 'a key must be a plain string; quote it')
        pair.key = check(pair.key)
        pair.value = check(pair.value)
      }
    }
    return node
  }
  const contents = check(document.contents)
  document.contents = isNode(contents) ? contents : null
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

function isHopeless({ message }: YAMLError): boolean {
  return message.startsWith('Maximum call stack')
}

function wordsOf(error: YAMLError): string {
  const { code, message } = error
  if (code === 'MULTIPLE_DOCS') return 'the file has more than one document'
  if (code === 'BAD_SCALAR_START') return `${message}; put it in quotes`
  return isHopeless(error) ? 'the file is nested too deeply' : message
}
