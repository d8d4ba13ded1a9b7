import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { HookSettings, HookTable } from '../../src/contracts/settings.ts'
import { processesOf } from '../faults/machine.ts'
import { call, serveTurns, textsOf } from '../helpers/model/serveTurns.ts'
import { type CliRun, runCli, type StartedCli, startCli } from '../helpers/runs/cliRun.ts'
import { isAlive } from '../helpers/runs/isAlive.ts'
import { stubHook } from '../helpers/tools/testHooks.ts'

type Permissions = Readonly<Record<string, unknown>>

function policyOf(
  hooks: HookTable,
  permissions: Permissions = {},
  more: Readonly<Record<string, unknown>> = {},
): string {
  return JSON.stringify({ version: 1, permissions: { presets: ['read-only'], ...permissions }, hooks, ...more })
}

/** One hook for one event. */
function on(event: keyof HookTable, hook: HookSettings, matcher?: string): HookTable {
  return { [event]: [{ ...(matcher === undefined ? {} : { matcher }), hooks: [hook] }] }
}

const says = (answer: unknown, more = {}) => stubHook('print', JSON.stringify(answer), more)
const specific = (hookEventName: string, fields: object) => ({ hookSpecificOutput: { hookEventName, ...fields } })
const bash = (command: string) => call('Bash', { command })
const finish = (status = 'completed') => call('Finish', { status, summary: status })

function eventsOf<Name extends string>(run: CliRun, subtype: Name) {
  return run.records.filter(
    (record): record is Extract<CliRun['records'][number], { subtype: Name }> =>
      'subtype' in record && record.subtype === subtype,
  )
}

const outcomesOf = (run: CliRun) => eventsOf(run, 'hook').map(({ event, outcome }) => `${event} ${outcome}`)

