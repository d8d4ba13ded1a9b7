import { stripHidden } from '../../lib/text/visibleName.ts'

/** The longest tool description, and the longest text inside its schema. */
const TEXT_LIMIT = 2_000

/** A server's text for the model: nothing hidden, at most 2,000 characters. */
export function serverText(text: string): string {
  const visible = stripHidden(text).toWellFormed().trim()
  return visible.length <= TEXT_LIMIT ? visible : `${visible.slice(0, TEXT_LIMIT).toWellFormed()} [cut]`
}

type Schema = Readonly<Record<string, unknown>>

/** True for a text of a schema that is for readers alone; a property may have such a name, too. */
const isText = (key: string, value: unknown): value is string =>
  (key === 'description' || key === 'title') && typeof value === 'string'

/** A schema with cleaned descriptions and titles. The rest is unchanged. */
export function cleanSchema(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema, (key, value) => (isText(key, value) ? serverText(value) : value)))
}

/** True if a schema hides text where it cannot be cleaned: in a property's name, an allowed value. */
export function hidesText(schema: Schema): boolean {
  const strings: string[] = []
  JSON.stringify(schema, (key, value) => {
    strings.push(key, ...(typeof value === 'string' && !isText(key, value) ? [value] : []))
    return value
  })
  return strings.some((text) => stripHidden(text).toWellFormed() !== text.replace(/\r\n?/g, '\n'))
}
