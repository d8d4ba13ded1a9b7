import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import { call, serveTurns } from '../../helpers/model/serveTurns.ts'
import { runCli } from '../../helpers/runs/cliRun.ts'

const READ_ONLY = 'version: 1\npermissions: { presets: [read-only] }\n'

const bash = (command: string, more = {}) => call('Bash', { command, ...more })

describe('the requests of a run', () => {
  it('sends the same bytes before the new messages in every turn', async () => {
    const server = await serveTurns(call('LS', { path: '.' }), call('Glob', { pattern: '*' }), { say: 'done' })
    await runCli(['look'], { server, policy: READ_ONLY, files: { 'a.txt': 'a' } })
    const bodies = server.requests.map((request) => request.body)
    for (const body of bodies)
      expect(JSON.stringify([body.system, body.tools])).toBe(JSON.stringify([bodies[0].system, bodies[0].tools]))
    const bare = (messages: unknown) =>
      JSON.stringify(messages, (key, value) => (key === 'cache_control' ? undefined : value))
    expect(bare(bodies[2].messages.slice(0, 3))).toBe(bare(bodies[1].messages))
    expect(Buffer.byteLength(JSON.stringify([bodies[0].system, bodies[0].tools]))).toBeLessThan(12_000)
  })
})

describe('the tool calls of an answer', () => {
  it('runs read-only calls of one message in parallel and answers in order; a failure does not stop the others', {
    tags: 'long',
  }, async () => {
    const reads = ['a.txt', 'none.txt', 'b.txt'].map((file_path) => ({ name: 'Read', input: { file_path } }))
    const server = await serveTurns({ tools: reads }, { say: 'done' })
    const run = await runCli(['look'], { server, policy: READ_ONLY, files: { 'a.txt': 'AAA', 'b.txt': 'BBB' } })
    expect(run.code).toBe(0)
    const [a, none, b] = run.toolResults()
    expect([a, b]).toEqual([expect.stringContaining('AAA'), expect.stringContaining('BBB')])
    expect(none).toMatch(/none\.txt/)
    const content = server.requests[1]?.body.messages.at(-1).content
    expect(content.map((block: { is_error?: boolean }) => block.is_error ?? false)).toEqual([false, true, false])
  })

  it('answers an unknown tool, an invalid input and a repeated id with a helpful message', {
    tags: 'long',
  }, async () => {
    const server = await serveTurns(
      {
        tools: [
          { name: 'Raed', input: {} },
          { name: 'str_replace_editor', input: {} },
          { name: 'Read', input: { file_path: ['a.txt'] } },
          { name: 'Read', input: { file_path: 'a.txt', bogus: 1 } },
        ],
      },
      { say: 'done' },
    )
    const run = await runCli(['look'], { server, policy: READ_ONLY, files: { 'a.txt': 'AAA' } })
    const [unknown, foreign, wrong, extra] = run.toolResults()
    expect(foreign).toMatch(/Tools: .*Read.*\. ToolSearch loads more\.$/)
    expect(unknown).toContain('Did you mean Read?')
    expect(wrong).toContain('file_path')
    expect(extra).toContain('AAA')
    expect(extra).toMatch(/\(Ignored: Read has no field bogus\.\)$/)
    expect(run.records).toContainEqual(expect.objectContaining({ subtype: 'warning', code: 'unknown_fields' }))
  })

  it('refuses unknown fields in a call with side effects, and drops them from a read-only call', {
    tags: 'long',
  }, async () => {
    const policy = 'version: 1\npermissions: { presets: [read-only], allow: [Bash, Edit] }\n'
    const server = await serveTurns(
      {
        tools: [
          { name: 'Bash', input: { command: 'touch made', cwd: 'sub' } },
          { name: 'Write', input: { file_path: 'written', content: 'x', mode: '755' } },
          { name: 'Bash', input: { command: 'ls', cwd: 'sub' } },
        ],
      },
      { say: 'done' },
    )
    const run = await runCli(['look'], { server, policy, files: { 'a.txt': 'AAA' } })
    const [bashed, written, listed] = run.toolResults()
    expect(bashed).toBe(
      'Not run: Bash has no field cwd. Its fields: command, timeout, description, run_in_background. Send the call again without unknown fields.',
    )
    expect(written).toMatch(/^Not run: Write has no field mode\. Its fields: file_path, content\./)
    expect(listed).toMatch(/^a\.txt[\s\S]*\(Ignored: Bash has no field cwd\.\)$/)
    expect(JSON.stringify(run.records.at(-1))).not.toContain('made')
  })

  it('never runs a call of a truncated message, and retries with a higher limit', {
    tags: 'long',
  }, async () => {
    const policy = 'version: 1\npermissions: { allow: ["Bash(touch *)", "Edit(whole)"] }\n'
    const server = await serveTurns(
      { tools: [{ name: 'Bash', input: { command: 'touch cut' } }], stop: 'max_tokens' } as Turn,
      bash('touch whole'),
      { say: 'done' },
    )
    const run = await runCli(['x'], { server, policy })
    expect(run.code).toBe(0)
    expect(run.records.filter((record) => 'subtype' in record && record.subtype === 'tool_intent')).toHaveLength(1)
    expect(server.requests[1]?.body.max_tokens).toBeGreaterThan(server.requests[0]?.body.max_tokens)
    expect(execFileSync('ls', [run.project], { encoding: 'utf8' })).toBe('whole\n')
  })

  it('tells the model that the input of a call is unreadable, and continues', { tags: 'long' }, async () => {
    const inputs = ['null', '[1]', '{"path": ', `${'['.repeat(10_000)}${']'.repeat(10_000)}`]
    const tools = [{ name: 'LS', input: { path: '.' } }, ...inputs.map((input) => ({ name: 'LS', input }))]
    const server = await serveTurns({ tools }, { say: 'I see' })
    const run = await runCli(['x'], { server, policy: READ_ONLY })
    expect([run.code, server.requests.length]).toEqual([0, 2])
    const results = run.toolResults()
    expect(results[0]).toContain('(nothing to show)')
    expect(results.slice(1)).toEqual(
      ['is not a JSON object', 'is not a JSON object', 'is not JSON', 'is nested more than'].map((words) =>
        expect.stringContaining(`The input of this call ${words}`),
      ),
    )
  })
})