describe('PreToolUse', () => {
  it('blocks with exit 2: its words reach the model, its command and words the result', { tags: 'long' }, async () => {
    const server = await serveTurns(bash('ls'), finish())
    const run = await runCli(['x'], { server, policy: policyOf(on('PreToolUse', stubHook('complain'), 'Bash')) })
    expect(run.toolResults()[0]).toContain('not like this')
    const [denial] = run.result().permission_denials
    expect(denial).toMatchObject({ tool_name: 'Bash', tool_input: { command: 'ls' }, rule: null })
    expect(denial?.reason).toMatch(/^PreToolUse hook \S+ \S+stubHook\.mjs complain : ::error::not like this$/)
    expect(eventsOf(run, 'hook')[0]).toMatchObject({
      event: 'PreToolUse',
      outcome: 'blocked',
      tool_use_id: expect.any(String),
    })
    expect(run.stderr).not.toMatch(/^::error::/m)
  })

  it('sees whole paths, as in Claude Code: a guard that compares them with folders is not led around', {
    tags: 'long',
  }, async () => {
    const guard: HookSettings = {
      type: 'command',
      command: `case "$(jq -r .tool_input.file_path)" in "$CLAUDE_PROJECT_DIR"/src/*) ;; *) echo "only src" >&2; exit 2;; esac`,
    }
    const write = (file_path: string) => call('Write', { file_path, content: 'x' })
    const server = await serveTurns(write('src/a.js'), write('src/../b.js'), write('./c.js'), finish())
    const run = await runCli(['x'], {
      server,
      policy: policyOf(on('PreToolUse', guard, 'Write'), { allow: ['Edit'] }),
    })
    expect(['src/a.js', 'b.js', 'c.js'].filter((name) => existsSync(join(run.project, name)))).toEqual(['src/a.js'])
    expect(run.result().permission_denials).toHaveLength(2)
  })

  it('an edited input is validated and permitted again: allowed, denied by a rule, not fitting', async () => {
    const edit = (command: unknown, rule: string) =>
      says(specific('PreToolUse', { permissionDecision: 'allow', updatedInput: { command } }), { if: rule })
    const server = await serveTurns(bash('touch a'), bash('touch b'), bash('touch c'), bash('touch d'), finish())
    const run = await runCli(['x'], {
      server,
      policy: policyOf(
        {
          PreToolUse: [
            {
              matcher: 'Bash',
              hooks: [
                edit('touch edited', 'Bash(touch a)'),
                edit('touch forbidden', 'Bash(touch b)'),
                edit({ no: 'text' }, 'Bash(touch c)'),
                edit('$UNKNOWN forbidden', 'Bash(touch d)'),
              ],
            },
          ],
        },
        { allow: ['Edit(./**)'], deny: ['Bash(touch forbidden)'] },
      ),
    })
    expect(['a', 'b', 'c', 'd', 'edited', 'forbidden'].filter((name) => existsSync(join(run.project, name)))).toEqual([
      'edited',
    ])
    const [, denied, invalid, opaque] = run.toolResults()
    expect(denied).toContain('Bash(touch forbidden)')
    expect(invalid).toContain('A hook edited the input. The input of Bash does not fit')
    expect(opaque).toContain('$UNKNOWN')
    expect(run.result().permission_denials.map(({ tool_input, rule }) => [tool_input, rule])).toEqual([
      [{ command: 'touch forbidden' }, 'Bash(touch forbidden)'],
      [{ command: '$UNKNOWN forbidden' }, 'Bash(touch forbidden)'],
    ])
    expect(eventsOf(run, 'tool_intent')[0]?.tool_input).toMatchObject({ command: 'touch edited' })
  })

  it('allows what no rule allows, never what a rule denies or asks; its ask is a denial where nobody answers', async () => {
    const answer = (permissionDecision: string, rule: string) =>
      says(specific('PreToolUse', { permissionDecision }), { if: rule })
    const server = await serveTurns(bash('touch free'), bash('touch denied'), bash('touch asked'), bash('ls'), finish())
    const run = await runCli(['x'], {
      server,
      policy: policyOf(
        {
          PreToolUse: [
            { hooks: [answer('allow', 'Bash(touch *)'), answer('ask', 'Bash(ls)'), answer('allow', 'Bash(ls)')] },
          ],
        },
        { allow: ['Edit(./**)'], deny: ['Bash(touch denied)'], ask: ['Bash(touch asked)'] },
      ),
    })
    expect(run.result().permission_denials.map(({ tool_input }) => tool_input['command'])).toEqual([
      'touch denied',
      'touch asked',
      'ls',
    ])
    expect(existsSync(join(run.project, 'free'))).toBe(true)
  })

  it('adds context for the model, and stops the run by continue: false with exit 3 and its reason', {
    tags: 'long',
  }, async () => {
    const context = says(specific('PreToolUse', { additionalContext: 'mind the gap' }))
    const server = await serveTurns(bash('ls'), bash('pwd'))
    const run = await runCli(['x'], {
      server,
      policy: policyOf({
        PreToolUse: [{ hooks: [context, says({ continue: false, stopReason: 'enough of it' }, { if: 'Bash(pwd)' })] }],
      }),
    })
    expect([run.code, run.result().exit_reason, run.result().detail]).toEqual([3, 'stopped_by_hook', 'enough of it'])
    expect(textsOf(server.requests[1])).toContain('mind the gap')
    expect(run.toolResults()[1]).toContain('enough of it')
  })

  it('two hooks disagree: deny wins; two edit differently: denied', { tags: 'long' }, async () => {
    const edit = (command: string) =>
      says(specific('PreToolUse', { permissionDecision: 'allow', updatedInput: { command } }), { if: 'Bash(pwd)' })
    const server = await serveTurns(bash('ls'), bash('pwd'), finish())
    const run = await runCli(['x'], {
      server,
      policy: policyOf({
        PreToolUse: [
          {
            hooks: [
              says({ decision: 'approve' }, { if: 'Bash(ls)' }),
              says({ decision: 'block', reason: 'no ls' }, { if: 'Bash(ls)' }),
            ],
          },
          { hooks: [edit('echo one'), edit('echo two')] },
        ],
      }),
    })
    expect(run.toolResults()[0]).toContain('no ls')
    expect(run.toolResults()[1]).toContain('Two hooks rewrite this call differently')
  })
})

