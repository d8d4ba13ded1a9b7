import { call } from '../../helpers/model/serveTurns.ts'
import type { GoldenRun } from '../../helpers/runs/goldenRun.ts'
import type { GoldenRuns } from '../../helpers/runs/playGolden.ts'

const bash = (command: string) => call('Bash', { command })
const agent = (subagent_type: string, prompt: string, more = {}) =>
  call('Agent', { subagent_type, prompt, description: 'a part', ...more })
const ALLOWS = { permissions: { allow: ['Read', 'Bash(echo *)', 'Agent', 'Edit(b)'] } }
const COUNTER = { agents: { counter: { description: 'Counts.', prompt: 'You count.', tools: ['LS', 'Bash'] } } }
const LOOK = call('Read', { file_path: 'a.txt' })
const prints = (said: object) => ({ type: 'command', command: `echo '${JSON.stringify(said)}'` })
const DONE = [{ say: 'Done.' }]

/** Agents, and requests beside the loop. */
const rows: Readonly<Record<string, GoldenRun>> = {
  'an agent that works': {
    policy: { ...ALLOWS, ...COUNTER },
    answers: [agent('counter', 'Count the files.'), call('LS', { path: '.' }), { say: 'None.' }, ...DONE],
  },
  'an agent that is not there': { policy: { ...ALLOWS, ...COUNTER }, answers: [agent('painter', 'Paint.'), ...DONE] },
  'an agent that is denied a call': {
    policy: { ...ALLOWS, ...COUNTER },
    answers: [agent('counter', 'Count.'), bash('rm a'), { say: 'I could not.' }, ...DONE],
  },
  'an agent that reaches its limit': {
    policy: { ...ALLOWS, agents: { counter: { description: 'Counts.', prompt: 'You count.', maxTurns: 1 } } },
    answers: [agent('counter', 'Count.'), call('LS', { path: '.' }), ...DONE],
  },
  'an agent that is asked again': {
    policy: { ...ALLOWS, ...COUNTER },
    answers: (request) => {
      const said = JSON.stringify(request.body.messages)
      const [id] = /agent_[0-9a-f]{8}/.exec(said) ?? []
      if (JSON.stringify(request.body.system).includes('You count.'))
        return { say: said.includes('more') ? 'Two.' : 'One.' }
      if (id === undefined) return agent('counter', 'Count.')
      if (said.includes('agent_gone')) return { say: 'Done.' }
      if (said.includes('Two.')) return call('SendMessage', { to: 'agent_gone', message: 'Hello?' })
      return call('SendMessage', { to: id, message: 'Count once more.' })
    },
  },
  'an agent with hooks': {
    policy: {
      ...ALLOWS,
      ...COUNTER,
      hooks: {
        SubagentStart: [
          {
            hooks: [
              prints({ hookSpecificOutput: { hookEventName: 'SubagentStart', additionalContext: 'Look in src.' } }),
            ],
          },
        ],
        SubagentStop: [
          {
            hooks: [
              { type: 'command', command: `grep -q '"stop_hook_active":true' || { echo "be exact" >&2; exit 2; }` },
            ],
          },
        ],
      },
    },
    answers: [agent('counter', 'Count.'), { say: 'Some.' }, { say: 'Two.' }, ...DONE],
  },
  'an agent whose hook ends the run': {
    policy: {
      ...ALLOWS,
      ...COUNTER,
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [prints({ continue: false, stopReason: 'enough' })] }] },
    },
    answers: [agent('counter', 'Count.'), bash('echo hi')],
  },
  'an agent of another model': {
    policy: { ...ALLOWS, agents: { counter: { description: 'Counts.', prompt: 'You count.', model: 'small' } } },
    answers: [agent('counter', 'Count.'), { say: 'None.' }, ...DONE],
  },
  'the judge of auto mode': {
    policy: { ...ALLOWS, permissions: { ...ALLOWS.permissions, defaultMode: 'auto' } },
    answers: [
      bash('mkdir y'),
      { say: '{"decision":"allow","reason":"tidy"}' },
      bash('mkdir x'),
      { say: '{"decision":"block","reason":"not asked for"}' },
      ...DONE,
    ],
  },
  'a conversation that is compacted': {
    policy: { ...ALLOWS, run: { contextWindow: 40000 } },
    files: { 'a.txt': 'hello\n' },
    answers: [
      { ...LOOK, say: 'Let me look. '.repeat(300), usage: { input_tokens: 39_000 } },
      { say: 'We read a.txt.' },
      ...DONE,
    ],
  },
  'a conversation that cannot be compacted': {
    policy: { ...ALLOWS, run: { contextWindow: 40000 } },
    files: { 'a.txt': 'hello\n' },
    answers: [{ ...LOOK, usage: { input_tokens: 39_000 } }, { say: 'No.', stop: 'refusal' }, ...DONE],
  },
}

export const agents: GoldenRuns = {
  rows,
  ends: {
    blocked: ['an agent that is denied a call'],
    stopped_by_hook: ['an agent whose hook ends the run'],
  },
}
