import { stripHidden } from '../../lib/text/stripHidden.ts'

/** The longest tool description, and the longest text inside its schema. */
const TEXT_LIMIT = 2_000

/** A server's text for the model: nothing hidden, at most 2,000 characters. */
export function serverText(text: string): string {
  const visible = stripHidden(text).toWellFormed().trim()
  return visible.length <= TEXT_LIMIT ? visible : `${visible.slice(0, TEXT_LIMIT).toWellFormed()} [cut]`
}

/** A schema with cleaned descriptions and titles. The rest is unchanged. */
export function cleanSchema(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return cleanNode(schema) as Readonly<Record<string, unknown>>
}

/** True if a schema hides text where it cannot be cleaned: in a property's name, an allowed value. */
export function hidesText(schema: Readonly<Record<string, unknown>>): boolean {
  const strings: string[] = []
  collectStrings(schema, strings)
  return strings.some((text) => stripHidden(text).toWellFormed() !== text.replace(/\r\n?/g, '\n'))
}

function cleanNode(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(cleanNode)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      (key === 'description' || key === 'title') && typeof value === 'string' ? serverText(value) : cleanNode(value),
    ]),
  )
}

function collectStrings(node: unknown, into: string[]): void {
  if (typeof node === 'string') into.push(node)
  else if (Array.isArray(node)) for (const item of node) collectStrings(item, into)
  else if (typeof node === 'object' && node !== null) {
    for (const [key, value] of Object.entries(node)) {
      into.push(key)
      collectStrings(value, into)
    }
  }
}
