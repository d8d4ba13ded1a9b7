import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { toToolSpec } from '../src/model/toolSpec.ts'
import { loadPolicy } from '../src/policy/load/loadPolicy.ts'
import { canonicalName } from '../src/policy/rules/toolNames.ts'
import { buildTool, isDeferred, matchesToolName, type PoolFacts, type Tool } from '../src/Tool.ts'
import { assembleToolPool, getAllBaseTools, getReadOnlyTools, getTools, type PoolOptions } from '../src/tools.ts'
import { listOf, table } from './helpers/table.ts'

const OPTIONS = { tools: getAllBaseTools(), cwd: '/project' }
const NOTHING: Omit<PoolFacts, 'tools'> = {
  ...{ hasMemory: false, hasSkills: false, hasServers: false, hasOutputs: false, hasProgram: () => false },
}
/** What only exists where something else does. */
const NEEDY = 'ListMcpResources MemoryRead MemoryWrite PowerShell ProposeOutput ReadMcpResource Skill'.split(' ')
const OPT_IN = ['Architect', 'AskExpertModel', 'PowerShell', 'WebSearch']

function policyOf(allow: readonly string[] = [], deny: readonly string[] = []) {
  return loadPolicy({ cwd: '/project', home: '/home/ci', flags: { allow, deny } })
}

async function namesOf(options: Partial<PoolOptions>, ...rules: Parameters<typeof policyOf>) {
  const tools = assembleToolPool({ policy: await policyOf(...rules), ...options })
  return tools.map((tool) => tool.name)
}

function custom(name: string, more: { readonly [Key in keyof Tool]?: Tool[Key] | undefined } = {}): Tool {
  return buildTool({
    name,
    inputSchema: () => z.strictObject({}),
    description: () => 'a test',
    async *call() {
      yield { type: 'result', data: 'done' }
    },
    mapResult: (data: string) => ({ content: data }),
    ...(more as Partial<Tool>),
  })
}

type Schema = { readonly description?: string; readonly properties?: Record<string, Schema>; readonly items?: Schema }

/** Parameters that the model is told nothing about. */
function undescribed(schema: Schema, path = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => [
    ...(part.description === undefined ? [`${path}${name}`] : []),
    ...undescribed(part, `${path}${name}.`),
    ...undescribed(part.items ?? {}, `${path}${name}.`),
  ])
}

describe('every tool', () => {
  it.each(getAllBaseTools().map((tool) => [tool.name, tool] as const))(
    '%s has a schema that the API accepts, the shape of its output, to which each call is held, and its aliases in rules too',
    async (name, tool) => {
      const spec = await toToolSpec(custom(name, { ...tool, serverTool: undefined }), OPTIONS)
      expect(spec).toMatchObject({ name, description: expect.stringMatching(/\w/), input_schema: { type: 'object' } })
      const schema = spec['input_schema'] as Record<string, unknown>
      expect(schema['properties']).toBeTypeOf('object')
      for (const key of ['$ref', '$schema', 'anyOf', 'oneOf', 'allOf']) expect(schema).not.toHaveProperty(key)
      expect(JSON.stringify(schema)).not.toContain('"$ref"')
      expect(undescribed(schema)).toEqual([])
      expect(tool.outputSchema?.().safeParse(Symbol('no output')).success).toBe(false)
      for (const alias of [name, ...tool.aliases]) expect([alias, canonicalName(alias)]).toEqual([alias, name])
    },
  )

  it('has unique names', () => {
    const names = getAllBaseTools().flatMap((tool) => [tool.name, ...tool.aliases])
    expect(names).toEqual([...new Set(names)])
  })

  it('needs no permission only if docs/tools.md says so', () => {
    const [, list = ''] = / need no allow rule:([\s\S]*?)\n\n/.exec(readFileSync('docs/tools.md', 'utf8')) ?? []
    const said = [...list.matchAll(/`(\w+)…?`/g)].map(([, name]) => name)
    const free = getAllBaseTools().filter((tool) => tool.isFree)
    const names = free.map(({ name }) => (name.startsWith('Task') ? 'Task' : name))
    expect([...new Set(names)].sort()).toEqual(said.sort())
  })

  it('has a short search hint if it is deferred', () => {
    for (const tool of getAllBaseTools().filter(isDeferred)) expect([tool.name, tool.searchHint]).not.toContain('')
  })
})

