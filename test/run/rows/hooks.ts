import type { HookSettings } from '../../../src/contracts/settings.ts'
import { call } from '../../helpers/model/serveTurns.ts'
import type { GoldenRun } from '../../helpers/runs/goldenRun.ts'
import type { GoldenRuns } from '../../helpers/runs/playGolden.ts'
import { stubServer } from '../../helpers/tools/testMcp.ts'

const bash = (command: string) => call('Bash', { command })
const WRITES = { permissions: { allow: ['Read', 'Bash', 'Edit(b)'] } }
/** A hook that prints this text, or this JSON. */
const prints = (said: unknown, more = '') =>
  runs(`printf '%s' '${typeof said === 'string' ? said : JSON.stringify(said)}'${more}`)
const runs = (command: string, more: Partial<HookSettings> = {}) =>
  ({ type: 'command', command, ...more }) as HookSettings
const specific = (hookEventName: string, fields: object) => ({ hookSpecificOutput: { hookEventName, ...fields } })

const WARNS = ['SessionStart', 'PostToolUse', 'PostToolUseFailure', 'PermissionDenied', 'SessionEnd']

/** A run that writes one file, with these hooks of one event. */
const on = (event: string, hooks: readonly HookSettings[], more: Partial<GoldenRun> = {}): GoldenRun => ({
  policy: { ...WRITES, hooks: { [event]: [{ ...(/ToolUse/.test(event) && { matcher: 'Bash' }), hooks }] } },
  answers: [bash('echo hi > b')],
  ...more,
})

/** A run whose one call is not allowed by these hooks. */
const blocked = (hooks: readonly HookSettings[]): GoldenRun => on('PreToolUse', hooks, { ends: 'blocked' })

const EVENTS = [
  ...['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionRequest'],
  ...['PermissionDenied', 'Notification', 'Stop', 'SubagentStart', 'SubagentStop', 'SessionEnd'],
]

/** A hook that replaces one command by another. */
const changes = (from: string, command: unknown) => ({
  ...prints(specific('PreToolUse', { permissionDecision: 'allow', updatedInput: { command } })),
  if: `Bash(${from})`,
})
/** A hook that answers the request for one command. */
const answers = (command: string, decision: object) => ({
  ...prints(specific('PermissionRequest', { decision })),
  if: `Bash(${command})`,
})

/** The rest of the file counts for nothing. */
const PROJECT_HOOKS = JSON.stringify({
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'echo not here >&2; exit 2' }] }] },
  permissions: { allow: ['Bash(git push)'] },
})

/** A run of a project whose own hook asks a tool of a server. */
const ofProject = (rules: readonly string[]): GoldenRun => {
  const hook = {
    type: 'mcp_tool',
    server: 'stub',
    tool: 'echo',
    input: { decision: 'block', reason: 'not ${tool_name}' },
  }
  return {
    policy: {
      permissions: { allow: [...WRITES.permissions.allow, ...rules] },
      mcpServers: { stub: stubServer('few') },
      projectHooks: true,
    },
    files: { '.claude/settings.json': JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] } }) },
    answers: [bash('echo hi > b')],
    ends: 'blocked',
  }
}

const asksTool = (server: string, tool: string, deny: readonly string[] = []): GoldenRun => {
  const input = { decision: 'block', reason: 'not ${tool_name}' }
  const hook = { type: 'mcp_tool', server, tool, input }
  return {
    policy: {
      permissions: { ...WRITES.permissions, deny },
      mcpServers: { stub: stubServer('few') },
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] },
    },
    answers: [bash('echo hi > b')],
    ends: 'blocked',
  }
}

