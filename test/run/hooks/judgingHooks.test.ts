import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RecordedRequest } from '../../helpers/model/messagesServer.ts'
import { call, serveTurns } from '../../helpers/model/serveTurns.ts'
import { runCli } from '../../helpers/runs/cliRun.ts'
import { eventsOf, finish, on, outcomesOf, policyOf } from '../../helpers/runs/hookRuns.ts'
import { stubTools } from '../../helpers/tools/testMcp.ts'

const write = call('Write', { file_path: 'b.txt', content: 'new' })
const EDITS = { allow: ['Edit(/**)'] }
const isJudge = ({ body }: RecordedRequest) => JSON.stringify(body.system).includes('You judge one event')
const turnOf = ({ body }: RecordedRequest) =>
  body.messages.filter(({ role }: { role: string }) => role === 'assistant').length

describe('a hook of type agent', () => {
  it('denies when the budget of the run is used up, which also ends the run', { tags: 'long' }, async () => {
    const server = await serveTurns((request) =>
      isJudge(request) ? call('Read', { file_path: 'a.txt' }) : ([write][turnOf(request)] ?? finish()),
    )
    const guard = on('PreToolUse', { type: 'agent', prompt: 'Is it safe?', model: 'main' }, 'Write')
    const run = await runCli(['write it', '--max-tokens-total', '250'], {
      ...{ server, files: { 'a.txt': 'a' }, policy: policyOf(guard, EDITS) },
    })
    expect(existsSync(join(run.project, 'b.txt'))).toBe(false)
    expect(run.result()).toMatchObject({ exit_reason: 'max_budget' })
    expect(outcomesOf(run)).toEqual(['PreToolUse failed'])
  })

  it('cannot start at the end of the run', async () => {
    const policy = policyOf(on('SessionEnd', { type: 'agent', prompt: 'Is all well?' }))
    const run = await runCli(['write it'], { policy })
    expect([run.code, run.stderr]).toEqual([78, expect.stringContaining('the run has ended then')])
  })
})

describe('a hook of type mcp_tool', () => {
  const hook = {
    type: 'mcp_tool',
    server: 'notes',
    tool: 'echo',
    input: { decision: 'block', reason: '${tool_name}' },
  } as const
  const servers = { mcpServers: { notes: stubTools([{ name: 'echo', inputSchema: { type: 'object' } }]) } }

  it('of the repository needs an allow rule', { tags: 'long' }, async () => {
    const files = { '.claude/settings.json': JSON.stringify({ hooks: on('PreToolUse', hook, 'Write') }) }
    for (const [rules, detail] of [
      [[], /mcp__notes__echo/],
      [['mcp__notes__echo'], /^Write$/],
    ] as const) {
      const server = await serveTurns(write, finish('blocked'))
      const policy = policyOf({}, { allow: [...EDITS.allow, ...rules] }, { ...servers, projectHooks: true })
      const run = await runCli(['write it'], { server, files, policy })
      expect(eventsOf(run, 'hook')).toMatchObject([{ detail: expect.stringMatching(detail) }])
    }
  })
})