describe('PermissionRequest', () => {
  const behaves = (decision: object, rule: string) => says(specific('PermissionRequest', { decision }), { if: rule })

  it('answers every ask, by rule and by absence, never a deny; its edit is judged again', async () => {
    const server = await serveTurns(
      ...['absent', 'asked', 'denied', 'edit-fine', 'edit-denied', 'edit-asked', 'refused', 'open'].map((name) =>
        bash(`touch ${name}`),
      ),
      finish(),
    )
    const allow = { behavior: 'allow' }
    const edit = (name: string) => ({ behavior: 'allow', updatedInput: { command: `touch ${name}` } })
    const run = await runCli(['x'], {
      server,
      policy: policyOf(
        {
          PermissionRequest: [
            {
              hooks: [
                ...['absent', 'asked', 'denied'].map((name) => behaves(allow, `Bash(touch ${name})`)),
                behaves(edit('edited'), 'Bash(touch edit-fine)'),
                behaves(edit('denied'), 'Bash(touch edit-denied)'),
                behaves(edit('asked-too'), 'Bash(touch edit-asked)'),
                behaves({ behavior: 'deny', message: 'not this one' }, 'Bash(touch refused)'),
              ],
            },
          ],
        },
        {
          allow: ['Edit(./**)'],
          ask: ['Bash(touch asked)', 'Bash(touch asked-too)'],
          deny: ['Bash(touch denied)'],
        },
      ),
    })
    const made = [
      'absent',
      'asked',
      'asked-too',
      'denied',
      'edit-fine',
      'edit-denied',
      'edit-asked',
      'edited',
      'refused',
      'open',
    ]
    expect(made.filter((name) => existsSync(join(run.project, name)))).toEqual([
      'absent',
      'asked',
      'asked-too',
      'edited',
    ])
    expect(run.result().permission_denials.map(({ tool_input }) => tool_input['command'])).toEqual([
      'touch denied',
      'touch denied',
      'touch refused',
      'touch open',
    ])
    expect(run.toolResults()[6]).toContain('not this one')
    const asked = eventsOf(run, 'hook').filter(({ event }) => event === 'PermissionRequest')
    expect(asked).toHaveLength(6)
  })

  it('is not asked in dontAsk mode; interrupt stops the run', { tags: 'long' }, async () => {
    const hooks = {
      PermissionRequest: [{ hooks: [behaves({ behavior: 'deny', message: 'stop here', interrupt: true }, 'Bash(*)')] }],
    }
    const server = await serveTurns(bash('touch a'), finish('blocked'), bash('touch a'))
    const quiet = await runCli(['x', '--permission-mode', 'dontAsk'], { server, policy: policyOf(hooks) })
    const stopped = await runCli(['x'], { server, policy: policyOf(hooks) })
    expect([quiet.code, outcomesOf(quiet)]).toEqual([3, []])
    expect([stopped.code, stopped.result().exit_reason, stopped.result().detail]).toEqual([
      3,
      'stopped_by_hook',
      'stop here',
    ])
  })
})

