import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RecordedRequest } from '../../helpers/model/messagesServer.ts'
import { call, serveTurns, textsOf } from '../../helpers/model/serveTurns.ts'
import { runCli } from '../../helpers/runs/cliRun.ts'
import { eventsOf, finish, on, outcomesOf, policyOf } from '../../helpers/runs/hookRuns.ts'
import { sampled } from '../../helpers/sampled.ts'
import { stubTools } from '../../helpers/tools/testMcp.ts'

const write = call('Write', { file_path: 'b.txt', content: 'new' })
const EDITS = { allow: ['Edit(/**)'] }
const isJudge = ({ body }: RecordedRequest) => JSON.stringify(body.system).includes('You judge one event')
const turnOf = ({ body }: RecordedRequest) =>
  body.messages.filter(({ role }: { role: string }) => role === 'assistant').length

describe('a hook of type agent', () => {
  it.each(
    sampled(
      [
        ['lets a call pass', '{"ok": true}', 0, true],
        ['denies it with a reason', '{"ok": false, "reason": "a.txt says no"}', 3, false],
        ['denies it if it has no judgment', 'I do not know.', 3, false],
      ],
      1,
    ),
  )('reads files, and %s', async (_, answer, code, isWritten) => {
    const judged: RecordedRequest[] = []
    const server = await serveTurns((request) => {
      if (!isJudge(request)) return [write, finish(isWritten ? 'completed' : 'blocked')][turnOf(request)] ?? finish()
      judged.push(request)
      return turnOf(request) === 0 ? call('Read', { file_path: 'a.txt' }) : { say: answer }
    })
    const guard = on('PreToolUse', { type: 'agent', prompt: 'Does a.txt forbid it?', model: 'main' }, 'Write')
    const run = await runCli(['write it'], { server, files: { 'a.txt': 'a rule\n' }, policy: policyOf(guard, EDITS) })
    expect([run.code, existsSync(join(run.project, 'b.txt'))], run.stderr).toEqual([code, isWritten])
    // The first request has the event, the second the file. Its own calls are not judged by a hook like itself.
    expect(judged).toHaveLength(2)
    expect(textsOf(judged[0])).toContain('"tool_name":"Write"')
    expect(textsOf(judged[1])).toContain('a rule')
    const names = judged[0]?.body.tools.map(({ name }: { name: string }) => name).sort()
    expect(names).toEqual(['Glob', 'Grep', 'LS', 'Read'])
    const [{ outcome } = { outcome: '' }] = eventsOf(run, 'hook')
    expect(outcome).toBe(isWritten ? 'ok' : answer.startsWith('{') ? 'blocked' : 'failed')
    // What the judge uses is paid for by the run.
    expect(run.result().usage.input_tokens).toBe(400)
  })

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

  it('asks the tool without an allow rule, and its answer decides', { tags: 'long' }, async () => {
    const server = await serveTurns(write, finish('blocked'))
    const run = await runCli(['write it'], {
      server,
      policy: policyOf(on('PreToolUse', hook, 'Write'), EDITS, servers),
    })
    expect(existsSync(join(run.project, 'b.txt'))).toBe(false)
    expect(textsOf(server.requests[1])).toContain('Denied by a PreToolUse hook: Write')
    expect(eventsOf(run, 'hook')).toMatchObject([{ hook: 'mcp__notes__echo', outcome: 'blocked', detail: 'Write' }])
  })

  it.each(
    sampled(
      [
        [
          'a rule denies the server',
          { deny: ['mcp__notes'] },
          { ...servers, hooks: on('PreToolUse', hook, 'Write') },
          /mcp__notes/,
        ],
        ['there is no such server', {}, { hooks: on('PreToolUse', hook, 'Write') }, /there is no MCP server/],
        [
          'there is no such tool',
          {},
          { ...servers, hooks: on('PreToolUse', { ...hook, tool: 'none' }, 'Write') },
          /offers no tool "none"/,
        ],
      ],
      0,
    ),
  )('fails, and so denies, if %s', async (_, rules, more, detail) => {
    const server = await serveTurns(write, finish('blocked'))
    const policy = policyOf({}, { ...EDITS, ...rules }, more)
    const run = await runCli(['write it'], { server, policy })
    expect(existsSync(join(run.project, 'b.txt'))).toBe(false)
    expect(eventsOf(run, 'hook')).toMatchObject([{ outcome: 'failed', detail: expect.stringMatching(detail) }])
  })

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
