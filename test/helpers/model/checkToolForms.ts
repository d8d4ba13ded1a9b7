// biome-ignore lint/suspicious/noExplicitAny: foreign JSON, looked at field by field
type Json = any

const FIELDS = ['name', 'description', 'input_schema', 'type', 'cache_control', 'defer_loading', 'strict']
const RESULT_FIELDS = ['type', 'tool_use_id', 'content', 'is_error', 'cache_control']
const UNSUPPORTED =
  /"(minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf|minLength|maxLength|pattern|format|minItems|maxItems|uniqueItems)":[^{]/

/** What the API would refuse in strict tools, deferred tools, and references to them; as its documentation says. */
export function checkToolForms({ tools = [], messages }: Json): string[] {
  const own = tools.filter((tool: Json) => tool.input_schema !== undefined)
  return [...own.flatMap(checkFields), ...checkStrict(own), ...checkReferences(own, messages)]
}

function checkFields(tool: Json): string[] {
  const others = Object.keys(tool).filter((key) => !FIELDS.includes(key))
  return others.map((key) => `tool ${tool.name}: ${key}: Extra inputs are not permitted`)
}

function checkStrict(tools: Json[]): string[] {
  const strict = tools.filter((tool) => tool.strict === true)
  const problems = strict.length > 20 ? [`${strict.length} strict tools`] : []
  const optional = strict.reduce((sum, tool) => sum + optionalIn(tool.input_schema), 0)
  if (optional > 24) problems.push(`${optional} optional parameters in strict tools`)
  for (const { name, input_schema: schema } of strict) {
    const text = JSON.stringify(schema)
    if (UNSUPPORTED.test(text)) problems.push(`strict tool ${name}: ${UNSUPPORTED.exec(text)?.[1]} is not supported`)
    for (const part of objectsIn(schema))
      if (part.additionalProperties !== false) problems.push(`strict tool ${name}: an object that is not closed`)
  }
  return problems
}

function optionalIn(schema: Json): number {
  return objectsIn(schema).reduce(
    (sum, part) => sum + Object.keys(part.properties ?? {}).length - (part.required ?? []).length,
    0,
  )
}

function objectsIn(value: Json): Json[] {
  if (typeof value !== 'object' || value === null) return []
  const parts = Object.values(value).flatMap(objectsIn)
  return value.type === 'object' ? [value, ...parts] : parts
}

function checkReferences(tools: Json[], messages: Json): string[] {
  const deferred: string[] = tools.filter((tool) => tool.defer_loading === true).map((tool) => tool.name)
  const problems: string[] = []
  if (tools.length > 0 && deferred.length === tools.length) problems.push('all tools have defer_loading set')
  for (const tool of tools)
    if (tool.defer_loading === true && tool.cache_control !== undefined)
      problems.push(`tool ${tool.name} has both defer_loading and cache_control`)
  const blocks: Json[] = (Array.isArray(messages) ? messages : []).flatMap((message: Json) => message.content)
  for (const result of blocks.filter((block) => block.type === 'tool_result')) {
    const others = Object.keys(result).filter((key) => !RESULT_FIELDS.includes(key))
    problems.push(...others.map((key) => `tool_result: ${key}: Extra inputs are not permitted`))
    const parts: Json[] = Array.isArray(result.content) ? result.content : []
    const references = parts.filter((part) => part.type === 'tool_reference')
    if (references.length > 0 && references.length < parts.length)
      problems.push('tool references cannot be mixed with other content')
    for (const { tool_name: name } of references)
      if (!deferred.includes(name)) problems.push(`tool reference ${name} not found in available tools`)
  }
  return problems
}
