import * as z from 'zod'
import { semanticNumber } from '../../lib/semanticNumber.ts'
import { buildTool, isDeferred, isNamed, lazySchema, type Tool } from '../../Tool.ts'

const inputSchema = lazySchema(() =>
  z.strictObject({
    query: z.string().min(1).describe('"select:Name,Name" or keywords; +word must match'),
    max_results: semanticNumber(z.number().int().positive().max(50)).optional(),
  }),
)

type ToolSearchOutput = {
  readonly matches: readonly { readonly name: string; readonly description: string }[]
  readonly unknown: readonly string[]
}

const DEFAULT_RESULTS = 5

/** Loads deferred tools, so that their schemas cost nothing until they are wanted. */
export const ToolSearchTool = buildTool<z.infer<ReturnType<typeof inputSchema>>, ToolSearchOutput>({
  name: 'ToolSearch',
  aliases: ['ToolSearchTool'],
  alwaysLoad: true,
  isFree: true,
  inputSchema,
  isAvailable: ({ tools }) => tools.some(isDeferred),
  description: () => 'Loads more tools; they can be called from your next message on.',
  prompt: ({ tools }) =>
    `Tools to load: ${deferred(tools)
      .map((tool) => tool.name)
      .join(', ')}`,
  isReadOnly: () => true,
  activity: ({ query }) => `Looking for a tool: ${query}`,
  async *call({ query, max_results = DEFAULT_RESULTS }, context) {
    const tools = deferred(context.tools)
    const { found, unknown } = query.startsWith('select:')
      ? select(context.tools, query.slice('select:'.length))
      : { found: (await search(tools, query, context.cwd)).slice(0, max_results), unknown: [] }
    context.loadTools(found.filter((tool) => tools.includes(tool)).map((tool) => tool.name))
    const options = { tools: context.tools, cwd: context.cwd }
    const matches = found.map(async (tool) => ({ name: tool.name, description: await tool.description(options) }))
    yield { type: 'result', data: { matches: await Promise.all(matches), unknown } }
  },
  mapResult({ matches, unknown }) {
    const lines = matches.map(({ name, description }) => `- ${name}: ${description}`)
    if (lines.length > 0) lines.unshift('Loaded:')
    if (unknown.length > 0) lines.push(`There is no tool ${unknown.join(', ')}.`)
    return lines.length === 0 ? { content: 'No tool matches. Try other words.' } : { content: lines.join('\n') }
  },
})

/** Sorted as the pool is, so that the prompt stays the same for the whole run, whatever is loaded by now. */
function deferred(tools: readonly Tool[]): readonly Tool[] {
  return tools.filter(isDeferred)
}

function select(tools: readonly Tool[], list: string): { found: readonly Tool[]; unknown: readonly string[] } {
  const names = list.split(',').map((name) => name.trim())
  const found = new Set<Tool>()
  const unknown: string[] = []
  for (const name of names.filter((each) => each !== '')) {
    const tool = tools.find((each) => isNamed(each, name)) ?? tools.find((each) => fold(each.name) === fold(name))
    if (tool === undefined) unknown.push(name)
    else found.add(tool)
  }
  return { found: [...found], unknown }
}

async function search(tools: readonly Tool[], query: string, cwd: string): Promise<readonly Tool[]> {
  const words = fold(query)
    .split(/[\s,]+/)
    .filter((word) => word !== '' && word !== '+')
  const required = words.filter((word) => word.startsWith('+')).map((word) => word.slice(1))
  const plain = words.map((word) => word.replace(/^\+/, ''))
  const rated = tools.map(async (tool) => {
    const name = fold(tool.name)
    const text = fold(
      `${tool.name} ${tool.aliases.join(' ')} ${tool.searchHint} ${await tool.description({ tools, cwd })}`,
    )
    const score = plain.reduce((sum, word) => sum + (name.includes(word) ? 3 : text.includes(word) ? 1 : 0), 0)
    return { tool, score: required.every((word) => text.includes(word)) ? score : 0 }
  })
  const matching = (await Promise.all(rated)).filter(({ score }) => score > 0)
  return matching.sort((a, b) => b.score - a.score).map(({ tool }) => tool)
}

function fold(text: string): string {
  return text.toLowerCase()
}
