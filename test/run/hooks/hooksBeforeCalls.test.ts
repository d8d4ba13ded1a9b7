import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { HookSettings } from '../../../src/contracts/settings.ts'
import { call, serveTurns } from '../../helpers/model/serveTurns.ts'
import { runCli } from '../../helpers/runs/cliRun.ts'
import { bash, eventsOf, finish, on, outcomesOf, policyOf, says, specific } from '../../helpers/runs/hookRuns.ts'

describe('PreToolUse', () => {
  it('sees absolute paths, as in Claude Code, so that a guard that compares paths cannot be bypassed', {
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

  it('an edited input is validated and permitted again: allowed, denied by a rule, invalid', {
    tags: 'long',
  }, async () => {
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
})

describe('PermissionRequest', () => {
  const behaves = (decision: object, rule: string) => says(specific('PermissionRequest', { decision }), { if: rule })

  it('answers asks from rules and from missing rules, never a deny; its edit is judged again', {
    tags: 'long',
  }, async () => {
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