/** How hooks end, and what then becomes of the run. */
export const hooks: GoldenRuns = {
  'context for the first message': {
    policy: {
      ...WRITES,
      hooks: {
        SessionStart: [{ hooks: [prints('It is Monday.')] }],
        UserPromptSubmit: [{ hooks: [prints(specific('UserPromptSubmit', { additionalContext: 'Be brief.' }))] }],
      },
    },
    answers: [{ say: 'Done.' }],
  },
  'the prompt is blocked': on('UserPromptSubmit', [runs('echo "not like this" >&2; exit 2')], {
    ends: 'stopped_by_hook',
  }),
  'the run is stopped at its start': {
    policy: {
      ...WRITES,
      hooks: {
        SessionStart: [{ hooks: [prints({ continue: false, stopReason: 'not today' })] }],
        UserPromptSubmit: [{ hooks: [runs('echo never asked')] }],
      },
    },
    ends: 'stopped_by_hook',
  },
  'a call is denied by exit code 2': blocked([runs('echo "use the other file" >&2; exit 2')]),
  'every call is denied, and the run ends all the same': {
    policy: { ...WRITES, hooks: { PreToolUse: [{ hooks: [runs('echo "not now" >&2; exit 2')] }] } },
    // The second one lacks a rule, too: none would help.
    answers: [bash('echo hi > b'), call('WebFetch', { url: 'https://a.example', prompt: 'x' })],
    ends: 'blocked',
  },
  'a call is denied in JSON': blocked([
    prints(specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'use the other file' })),
  ]),
  'a call is allowed that no rule allows': on(
    'PreToolUse',
    [prints(specific('PreToolUse', { permissionDecision: 'allow', permissionDecisionReason: 'I know it' }))],
    {
      policy: {
        permissions: { allow: ['Edit(b)'] },
        hooks: {
          PreToolUse: [
            {
              hooks: [
                prints(specific('PreToolUse', { permissionDecision: 'allow', permissionDecisionReason: 'I know it' })),
              ],
            },
          ],
        },
      },
    },
  ),
  'a call is changed': on('PreToolUse', [
    prints(specific('PreToolUse', { permissionDecision: 'allow', updatedInput: { command: 'echo ho > b' } })),
  ]),
  'feedback after a call': on('PostToolUse', [prints({ decision: 'block', reason: 'Now look at b.' })]),
  'the agent is sent back': on('Stop', [
    runs(`grep -q '"stop_hook_active":true' || { echo "look again" >&2; exit 2; }`),
  ]),
  'the agent is sent back again and again': on('Stop', [runs('echo "look again" >&2; exit 2')], {
    ends: 'stop_hook_loop',
  }),
  'a request for permission is granted': {
    policy: {
      permissions: { allow: ['Read', 'Edit(b)'], ask: ['Bash(echo *)'] },
      hooks: {
        PermissionRequest: [{ hooks: [prints(specific('PermissionRequest', { decision: { behavior: 'allow' } }))] }],
      },
    },
    answers: [bash('echo hi > b')],
  },
  'every event, and what its hook gets': {
    policy: {
      permissions: { allow: ['Read', 'Agent'] },
      agents: { counter: { description: 'Counts.', prompt: 'You count.', tools: ['LS'] } },
      hooks: Object.fromEntries(
        EVENTS.map((event) => [event, [{ hooks: [runs(`cat >> ../${event}; echo >> ../${event}`)] }]]),
      ),
    },
    files: { 'a.txt': 'hello\n' },
    answers: [
      call('Read', { file_path: 'a.txt' }),
      call('Read', { file_path: 'none' }),
      bash('touch a'),
      call('Agent', { description: 'count', prompt: 'Count.', subagent_type: 'counter' }),
      { say: 'Three.' },
    ],
    shows: EVENTS.map((event) => `../${event}`),
  },
  'calls that hooks change': {
    policy: {
      permissions: { allow: ['Edit(b)'], deny: ['Bash(touch forbidden)'] },
      hooks: {
        PreToolUse: [
          {
            hooks: [
              changes('touch a', 'echo 1 > b'),
              changes('touch b', 'touch forbidden'),
              changes('touch c', { no: 'text' }),
              changes('touch d', '$UNKNOWN forbidden'),
            ],
          },
        ],
      },
    },
    answers: ['touch a', 'touch b', 'touch c', 'touch d'].map(bash),
  },
  'requests for permission that hooks answer': {
    policy: {
      permissions: { allow: ['Edit(./**)'], ask: ['Bash(touch asked)'], deny: ['Bash(touch denied)'] },
      hooks: {
        PermissionRequest: [
          {
            hooks: [
              ...['absent', 'asked', 'denied'].map((name) => answers(`touch ${name}`, { behavior: 'allow' })),
              answers('touch edit-fine', { behavior: 'allow', updatedInput: { command: 'touch edited' } }),
              answers('touch edit-denied', { behavior: 'allow', updatedInput: { command: 'touch denied' } }),
              answers('touch edit-asked', { behavior: 'allow', updatedInput: { command: 'touch asked' } }),
              answers('touch refused', { behavior: 'deny', message: 'not this one' }),
            ],
          },
        ],
      },
    },
    answers: ['absent', 'asked', 'denied', 'edit-fine', 'edit-denied', 'edit-asked', 'refused', 'open'].map((name) =>
      bash(`touch ${name}`),
    ),
  },
  'a request for permission where nobody is to be asked': {
    ...on('PermissionRequest', [answers('touch a', { behavior: 'allow' })], { answers: [bash('touch a')] }),
    args: ['--permission-mode', 'dontAsk'],
    ends: 'blocked',
  },
  'a request for permission whose hook stops the run': on(
    'PermissionRequest',
    [answers('touch a', { behavior: 'deny', message: 'stop here', interrupt: true })],
    { answers: [bash('touch a')], ends: 'stopped_by_hook' },
  ),
  'a request for permission whose hook fails': on('PermissionRequest', [runs('exit 1')], {
    answers: [bash('touch a')],
    ends: 'blocked',
  }),
  'more output than is read': blocked([runs('head -c 2000000 /dev/zero | tr "\\0" x')]),
  'an agent that judges, and no tokens are left': on('PreToolUse', [{ type: 'agent', prompt: 'Is it safe?' }], {
    args: ['--max-tokens-total', '250'],
    answers: [bash('echo hi > b'), call('LS', { path: '.' }), call('LS', { path: 'x' })],
    ends: 'max_budget',
  }),
  'an agent that judges when the run has ended': on('SessionEnd', [{ type: 'agent', prompt: 'Is all well?' }], {
    ends: 'config',
  }),
  'a tool of a server for a hook of the project, by a rule': ofProject(['mcp__stub']),
  'a tool of a server for a hook of the project, without a rule': ofProject([]),
  'hooks of the checkout': {
    policy: { ...WRITES, projectHooks: true },
    files: { '.claude/settings.json': PROJECT_HOOKS },
    answers: [bash('echo hi > b'), bash('git push')],
    ends: 'blocked',
  },
  'hooks of the checkout that the policy does not want': {
    policy: WRITES,
    files: { '.claude/settings.json': PROJECT_HOOKS },
    answers: [bash('echo hi > b'), bash('git push')],
  },
  'hooks of the checkout whose script is missing': {
    policy: { ...WRITES, projectHooks: true },
    files: { '.claude/settings.json': PROJECT_HOOKS.replace('echo not here >&2; exit 2', '.claude/guard.sh') },
    ends: 'config',
  },
  'hooks of the checkout that are not valid': {
    policy: { ...WRITES, projectHooks: true },
    files: { '.claude/settings.json': '{"hooks":{"PreToolUse":[{"matcher":"(","hooks":[]}]}}' },
    ends: 'config',
  },
  'a hook that nobody waits for': on('PreToolUse', [runs('exit 2', { async: true })]),
  'a message for people': on('PreToolUse', [prints({ systemMessage: 'This call was seen.' })]),
  'exit code 1': blocked([runs('echo "no python here" >&2; exit 1')]),
  'exit code 1 that does not matter': on('PreToolUse', [runs('exit 1', { onError: 'continue' })]),
  'a program that is missing': on('PreToolUse', [runs('/usr/local/bin/no-such-guard')], { ends: 'config' }),
  'a script that is missing': on('PreToolUse', [runs('./guard.sh')], { ends: 'config' }),
  'a signal': blocked([runs('kill -9 $$')]),
  'a timeout': blocked([runs('sleep 30', { timeout: 0.3 })]),
  'JSON that is cut': blocked([prints('{"decision": "block"')]),
  'an answer for another event': blocked([prints(specific('Stop', {}))]),
  'two answers': blocked([runs(`echo '{"decision":"approve"}'; echo '{"decision":"block"}'`)]),
  'two hooks that disagree': blocked([
    prints(specific('PreToolUse', { permissionDecision: 'allow' })),
    runs('echo "not this" >&2; exit 2'),
  ]),
  'two hooks that change a call differently': blocked([
    prints(specific('PreToolUse', { permissionDecision: 'allow', updatedInput: { command: 'echo 1 > b' } })),
    prints(specific('PreToolUse', { permissionDecision: 'allow', updatedInput: { command: 'echo 2 > b' } })),
  ]),
  'failures that only warn': {
    policy: {
      permissions: { allow: ['Read'] },
      hooks: Object.fromEntries(WARNS.map((event) => [event, [{ hooks: [runs(`exit 1 # ${event}`)] }]])),
    },
    files: { 'a.txt': 'hello\n' },
    answers: [call('Read', { file_path: 'a.txt' }), call('Read', { file_path: 'none' }), bash('touch x')],
  },
  'a failure before the first request': on('UserPromptSubmit', [runs('exit 1')], { ends: 'stopped_by_hook' }),
  'a failure at the end of an agent': {
    policy: { permissions: { allow: ['Agent'] }, hooks: { SubagentStop: [{ hooks: [runs('exit 1')] }] } },
    answers: [call('Agent', { subagent_type: 'Explore', prompt: 'Look.', description: 'a part' }), { say: 'Seen.' }],
    ends: 'stop_hook_failed',
  },
  'a failure at the end': on('Stop', [runs('exit 1')], { ends: 'stop_hook_failed' }),
  'a question to a small model': {
    ...on('PreToolUse', [{ type: 'prompt', prompt: 'Is it harmless?', model: 'haiku' } as HookSettings]),
    answers: [bash('echo hi > b'), { say: '{"ok": false, "reason": "It writes."}' }],
    ends: 'blocked',
  },
  'a question without an answer': {
    ...on('PreToolUse', [{ type: 'prompt', prompt: 'Is it harmless?' } as HookSettings]),
    answers: [bash('echo hi > b'), { say: 'Perhaps.' }],
    ends: 'blocked',
  },
  'a judge that reads files': {
    ...on('Stop', [{ type: 'agent', prompt: 'Is b as it should be?' } as HookSettings]),
    answers: [
      bash('echo hi > b'),
      call('Finish', { status: 'completed', summary: 'done' }),
      call('Read', { file_path: 'b' }),
      { say: '{"ok": true}' },
    ],
  },
  'a judge that says no': {
    ...on('PreToolUse', [{ type: 'agent', prompt: 'Does a.txt forbid it?', model: 'main' } as HookSettings]),
    files: { 'a.txt': 'Write nothing.\n' },
    answers: [
      bash('echo hi > b'),
      call('Read', { file_path: 'a.txt' }),
      { say: '{"ok": false, "reason": "a.txt says no"}' },
    ],
    ends: 'blocked',
  },
  'a judge without a judgment': {
    ...on('PreToolUse', [{ type: 'agent', prompt: 'Is it harmless?' } as HookSettings]),
    answers: [bash('echo hi > b'), { say: 'I do not know.' }],
    ends: 'blocked',
  },
  'an address that nobody answers at': blocked([{ type: 'http', url: 'http://127.0.0.1:3/hook' } as HookSettings]),
  'a tool of a server that says no': asksTool('stub', 'echo'),
  'a tool of a server that is not there': asksTool('none', 'echo'),
  'a tool that its server does not have': asksTool('stub', 'none'),
  'a tool of a server that a rule denies': asksTool('stub', 'echo', ['mcp__stub']),
  'variables for commands': {
    policy: {
      ...WRITES,
      hooks: { SessionStart: [{ hooks: [runs('echo "export GREETING=a:b:a LD_PRELOAD=x" >> "$CLAUDE_ENV_FILE"')] }] },
    },
    answers: [bash('echo $GREETING')],
  },
  'a hook beside the run': {
    policy: { ...WRITES, hooks: { SessionStart: [{ hooks: [runs('echo "{}"', { async: true })] }] } },
    answers: [{ say: 'Done.' }],
  },
}
