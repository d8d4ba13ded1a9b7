import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, serveTurns, textsOf } from '../../helpers/model/serveTurns.ts'
import { runCli } from '../../helpers/runs/cliRun.ts'
import { bash, eventsOf, finish, policyOf, says } from '../../helpers/runs/hookRuns.ts'
import { stubHook } from '../../helpers/tools/testHooks.ts'

describe('after a call, and around the run', () => {
  it('every event reaches its hook with all fields of the protocol', { tags: 'long' }, async () => {
    const log = (name: string) => stubHook('record', `../${name}.log`)
    const events = [
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUse',
      'PostToolUseFailure',
      'PermissionRequest',
    ] as const
    const later = ['PermissionDenied', 'Notification', 'Stop', 'SubagentStart', 'SubagentStop', 'SessionEnd'] as const
    const server = await serveTurns((request) => {
      const text = JSON.stringify(request.body.messages)
      if (text.includes('count the files') && request.body.messages.length === 1 && !text.includes('the main task'))
        return { say: 'three' }
      const turn = request.body.messages.filter(({ role }: { role: string }) => role === 'assistant').length
      return (
        [
          call('Read', { file_path: 'a.txt' }),
          call('Read', { file_path: 'none.txt' }),
          bash('touch a'),
          call('Agent', { description: 'count', prompt: 'count the files', subagent_type: 'counter' }),
          finish(),
        ][turn] ?? { say: 'done' }
      )
    })
    const run = await runCli(['the main task', '--tools', 'Agent,Bash,LS,Read'], {
      server,
      files: { 'a.txt': 'hello' },
      policy: policyOf(
        Object.fromEntries([...events, ...later].map((event) => [event, [{ hooks: [log(event)] }]])),
        { allow: ['Agent'] },
        { agents: { counter: { description: 'counts', prompt: 'You count.', tools: ['LS'] } } },
      ),
    })
    expect([run.code, run.stderr]).toEqual([0, expect.any(String)])
    const read = (event: string) =>
      readFileSync(join(run.base, `${event}.log`), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    for (const event of [...events, ...later]) {
      const [first] = read(event)
      expect(first, event).toMatchObject({
        hook_event_name: event,
        session_id: run.result().session_id,
        transcript_path: run.transcript,
        cwd: run.project,
        permission_mode: 'default',
      })
    }
    expect(read('SessionStart')[0].source).toBe('startup')
    expect(read('UserPromptSubmit')[0].prompt).toBe('the main task')
    expect(read('PreToolUse')[0]).toMatchObject({
      tool_name: 'Read',
      tool_input: { file_path: join(run.project, 'a.txt') },
      tool_use_id: expect.any(String),
    })
    expect(JSON.stringify(read('PostToolUse')[0].tool_response)).toContain('hello')
    expect(read('PostToolUseFailure')[0].error).toContain('none.txt')
    expect(read('PermissionRequest')[0].tool_input).toMatchObject({ command: 'touch a' })
    expect(read('PermissionDenied')[0].reason).toContain('touch a')
    expect(read('Notification')).toMatchObject([
      { notification_type: 'permission_prompt', message: expect.stringContaining('Bash') },
    ])
    expect(read('SubagentStart')).toMatchObject([{ agent_type: 'counter', agent_id: expect.any(String) }])
    expect(read('SubagentStop')).toMatchObject([
      { agent_type: 'counter', stop_hook_active: false, last_assistant_message: 'three' },
    ])
    expect(read('Stop')).toMatchObject([{ stop_hook_active: false, last_assistant_message: 'completed' }])
    expect(read('SessionEnd')).toMatchObject([{ reason: 'completed' }])
    const agent = read('SubagentStart')[0].agent_id
    expect(eventsOf(run, 'hook').every(({ outcome }) => outcome === 'ok')).toBe(true)
    expect(eventsOf(run, 'status').some(({ detail }) => detail.includes(agent))).toBe(true)
  })
})

describe('output of hooks is redacted', () => {
  it('before it reaches the model and the records', { tags: 'long' }, async () => {
    const canary = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
    const server = await serveTurns(
      { canaries: [canary] },
      bash('ls'),
      call('Read', { file_path: 'a.txt' }),
      { say: 'done' },
      finish(),
    )
    const reveal = (fields: object) => ({ hooks: [says(fields)] })
    const run = await runCli(['x'], {
      server,
      files: { 'a.txt': 'hello' },
      env: { DEPLOY_TOKEN: canary },
      policy: policyOf({
        SessionStart: [{ hooks: [stubHook('print', `the key is ${canary}`)] }],
        PreToolUse: [{ matcher: 'Bash', ...reveal({ decision: 'block', reason: `use ${canary}` }) }],
        PostToolUse: [reveal({ decision: 'block', reason: `${'x'.repeat(9_990)}${canary}`, systemMessage: canary })],
        Stop: [reveal({ systemMessage: `bye ${canary}` })],
      }),
    })
    expect(run.code).toBe(0)
    expect(textsOf(server.requests[0])).toContain('the key is [REDACTED:DEPLOY_TOKEN]')
    expect(JSON.stringify(server.requests.map(({ body }) => body))).not.toContain(canary.slice(0, 12))
    expect(JSON.stringify(run.records)).not.toContain(canary.slice(0, 16))
    expect(run.stderr + run.stdout).not.toContain(canary.slice(0, 16))
  })
})
