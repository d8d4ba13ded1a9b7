import * as z from 'zod'
import { RunError } from '../contracts/errors.ts'
import type { ServerToolSpec, ToolSpec } from '../contracts/model.ts'
import { isObject } from '../lib/isObject.ts'
import type { PromptOptions, Tool } from '../Tool.ts'

type JsonSchema = Readonly<Record<string, unknown>>

/**
 * A tool in the API's format. `input_schema` is always `type: object` with its properties, whatever the tool uses: zod
 * 4, zod 3, or the JSON Schema of an MCP server. A server-side tool is passed on unchanged, under the name that the API
 * knows.
 */
export async function toToolSpec(tool: Tool, options: PromptOptions): Promise<ToolSpec | ServerToolSpec> {
  if (tool.serverTool !== undefined) return { name: tool.name, ...tool.serverTool }
  const texts = [await tool.description(options), await tool.prompt(options)]
  return {
    name: tool.name,
    description: texts.filter((text) => text.trim() !== '').join('\n\n'),
    input_schema: await toInputSchema(tool),
  }
}

/** The parameters of a tool as JSON Schema. */
export async function toInputSchema(tool: Tool): Promise<JsonSchema> {
  const schema = tool.inputJSONSchema ?? (await fromZod(tool))
  const { $schema: _dialect, ...own } = flattened(schema, schema)
  if (own['type'] !== undefined && own['type'] !== 'object') {
    throw new RunError('config', `tool ${tool.name}: its input schema is of type ${String(own['type'])}, not object`)
  }
  return { ...own, type: 'object', properties: own['properties'] ?? {} }
}

async function fromZod(tool: Tool): Promise<JsonSchema> {
  const schema: unknown = tool.inputSchema()
  if (isZod4(schema)) return z.toJSONSchema(schema, { io: 'input', override: withoutPlainBounds })
  const { zodToJsonSchema } = await import('zod-to-json-schema')
  // A zod 3 schema, for which this project has no type; the converter looks at its `_def`.
  return zodToJsonSchema(schema as Parameters<typeof zodToJsonSchema>[0], { $refStrategy: 'none' }) as JsonSchema
}

/**
 * Removes bounds that a model need not know: those that zod gives every integer, and that a text is not empty. The tool
 * checks them.
 */
function withoutPlainBounds({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.minLength === 1) delete jsonSchema.minLength
}

/** The API accepts none of these four at the top level: `$ref` is resolved, the others are merged. */
function flattened(schema: JsonSchema, root: JsonSchema, followed: readonly unknown[] = []): JsonSchema {
  const { $ref, anyOf, oneOf, allOf, ...own } = schema
  const target = followed.includes($ref) ? undefined : resolveRef(root, $ref)
  if (target !== undefined) return flattened({ ...own, ...target }, root, [...followed, $ref])
  const part = (value: JsonSchema): JsonSchema => flattened(value, root, [...followed, $ref])
  const every = partsOf(allOf).map(part)
  const some = [...partsOf(anyOf), ...partsOf(oneOf)].map(part)
  if (every.length + some.length === 0) return own
  const properties = Object.assign({}, ...[own, ...every, ...some].map((each) => each['properties'] ?? {}))
  const needed = [own, ...every].flatMap(requiredOf)
  const [first, ...others] = some.map(requiredOf)
  const shared = (first ?? []).filter((key) => others.every((keys) => keys.includes(key)))
  return { ...own, type: 'object', properties, required: [...new Set([...needed, ...shared])] }
}

function resolveRef(root: JsonSchema, ref: unknown): JsonSchema | undefined {
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return undefined
  let value: unknown = root
  for (const key of ref.slice(2).split('/')) value = isObject(value) ? value[key] : undefined
  return isObject(value) ? value : undefined
}

function partsOf(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function requiredOf(schema: JsonSchema): string[] {
  const required = schema['required']
  return Array.isArray(required) ? required.filter((key) => typeof key === 'string') : []
}

/** Checks a marker instead of the class, because a library user's schema may come from another copy of zod. */
function isZod4(schema: unknown): schema is z.ZodType {
  return typeof schema === 'object' && schema !== null && '_zod' in schema
}
