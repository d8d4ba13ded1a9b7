import { toInputSchema } from '../../model/toolSpec.ts'
import { isDeferred, type Tool } from '../../Tool.ts'
import type { ToolRunner } from './ToolRunner.ts'

/** About 2,000 tokens, which all built-in tools need less than. */
const MAX_CHARS = 8000

/**
 * What is wrong with an input; and for a tool whose schema the model does not have, its fields. As text they leave the tools of
 * the next request as they are, and the API's cache with them.
 */
export async function withSchema(message: string, tool: Tool, runner: Pick<ToolRunner, 'tools'>): Promise<string> {
  if (!isDeferred(tool) || runner.tools().some(({ name }) => name === tool.name)) return message
  const { properties, required = [] } = await toInputSchema(tool)
  const fields = JSON.stringify({ required, properties })
  if (fields.length > MAX_CHARS)
    return `${message}\nIts schema is not loaded: ToolSearch loads it by select:${tool.name}.`
  return `${message}\nIts schema: ${fields}`
}
