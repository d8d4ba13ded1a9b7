import type { HookSettings } from '../../../src/contracts/settings.ts'
import { call } from '../../helpers/model/serveTurns.ts'
import type { GoldenRun } from '../../helpers/runs/goldenRun.ts'

const bash = (command: string) => call('Bash', { command })
const WRITES = { permissions: { allow: ['Read', 'Bash', 'Edit(b)'] } }
/** A hook that prints this text, or this JSON. */
const prints = (said: unknown, more = '') =>
  runs(`printf '%s' '${typeof said === 'string' ? said : JSON.stringify(said)}'${more}`)
const runs = (command: string, more: Partial<HookSettings> = {}) =>
  ({ type: 'command', command, ...more }) as HookSettings
const specific = (hookEventName: string, fields: object) => ({ hookSpecificOutput: { hookEventName, ...fields } })

/** A run that writes one file, with these hooks of one event. */
const on = (event: string, hooks: readonly HookSettings[], more: Partial<GoldenRun> = {}): GoldenRun => ({
  policy: { ...WRITES, hooks: { [event]: [{ ...(/ToolUse/.test(event) && { matcher: 'Bash' }), hooks }] } },
  answers: [bash('echo hi > b')],
  ...more,
})

/** How hooks end, and what then becomes of the run. */
export const hooks: Readonly<Record<string, GoldenRun>> = {
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
  'the prompt is blocked': on('UserPromptSubmit', [runs('echo "not like this" >&2; exit 2')]),
  'the run is stopped at its start': on('SessionStart', [prints({ continue: false, stopReason: 'not today' })]),
  'a call is denied by exit code 2': on('PreToolUse', [runs('echo "use the other file" >&2; exit 2')]),
  'a call is denied in JSON': on('PreToolUse', [
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
  'the agent is sent back again and again': on('Stop', [runs('echo "look again" >&2; exit 2')]),
  'a request for permission is granted': {
    policy: {
      permissions: { allow: ['Read', 'Edit(b)'], ask: ['Bash(echo *)'] },
      hooks: {
        PermissionRequest: [{ hooks: [prints(specific('PermissionRequest', { decision: { behavior: 'allow' } }))] }],
      },
    },
    answers: [bash('echo hi > b')],
  },
  'a message for people': on('PreToolUse', [prints({ systemMessage: 'This call was seen.' })]),
  'exit code 1': on('PreToolUse', [runs('echo "no python here" >&2; exit 1')]),
  'exit code 1 that does not matter': on('PreToolUse', [runs('exit 1', { onError: 'continue' })]),
  'a program that is missing': on('PreToolUse', [runs('/usr/local/bin/no-such-guard')]),
  'a script that is missing': on('PreToolUse', [runs('./guard.sh')]),
  'a signal': on('PreToolUse', [runs('kill -9 $$')]),
  'a timeout': on('PreToolUse', [runs('sleep 30', { timeout: 0.3 })]),
  'JSON that is cut': on('PreToolUse', [prints('{"decision": "block"')]),
  'an answer for another event': on('PreToolUse', [prints(specific('Stop', {}))]),
  'two answers': on('PreToolUse', [runs(`echo '{"decision":"approve"}'; echo '{"decision":"block"}'`)]),
  'two hooks that disagree': on('PreToolUse', [
    prints(specific('PreToolUse', { permissionDecision: 'allow' })),
    runs('echo "not this" >&2; exit 2'),
  ]),
  'two hooks that change a call differently': on('PreToolUse', [
    prints(specific('PreToolUse', { permissionDecision: 'allow', updatedInput: { command: 'echo 1 > b' } })),
    prints(specific('PreToolUse', { permissionDecision: 'allow', updatedInput: { command: 'echo 2 > b' } })),
  ]),
  'a failure after a call': on('PostToolUse', [runs('exit 1')]),
  'a failure at the end': on('Stop', [runs('exit 1')]),
  'a question to a small model': {
    ...on('PreToolUse', [{ type: 'prompt', prompt: 'Is it harmless?' } as HookSettings]),
    answers: [bash('echo hi > b'), { say: '{"ok": false, "reason": "It writes."}' }],
  },
  'a question without an answer': {
    ...on('PreToolUse', [{ type: 'prompt', prompt: 'Is it harmless?' } as HookSettings]),
    answers: [bash('echo hi > b'), { say: 'Perhaps.' }],
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
  'an address that nobody answers at': on('PreToolUse', [
    { type: 'http', url: 'http://127.0.0.1:3/hook' } as HookSettings,
  ]),
  'a tool of a server': on('PreToolUse', [{ type: 'mcp_tool', server: 'none', tool: 'judge' } as HookSettings]),
  'variables for commands': {
    policy: {
      ...WRITES,
      hooks: { SessionStart: [{ hooks: [runs('echo "export GREETING=hi LD_PRELOAD=x" >> "$CLAUDE_ENV_FILE"')] }] },
    },
    answers: [bash('echo $GREETING')],
  },
  'a hook beside the run': {
    policy: { ...WRITES, hooks: { SessionStart: [{ hooks: [runs('echo "{}"', { async: true })] }] } },
    answers: [{ say: 'Done.' }],
  },
}
