import { describe, expect, it } from 'vitest'
import { serveTurns } from '../../helpers/model/serveTurns.ts'
import { type CliFolders, runCli } from '../../helpers/runs/cliRun.ts'
import { FINISH, type PlayedCall, playRun, resultsIn } from '../../helpers/runs/playRun.ts'
import { serveMcp } from '../../helpers/tools/httpMcp.ts'

const UP = 'The MCP server late was down at the start and is up now. ToolSearch loads its tools: mcp__late__run.'
const CAME_UP = /^MCP server late was down at the start and came up before turn \d+\.$/
const search: PlayedCall = { name: 'ToolSearch', input: { query: 'select:mcp__late__run' } }
const call: PlayedCall = { name: 'mcp__late__run', input: {} }
/** Another one each time: the same call again and again ends a run. */
const idle = (index: number): PlayedCall => ({ name: 'Sleep', input: { duration_ms: 10 + index / 1000 } })
const mayEnter = () => true

type Options = { readonly policy?: object; readonly args?: readonly string[]; readonly after?: CliFolders }

/** A run whose server comes up after the first request; the model waits until it is told, then makes these calls. */
async function lateRun(calls: readonly PlayedCall[], { policy = {}, args = [], ...more }: Options = {}) {
  let isDown = true
  const server = await serveMcp({ mayEnter, isDown: () => isDown, tools: ['run', 'drop'] })
  let since: number | undefined
  const api = await serveTurns(({ index, body }) => {
    isDown = false
    const texts = JSON.stringify(body.messages.slice(-1))
    if (since === undefined && texts.includes('is up now')) since = index
    const next = since === undefined ? idle(index) : calls[index - since]
    return next === undefined ? FINISH : { tools: [next] }
  })
  const mcpServers = { late: { url: server.url, required: false } }
  const permissions = { allow: ['mcp__late'], deny: ['mcp__late__drop'] }
  const run = await runCli(['--max-turns', '400', ...args, 'do it'], {
    ...{ server: api, policy: { permissions, mcpServers, ...policy }, ...more },
  })
  const bodies = api.requests.map(({ body }) => body)
  const first = since ?? 0
  const tools = (index: number): string[] => bodies.at(index)?.tools.map((tool: { name: string }) => tool.name)
  return { run, bodies, first, tools, told: resultsIn(bodies.at(-1)?.messages), server }
}

describe('a server that is down at the start', () => {
  it('comes up later: its tools arrive by ToolSearch, and no byte before them changes', { tags: 'long' }, async () => {
    const { run, bodies, first, tools, told } = await lateRun([search, call, { name: 'mcp__late__drop', input: {} }])
    expect(run.code, run.stderr).toBe(0)
    expect(JSON.stringify(bodies[first].messages.at(-1))).toContain(UP)
    expect(tools(first)).toEqual(tools(0))
    expect(tools(first + 1)).toEqual([...tools(0), 'mcp__late__run'])
    const head = (body: { tools: object[]; system: object }, count: number) =>
      JSON.stringify([body.system, body.tools.slice(0, count).map((tool) => ({ ...tool, cache_control: undefined }))])
    expect(new Set(bodies.map((body) => head(body, tools(0).length))).size).toBe(1)
    expect(told.slice(-3)).toEqual([
      expect.stringContaining('Loaded:\n- mcp__late__run'),
      'run with nothing',
      expect.stringContaining('`mcp__late__drop`'),
    ])
    expect(run.result().permission_denials).toMatchObject([{ tool_name: 'mcp__late__drop', rule: 'mcp__late__drop' }])
    expect(run.warnings()).toEqual([
      expect.stringContaining('MCP server late: HTTP 503'),
      expect.stringMatching(CAME_UP),
    ])
    expect(run.stderr).toMatch(/came up before turn/)
  })

  it('whose tools are all denied is of no interest to the agent', { tags: 'long' }, async () => {
    const server = await serveMcp({ mayEnter, isDown: () => api.requests.length === 0 })
    const api = await serveTurns(({ index }) => (index < 30 ? { tools: [idle(index)] } : FINISH))
    const mcpServers = { late: { url: server.url, required: false } }
    const run = await runCli(['do it'], { server: api, policy: { permissions: { deny: ['mcp__late'] }, mcpServers } })
    expect(run.warnings()).toContainEqual(expect.stringMatching(CAME_UP))
    expect(api.requests.at(-1)?.text).not.toContain('is up now')
  })

  it('may be named by --tools, which limits what it brings', { tags: 'long' }, async () => {
    const { run, tools, first } = await lateRun([call], { args: ['--tools', 'Sleep,mcp__late__run'] })
    expect(run.code, run.stderr).toBe(0)
    expect(tools(0)).not.toContain('mcp__late__run')
    expect(tools(first)).toEqual([...tools(0), 'mcp__late__run'])
  })

  it('gives its tools to agents that start later', { tags: 'long' }, async () => {
    const agents = { reader: { description: 'reads', prompt: 'Call it.', tools: ['mcp__late'] } }
    const ask = { name: 'Agent', input: { subagent_type: 'reader', description: 'go', prompt: 'go' } }
    const { run, bodies } = await lateRun([ask], {
      policy: { agents, permissions: { allow: ['mcp__late', 'Agent'], deny: ['mcp__late__drop'] } },
    })
    expect(run.code, run.stderr).toBe(0)
    expect(bodies.some(({ tools }) => tools.length === 1 && tools[0].name === 'mcp__late__run')).toBe(true)
  })

  it('may be down again in a run that continues this one', { tags: 'long' }, async () => {
    const { run } = await lateRun([search, call])
    const args = ['--resume', run.transcript, '--accept-policy-change']
    const again = await lateRun([search, call], { args, after: run })
    expect(again.run.code, again.run.stderr).toBe(0)
    expect(again.tools(0)).not.toContain('mcp__late__run')
    expect(again.tools(again.first)).toEqual(again.tools(0))
    expect(again.tools(again.first + 1)).toEqual([...again.tools(0), 'mcp__late__run'])
    expect(again.told.at(-1)).toBe('run with nothing')
  })

  it('and never comes up is named at the end', { tags: 'long' }, async () => {
    const server = await serveMcp({ mayEnter, isDown: () => true })
    const run = await playRun([idle(1), idle(2)], {
      policy: { mcpServers: { late: { url: server.url, required: false } } },
    })
    expect(run.warnings().at(-1)).toMatch(/^MCP server late never came up \(further tries: 1\): HTTP 503/)
    expect(run.stderr).toContain('never came up')
  })
})
