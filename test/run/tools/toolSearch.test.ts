import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { playRun } from '../../helpers/runs/playRun.ts'
import { stubTools } from '../../helpers/tools/testMcp.ts'

/** Every optional tool in the pool. */
const EVERYTHING = `version: 1
permissions:
  presets: [read-only]
  allow: [Architect, AskExpertModel, WebSearch, Agent, Skill, Bash, Edit]
memory: ./memory
outputs: { comment: { max: 1 } }
`
const SKILL = { '.claude/skills/pdf/SKILL.md': '---\nname: pdf\ndescription: fills forms\n---\nDo.\n' }

const search = (query: string) => ({ name: 'ToolSearch', input: { query } })

describe('ToolSearch', () => {
  it('keeps the first request small for any pool', { tags: 'long' }, async () => {
    const most = await playRun([], { policy: EVERYTHING, files: SKILL })
    const [body] = most.api.requests.map((request) => request.body)
    expect(most.records[0]).toMatchObject({
      tools: expect.arrayContaining(['MemoryWrite', 'Skill', 'ProposeOutput', 'WebSearch']),
    })
    expect(Buffer.byteLength(JSON.stringify([body.system, body.tools]))).toBeLessThan(15_000)
    const usual = await playRun([])
    expect(Buffer.byteLength(usual.api.requests[0]?.text ?? '')).toBeLessThan(9_500)
    const editing = await playRun([], {
      policy: 'version: 1\npermissions: { presets: [read-only], allow: [Bash, Edit] }\n',
    })
    expect(Buffer.byteLength(editing.api.requests[0]?.text ?? '')).toBeLessThan(10_000)
  })

  it('leaves the cached prefix as it is where the API takes references', { tags: 'long' }, async () => {
    const policy = `${EVERYTHING}run: { toolReferences: true, strictTools: true }\n`
    const calls = [search('select:Think,Sleep'), { name: 'Think', input: { thought: 'hm' } }, search('select:Think')]
    const run = await playRun(calls, { policy, args: ['--record', 'run.jsonl'] })
    const bodies = run.api.requests.map((request) => request.body)
    const prefix = (body: { tools: object[]; system: object }) =>
      JSON.stringify([body.tools.filter((tool) => !('defer_loading' in tool)), body.system])
    expect(new Set(bodies.map(prefix)).size).toBe(1)
    expect(prefix(bodies[0]).split('cache_control')).toHaveLength(3)
    expect(bodies[1].tools.filter((tool: object) => 'defer_loading' in tool)).toMatchObject([
      { name: 'Sleep', defer_loading: true },
      { name: 'Think', defer_loading: true },
    ])
    expect(bodies[1].messages.at(-1).content).toEqual([
      {
        type: 'tool_result',
        tool_use_id: expect.any(String),
        content: ['Sleep', 'Think'].map((tool_name) => ({ type: 'tool_reference', tool_name })),
      },
      { type: 'text', text: expect.stringMatching(/^Loaded:\n- Think: /), cache_control: { type: 'ephemeral' } },
    ])
    // What is loaded already is only named again.
    expect(run.told).toEqual([
      '[tool_reference]\n[tool_reference]',
      'Noted.',
      expect.stringMatching(/^Loaded:\n- Think/),
    ])
    expect(bodies[0].tools.find((tool: { name: string }) => tool.name === 'Bash')).toHaveProperty('strict', true)
    // A replay sends what was recorded, whatever is configured.
    const again = await playRun([], { policy: EVERYTHING, args: ['--replay', join(run.project, 'run.jsonl')] })
    expect(again.records.at(-1)).toMatchObject({ type: 'result', subtype: 'success' })
  })

  it('defers the tools of a large server, and loads the requested one', { tags: 'long' }, async () => {
    const size = { type: 'number', description: 'how much of it '.repeat(20) }
    const names = [...Array.from({ length: 300 }, (_, index) => `get_${index}`), 'echo', 'large']
    const tools = names.map((name) => ({
      name,
      description: `does ${name}`,
      inputSchema: { type: 'object', properties: { size } },
      ...(name === 'large' ? { _meta: { 'anthropic/alwaysLoad': true } } : {}),
    }))
    const echo = { name: 'mcp__srv__echo', input: { size: 1 } }
    const servers = `mcpServers: ${JSON.stringify({ srv: stubTools(tools) })}\n`
    const policy = `${EVERYTHING.replace('allow: [', 'allow: [mcp__srv, ')}${servers}`
    const run = await playRun([echo, search('+echo'), echo], { policy, files: SKILL })
    const bodies = run.api.requests.map((request) => request.body)
    const names0: string[] = bodies[0].tools.map((tool: { name: string }) => tool.name)
    expect(Buffer.byteLength(JSON.stringify([bodies[0].system, bodies[0].tools]))).toBeLessThan(15_000)
    expect(names0.filter((name) => name.startsWith('mcp__'))).toEqual(['mcp__srv__large'])
    expect(run.told).toEqual(['{"size":1}', expect.stringMatching(/^Loaded:\n- mcp__srv__echo: /), '{"size":1}'])
    expect(bodies[2].tools.map((tool: { name: string }) => tool.name)).toEqual([...names0, 'mcp__srv__echo'])
    const bytesOf = (tool: object) => JSON.stringify({ ...tool, cache_control: undefined })
    expect(bodies[2].tools.slice(0, names0.length).map(bytesOf)).toEqual(bodies[0].tools.map(bytesOf))
  })
})