describe('after a call, and around the run', () => {
  it('every event reaches its hook with the fields of the protocol', async () => {
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

  it('PostToolUse gives the model feedback, adds context, and stops the run; the call has run all the same', {
    tags: 'long',
  }, async () => {
    const server = await serveTurns(call('Read', { file_path: 'a.txt' }), bash('pwd'))
    const run = await runCli(['x'], {
      server,
      files: { 'a.txt': 'hello' },
      policy: policyOf({
        PostToolUse: [
          {
            matcher: 'Read',
            hooks: [
              says({
                decision: 'block',
                reason: 'format it first',
                ...specific('PostToolUse', { additionalContext: 'read at noon' }),
              }),
            ],
          },
          { matcher: 'Bash', hooks: [says({ continue: false, stopReason: 'seen enough' })] },
        ],
      }),
    })
    const told = textsOf(server.requests[1])
    expect(told).toContain('hello')
    expect(told).toContain('format it first')
    expect(told).toContain('read at noon')
    expect([run.code, run.result().detail]).toEqual([3, 'seen enough'])
  })

  it('SessionStart and UserPromptSubmit: plain text is context; a block ends the run before any request', async () => {
    const server = await serveTurns({ say: 'done' })
    const plain = await runCli(['x'], {
      server,
      policy: policyOf({
        SessionStart: [{ hooks: [stubHook('print', 'from the start')] }],
        UserPromptSubmit: [{ hooks: [stubHook('print', 'from the prompt')] }],
      }),
    })
    expect(plain.code).toBe(0)
    expect(textsOf(server.requests[0])).toMatch(
      /from the start[\s\S]*from the prompt[\s\S]*\nx\n<environment>[\s\S]*<\/environment>\n<policy>[\s\S]*<\/policy>$/,
    )
    const blocked = await runCli(['x'], { server, policy: policyOf(on('UserPromptSubmit', stubHook('complain'))) })
    const stopped = await runCli(['x'], {
      server,
      policy: policyOf({
        ...on('SessionStart', says({ continue: false, stopReason: 'not today' })),
        ...on('UserPromptSubmit', stubHook('exit', '9')),
      }),
    })
    expect([blocked.code, blocked.result().detail]).toEqual([3, '::error::not like this'])
    expect([stopped.code, stopped.result().detail, outcomesOf(stopped)]).toEqual([
      3,
      'not today',
      ['SessionStart blocked'],
    ])
    expect(server.requests).toHaveLength(1)
  })

  it('Stop sends the agent back, at most eight times', { tags: 'long' }, async () => {
    const server = await serveTurns((request) => ({ say: `done ${request.index}` }))
    const run = await runCli(['x'], {
      server,
      policy: policyOf(on('Stop', says({ decision: 'block', reason: 'not yet' }))),
    })
    expect([run.code, run.result().exit_reason]).toEqual([1, 'stop_hook_loop'])
    expect(server.requests).toHaveLength(9)
    expect(textsOf(server.requests[1])).toContain('not yet')
  })

  it('SubagentStop sends the sub-agent back', { tags: 'long' }, async () => {
    const server = await serveTurns((request) => {
      const text = JSON.stringify(request.body.messages)
      if (!text.includes('main task')) return { say: text.includes('be exact') ? 'three files' : 'some files' }
      return text.includes('three files')
        ? finish()
        : call('Agent', { description: 'count', prompt: 'count', subagent_type: 'counter' })
    })
    const run = await runCli(['main task', '--tools', 'Agent,LS'], {
      server,
      prepare: (project) =>
        writeFileSync(
          join(project, 'once.sh'),
          'grep -q \'"stop_hook_active":true\' || { echo "be exact" >&2; exit 2; }\n',
        ),
      policy: policyOf(
        on('SubagentStop', { type: 'command', command: 'bash once.sh' }, 'counter'),
        { allow: ['Agent'] },
        {
          agents: { counter: { description: 'counts', prompt: 'You count.', tools: ['LS'] } },
        },
      ),
    })
    expect([run.code, outcomesOf(run)]).toEqual([0, ['SubagentStop blocked', 'SubagentStop ok']])
  })
})

describe('what hooks say is redacted', () => {
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

/** How a hook can fail, short of judging. */
const FAULTS: Readonly<Record<string, (more?: object) => HookSettings>> = {
  'exit 1': (more) => stubHook('exit', '1', more),
  'a signal': (more) => stubHook('signal', 'SIGKILL', more),
  silence: (more) => stubHook('hang', '../hang.pid', { timeout: 0.5, ...more }),
  'unreadable JSON': (more) => stubHook('print', '{"decision": ', more),
  'more than 1 MiB': (more) => stubHook('flood', '', more),
}

describe('a hook that fails', () => {
  const names = Object.keys(FAULTS)
  const each = (event: 'PreToolUse' | 'PermissionRequest', onError?: 'continue') => ({
    [event]: Object.values(FAULTS).map((fault, index) => ({
      hooks: [fault({ if: `Bash(touch ${index})`, ...(onError === undefined ? {} : { onError }) })],
    })),
  })
  const touches = () => ({ tools: names.map((_, index) => ({ name: 'Bash', input: { command: `touch ${index}` } })) })

  for (const event of ['PreToolUse', 'PermissionRequest'] as const) {
    it(`denies on ${event}: ${names.join(', ')}`, { tags: 'long' }, async () => {
      const server = await serveTurns(touches(), finish())
      const allow = event === 'PreToolUse' ? ['Bash(touch *)', 'Edit(./**)'] : ['Edit(./**)']
      const run = await runCli(['x'], { server, policy: policyOf(each(event), { allow }) })
      expect(run.result().permission_denials.map(({ reason }) => reason.startsWith(`${event} hook `))).toEqual(
        names.map(() => true),
      )
      expect(names.filter((_, index) => existsSync(join(run.project, String(index))))).toEqual([])
      expect(outcomesOf(run).sort()).toEqual([...Array(4).fill(`${event} failed`), `${event} timeout`])
    })
  }

  it('is a warning with onError: continue', { tags: 'long' }, async () => {
    const server = await serveTurns(touches(), finish())
    const run = await runCli(['x'], {
      server,
      policy: policyOf(each('PreToolUse', 'continue'), { allow: ['Bash(touch *)', 'Edit(./**)'] }),
    })
    expect([run.code, run.result().permission_denials]).toEqual([0, []])
    expect(eventsOf(run, 'warning').filter(({ code }) => code === 'hook_failed')).toHaveLength(names.length)
  })

  const agent = call('Agent', { description: 'count', prompt: 'count', subagent_type: 'counter' })
  const agents = { counter: { description: 'counts', prompt: 'You count.', tools: ['LS'] } }
  /** Every fault on every event stands in the tests of the hooks themselves; here, what follows from it. */
  const ENDS = [
    { event: 'UserPromptSubmit', faults: ['exit 1', 'silence'], turns: [], end: [3, 'stopped_by_hook'] },
    { event: 'Stop', faults: ['a signal', 'unreadable JSON'], turns: [{ say: 'done' }], end: [1, 'stop_hook_failed'] },
    {
      event: 'SubagentStop',
      faults: ['exit 1', 'more than 1 MiB'],
      turns: [agent, { say: 'three' }],
      end: [1, 'stop_hook_failed'],
    },
  ] as const
  for (const { event, faults, turns, end } of ENDS) {
    it(`ends the run at ${event}: ${end.join(' ')}`, { tags: 'long' }, async () => {
      for (const fault of faults) {
        const server = await serveTurns(...turns)
        const policy = policyOf(on(event, FAULTS[fault]?.() ?? stubHook('')), { allow: ['Agent'] }, { agents })
        const run = await runCli(['x', '--tools', 'Agent,LS'], { server, policy })
        expect([fault, run.code, run.result().exit_reason]).toEqual([fault, ...end])
        expect(run.result().detail).toContain('stubHook.mjs')
        expect(server.requests).toHaveLength(turns.length)
        expect(run.toolResults()).toHaveLength(event === 'SubagentStop' ? 1 : 0)
      }
    })
  }

  it('is a warning on all events that cannot block', { tags: 'long' }, async () => {
    const broken = { hooks: [stubHook('exit', '1')] }
    const server = await serveTurns(
      call('Read', { file_path: 'a.txt' }),
      call('Read', { file_path: 'none' }),
      bash('touch x'),
      finish(),
    )
    const events = [
      'SessionStart',
      'PostToolUse',
      'PostToolUseFailure',
      'PermissionDenied',
      'Notification',
      'SessionEnd',
    ] as const
    const run = await runCli(['x'], {
      server,
      files: { 'a.txt': 'a' },
      policy: policyOf(Object.fromEntries(events.map((event) => [event, [broken]]))),
    })
    expect(run.code).toBe(0)
    expect(outcomesOf(run)).toEqual(expect.arrayContaining(events.map((event) => `${event} failed`)))
    expect(eventsOf(run, 'warning').filter(({ code }) => code === 'hook_failed')).toHaveLength(events.length + 1)
  })

  it('a script that is missing, or cannot run, ends the start with 78, before a key is asked for', async () => {
    const server = await serveTurns()
    const run = await runCli(['x'], {
      server,
      hasKey: false,
      files: { 'plain.sh': 'exit 0\n' },
      policy: policyOf({
        PreToolUse: [{ hooks: [{ type: 'command', command: './plain.sh' }] }],
        Stop: [{ hooks: [{ type: 'command', command: 'bash gone.sh' }] }],
      }),
    })
    expect(run.code).toBe(78)
    expect(run.stderr).toMatch(/plain\.sh is not executable[\s\S]*gone\.sh does not exist/)
  })

  it('a script that the run changes goes on as it was at the start, with what it loads from its folder', async () => {
    const server = await serveTurns(
      bash('ls'),
      call('Read', { file_path: 'ci/guard.sh' }),
      call('Read', { file_path: 'ci/words.sh' }),
      call('Write', { file_path: 'ci/guard.sh', content: 'touch ../escaped\n' }),
      call('Write', { file_path: 'ci/words.sh', content: 'touch ../escaped\n' }),
      bash('ls'),
      finish(),
    )
    const run = await runCli(['x'], {
      server,
      files: {
        'ci/guard.sh': '. "$(dirname "$0")/words.sh"\necho "$words" >&2; exit 2\n',
        'ci/words.sh': 'words=pinned\n',
      },
      policy: policyOf(on('PreToolUse', { type: 'command', command: 'bash ./ci/guard.sh' }, 'Bash'), {
        allow: ['Edit(ci/**)'],
      }),
    })
    expect(run.result().permission_denials.map(({ reason }) => reason)).toEqual(
      Array(2).fill('PreToolUse hook bash ./ci/guard.sh: pinned'),
    )
    expect(readFileSync(join(run.project, 'ci/guard.sh'), 'utf8')).toContain('escaped')
    expect(existsSync(join(run.base, 'escaped'))).toBe(false)
  })
})

describe('signals', () => {
  for (const event of ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'Stop'] as const) {
    it(`SIGTERM while a ${event} hook hangs and ignores TERM: 143, and nothing is left`, { tags: 'long' }, async () => {
      const server = await serveTurns(
        ...(event === 'PreToolUse' ? [bash('ls')] : event === 'Stop' ? [{ say: 'done' }] : []),
      )
      const run = startCli(['x'], { server, policy: policyOf(on(event, stubHook('hang', '../hang.pid'))) })
      const pid = await untilFile(join(run.base, 'hang.pid'), run)
      run.child.kill('SIGTERM')
      const ended = await run.ended()
      expect([ended.code, ended.result().exit_reason]).toEqual([143, 'sigterm'])
      expect(ended.result().permission_denials).toEqual([])
      expect(isAlive(Number(pid))).toBe(false)
    })
  }

  it.skipIf(process.platform !== 'linux')(
    'SessionEnd has 1.5 s when the run is told to end',
    { tags: 'long' },
    async () => {
      const server = await serveTurns(bash('sleep 60'))
      const run = startCli(['x', '--output-format', 'stream-json'], {
        server,
        policy: policyOf(on('SessionEnd', stubHook('hang', '../hang.pid')), { allow: ['Bash(sleep *)'] }),
      })
      await run.saw('tool_intent')
      run.child.kill('SIGTERM')
      const ended = await run.ended()
      expect([ended.code, outcomesOf(ended)]).toEqual([143, ['SessionEnd failed']])
      // What was killed may be a moment in dying, and on a busy machine it was killed before it had said who it is.
      await expect.poll(() => processesOf(run.base), { timeout: 10_000 }).toEqual([])
    },
  )
})

/** The first line of a file that the run writes. */
async function untilFile(path: string, { child }: StartedCli): Promise<string> {
  while (!existsSync(path) || !readFileSync(path, 'utf8').includes('\n')) {
    if (child.exitCode !== null) throw new Error(`the run ended without ${path}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return readFileSync(path, 'utf8').split('\n')[0] ?? ''
}
