import * as z from 'zod'
import { cut } from '../../lib/text/words.ts'
import { semanticNumber } from '../../Tool/semanticValues.ts'
import { buildTool, isDeferred, isNamed, type Tool } from '../../Tool.ts'

const names = z.array(z.string()).readonly()
const DEFAULT_RESULTS = 5
const MAX_NAMES = 50
const MAX_DESCRIPTION_CHARS = 200

/** Loads deferred tools, so that their schemas cost nothing until they are needed. */
export const ToolSearchTool = buildTool({
  name: 'ToolSearch',
  alwaysLoad: true,
  isFree: true,
  inputSchema: () =>
    z.strictObject({
      query: z.string().min(1).describe('"select:Name,Name", or keywords; a +word must match'),
      max_results: semanticNumber(z.number().int().positive().max(50)).optional().describe('default: 5'),
    }),
  outputSchema: () =>
    z.object({
      matches: z.array(z.object({ name: z.string(), description: z.string() })).readonly(),
      /** Names of what was not loaded before. */
      loaded: names,
      unknown: names,
      /** Names of what else matches; not loaded. */
      more: names,
    }),
  isAvailable: ({ tools }) => tools.some(isDeferred),
  description: () => 'Loads the schemas of more tools. A tool whose parameters you know may be called at once.',
  prompt: ({ tools }) => `Tools on demand: ${nameTools(deferred(tools))}`,
  isReadOnly: () => true,
  activity: ({ query }) => `Looking for a tool: ${query}`,
  async *call({ query, max_results = DEFAULT_RESULTS }, context) {
    const tools = deferred(context.tools)
    const { found, matching, unknown } = query.startsWith('select:')
      ? select(context.tools, query.slice('select:'.length))
      : { found: [], matching: await search(tools, query, context.cwd), unknown: [] }
    const shown = [...found, ...matching.slice(0, max_results)]
    const loaded = context.loadTools(shown.filter((tool) => tools.includes(tool)).map((tool) => tool.name))
    const options = { tools: context.tools, cwd: context.cwd }
    const matches = shown.map(async (tool) => ({ name: tool.name, description: await tool.description(options) }))
    const more = matching.slice(max_results).map((tool) => tool.name)
    yield { type: 'result', data: { matches: await Promise.all(matches), loaded, unknown, more } }
  },
  mapResult({ matches, loaded, unknown, more }) {
    const lines = matches.map(({ name, description }) => `- ${name}: ${inShort(description)}`)
    if (lines.length > 0) lines.unshift('Loaded:')
    if (more.length > 0) lines.push(`Not loaded, but they match too: ${more.slice(0, MAX_NAMES).join(', ')}`)
    if (more.length > MAX_NAMES) lines.push(`… and ${more.length - MAX_NAMES} more; use other words.`)
    if (unknown.length > 0) lines.push(`There is no tool ${unknown.join(', ')}.`)
    if (lines.length === 0) return { content: 'No tool matches. Try other words.' }
    return { content: lines.join('\n'), ...(loaded.length === 0 ? {} : { references: loaded }) }
  },
})

/** A short description. From the next request on, the tool itself has the full one. */
function inShort(description: string): string {
  return cut(description.replaceAll('\n', ' '), MAX_DESCRIPTION_CHARS)
}

/** All deferred tools in the order of the pool, loaded or not, so that the prompt stays the same for the whole run. */
function deferred(tools: readonly Tool[]): readonly Tool[] {
  return tools.filter(isDeferred)
}

/** The tools with these names, and those that match a `name*`. */
function select(tools: readonly Tool[], list: string) {
  const names = list.split(',').map((name) => name.trim())
  const found = new Set<Tool>()
  const matching = new Set<Tool>()
  const unknown: string[] = []
  for (const name of names.filter((each) => each !== '')) {
    const start = name.endsWith('*') ? fold(name.slice(0, -1)) : undefined
    const alike = start === undefined ? [] : tools.filter((tool) => fold(tool.name).startsWith(start))
    const tool = tools.find((each) => isNamed(each, name)) ?? tools.find((each) => fold(each.name) === fold(name))
    if (tool !== undefined) found.add(tool)
    else if (alike.length > 0) for (const each of alike) matching.add(each)
    else unknown.push(name)
  }
  return { found: [...found], matching: [...matching], unknown }
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

/** The most characters for names of server tools. */
const ROOM = 1000

/** The names of tools in one line, in the order of the tools. A server with too many is shown as `mcp__server__*`. */
function nameTools(tools: readonly Tool[]): string {
  const names = (listed: readonly Tool[]) => listed.map((tool) => tool.name)
  const own = tools.filter((tool) => tool.mcpInfo === undefined)
  const served = names(tools.filter((tool) => tool.mcpInfo !== undefined))
  if (served.join(', ').length <= ROOM) return [...names(own), ...served].join(', ')
  const counts = new Map<string, number>()
  for (const name of served) counts.set(serverPrefix(name), (counts.get(serverPrefix(name)) ?? 0) + 1)
  const servers = [...counts].map(([prefix, count]) => `${prefix}* (${count})`)
  return `${[...names(own), ...servers].join(', ')}. Search the * by keywords.`
}

/** `mcp__server__` from `mcp__server__tool`. */
function serverPrefix(name: string): string {
  return name.slice(0, name.indexOf('__', 'mcp__'.length) + 2)
}