describe('the pool', () => {
  it('is sorted and complete', async () => {
    const names = await namesOf({}, OPT_IN)
    expect(names).toEqual(getAllBaseTools().map((tool) => tool.name))
    expect(names).toEqual(names.toSorted())
  })

  it('leaves out tools without anything to work on', async () => {
    const left = await namesOf({ facts: NOTHING }, OPT_IN)
    const all = getAllBaseTools().map((tool) => tool.name)
    expect(all.filter((name) => !left.includes(name))).toEqual(NEEDY)
  })

  it('offers some tools only if an allow rule names them', async () => {
    const names = await namesOf({})
    expect(OPT_IN.filter((name) => names.includes(name))).toEqual([])
    for (const name of OPT_IN) expect(await namesOf({}, [name])).toContain(name)
  })

  it("never offers the API's search if a rule would decide call by call", async () => {
    expect(await namesOf({}, ['WebSearch'], ['WebSearch(query:*internal*)'])).not.toContain('WebSearch')
    const searchEndpoint = 'http://search.test/'
    expect(await namesOf({ searchEndpoint }, ['WebSearch'], ['WebSearch(query:*internal*)'])).toContain('WebSearch')
  })

  it('accepts a server name among the chosen tools', async () => {
    const more = ['mcp__git__log', 'mcp__gitlab__log'].map((name) =>
      custom(name, { mcpInfo: { server: name.split('__')[1] ?? '', tool: 'log' } }),
    )
    expect(await namesOf({ more, only: ['Read', 'mcp__git'] })).toEqual(['Finish', 'Read', 'mcp__git__log'])
  })

  it('drops tools that only serve a missing one', async () => {
    const served = { Bash: ['BashOutput', 'KillShell'], Agent: ['SendMessage'], EnterWorktree: ['ExitWorktree'] }
    for (const [name, others] of Object.entries(served)) {
      const names = await namesOf({}, [], [name])
      for (const gone of [name, ...others]) expect(names).not.toContain(gone)
    }
  })

  it('has no ToolSearch if nothing is deferred', async () => {
    expect(await namesOf({ isBare: true })).not.toContain('ToolSearch')
    expect(await namesOf({ only: ['Read', 'ToolSearch'] })).not.toContain('ToolSearch')
    expect(await namesOf({})).toContain('ToolSearch')
  })

  it('is three tools and Finish with --bare', async () => {
    expect(await namesOf({ isBare: true, more: [custom('Deploy')] })).toEqual(['Bash', 'Edit', 'Finish', 'Read'])
  })

  it('is limited by `--tools`, with any alias', async () => {
    const more = [custom('Deploy'), custom('mcp__a__b'), custom('mcp__a__c')]
    const only = ['FileReadTool', 'WebFetch', 'mcp__a__c']
    expect(await namesOf({ only, more })).toEqual(['Finish', 'Read', 'WebFetch', 'mcp__a__c'])
  })

  it('is all of them with `--tools default`, and Finish alone with `--tools ""`', async () => {
    const more = [custom('Deploy')]
    expect(await namesOf({ only: ['default'], isBare: true, more })).toEqual(await namesOf({ isBare: true, more }))
    expect(await namesOf({ only: ['default', 'Read'], more })).toEqual(await namesOf({ more }))
    expect(await namesOf({ only: [], more })).toEqual(['Finish'])
  })

  it('puts other tools after the built-in ones, by name, and never replaces a built-in', async () => {
    const more = ['mcp__b__x', 'Deploy', 'Bash', 'FileReadTool', 'mcp__a__y'].map((name) => custom(name))
    const names = await namesOf({ more })
    expect(names.slice(-3)).toEqual(['Deploy', 'mcp__a__y', 'mcp__b__x'])
    expect(names.filter((name) => name === 'Bash' || name === 'FileReadTool')).toEqual(['Bash'])
  })

  it('loses tools of a bare deny: a family with its head, a server with all its tools', async () => {
    const more = [custom('mcp__a__x', { mcpInfo: { server: 'a', tool: 'x' } })]
    const names = await namesOf({ more }, [], ['Task', 'Edit', 'mcp__a', 'Bash(rm *)'])
    for (const gone of ['Agent', 'Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'mcp__a__x'])
      expect(names).not.toContain(gone)
    expect(names).toContain('Bash')
  })

  it('identifies read-only tools', async () => {
    const names = getReadOnlyTools(getTools({ policy: await policyOf() })).map((tool) => tool.name)
    expect(names).toEqual(expect.arrayContaining(['Read', 'Grep', 'Glob', 'LS', 'Finish', 'TodoWrite']))
    for (const name of ['Bash', 'Edit', 'Write', 'Agent', 'EnterWorktree', 'MemoryWrite'])
      expect(names).not.toContain(name)
  })
})

describe('tool names in an agent definition', () => {
  it.each(table`
    Read             | Read, Other                                       | Rea*
    mcp__git__log    | mcp__git__log, mcp__git, mcp__git__*, mcp__git__l* | mcp__gi
    mcp__gitlab__log |                                                   | mcp__git
  `)('%s is meant by %s, and not by %s', (name, those, others) => {
    const mcpInfo = name.startsWith('mcp__') ? { server: 's', tool: 't' } : undefined
    const tool = custom(name, { aliases: ['Other'], ...(mcpInfo && { mcpInfo }) })
    const words = [...listOf(those), ...listOf(others)]
    expect(words.filter((word) => matchesToolName(tool, word))).toEqual(listOf(those))
  })
})
