/** The parts of JSON Schema that the published schemas use. */
export type JsonSchema = {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly additionalProperties?: JsonSchema | boolean
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
}

/** One property: where it stands (`tests[].call`), its type in words, and its description. */
export type SchemaRow = {
  readonly path: string
  readonly type: string
  readonly description: string | undefined
  readonly isRequired: boolean
}

/** Every property of a JSON Schema, from the outside in; `[]` stands for an item, `<name>` for any key. */
export function schemaRows(root: JsonSchema, start: JsonSchema = root, depth = Number.POSITIVE_INFINITY): SchemaRow[] {
  const seen = new Set<string>()
  const rows: SchemaRow[] = []
  const visit = (given: JsonSchema, path: string, level: number): void => {
    const schema = resolved(given, root)
    for (const variant of variantsOf(schema)) visit(variant, path, level)
    if (schema.items !== undefined) visit(schema.items, `${path}[]`, level)
    if (typeof schema.additionalProperties === 'object') visit(schema.additionalProperties, `${path}.<name>`, level)
    if (level >= depth) return
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const whole = resolved(property, root)
      const row = {
        path: path === '' ? name : `${path}.${name}`,
        type: typeOf(whole, root),
        description: whole.description,
        isRequired: schema.required?.includes(name) ?? false,
      }
      const key = JSON.stringify(row)
      if (!seen.has(key)) rows.push(row)
      seen.add(key)
      visit(property, row.path, level + 1)
    }
  }
  visit(start, '', 0)
  return rows
}

/** A schema with what its references add; its own words win. */
function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { $ref, allOf, ...own } = schema
  const name = $ref?.replace('#/$defs/', '')
  const parts = [...(allOf ?? []), ...(name === undefined ? [] : [root.$defs?.[name] ?? {}])]
  return Object.assign({}, ...parts.map((part) => resolved(part, root)), own)
}

function variantsOf({ anyOf = [], oneOf = [] }: JsonSchema): readonly JsonSchema[] {
  return [...anyOf, ...oneOf]
}

/** The type as a reader writes it: `string`, `list of string`, `a, b`, `map of number`. */
function typeOf(given: JsonSchema, root: JsonSchema): string {
  const schema = resolved(given, root)
  const variants = variantsOf(schema).map((variant) => typeOf(variant, root))
  if (variants.length > 0) return [...new Set(variants)].join(' or ')
  if (schema.const !== undefined) return String(schema.const)
  if (schema.enum !== undefined) return enumOf(schema.enum)
  if (schema.items !== undefined) return `list of ${typeOf(schema.items, root)}`
  if (schema.type === 'object' && schema.properties === undefined) {
    const value = schema.additionalProperties
    return typeof value === 'object' && Object.keys(value).length > 0 ? `map of ${typeOf(value, root)}` : 'object'
  }
  return [schema.type ?? 'anything'].flat().join(' or ')
}

const MOST_SHOWN = 6

function enumOf(values: readonly unknown[]): string {
  return values.length > MOST_SHOWN ? `one of ${values.length} names` : values.join(', ')
}
