import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commitAll } from '../../helpers/git.ts'
import { PNG } from '../../helpers/images.ts'
import { call } from '../../helpers/model/serveTurns.ts'
import type { GoldenRuns } from '../../helpers/runs/playGolden.ts'

const bash = (command: string) => call('Bash', { command })
const agent = (subagent_type: string, prompt: string, more = {}) =>
  call('Agent', { subagent_type, prompt, description: 'a part', ...more })
const ALLOWS = { permissions: { allow: ['Read', 'Bash(echo *)', 'Agent', 'Edit(b)'] } }
const COUNTER = { agents: { counter: { description: 'Counts.', prompt: 'You count.', tools: ['LS', 'Bash'] } } }
const LOOK = call('Read', { file_path: 'a.txt' })
const ALLOW = '{"decision":"allow","reason":"tidy"}'
const BLOCK = '{"decision":"block","reason":"not asked for"}'
const WINDOW = { ...ALLOWS, run: { contextWindow: 40000 } }
const FULL = { ...LOOK, say: 'Let me look. '.repeat(300), usage: { input_tokens: 39_000 } }
const TOO_LONG = { status: 400, errorMessage: 'prompt is too long: 210000 tokens > 200000 maximum' }
const SUMMARY = { say: 'We read a.txt.' }
const COMPACTS = { policy: WINDOW, files: { 'a.txt': 'hello\n' } }
const prints = (said: object) => ({ type: 'command', command: `echo '${JSON.stringify(said)}'` })
const DONE = [{ say: 'Done.' }]
const LEAD = {
  ...{ description: 'Leads.', prompt: 'You lead.', tools: ['Read', 'Agent', 'Bash', 'Write', 'Wirte'] },
  ...{ disallowedTools: ['BashTool', 'Write'], model: 'opus' },
}

/** Agents, and requests beside the loop. */
export const agents: GoldenRuns = {
  'an agent that works': {
    policy: { ...ALLOWS, ...COUNTER },
    answers: [agent('counter', 'Count the files.'), call('LS', { path: '.' }), { say: 'None.' }, ...DONE],
  },
  'an agent that no rule allows': {
    policy: { permissions: { allow: ['Agent(Explore)'] } },
    answers: [agent('Explore', 'Look.'), { say: 'Seen.' }, agent('general-purpose', 'Do.'), ...DONE],
  },
  'agents within agents': {
    policy: { permissions: { allow: ['Agent', 'Bash'] } },
    args: ['--agents', JSON.stringify({ lead: LEAD })],
    answers: [
      agent('lead', 'Down.'),
      agent('general-purpose', 'Further down.'),
      agent('general-purpose', 'Deeper.'),
      { say: 'Up.' },
      { say: 'Up again.' },
      { say: 'Here.' },
      ...DONE,
    ],
  },
  'an agent that uses up its money, is asked again, and another one': {
    policy: {
      ...ALLOWS,
      agents: { counter: { description: 'Counts.', prompt: 'You count.', tools: ['LS'], maxBudgetUsd: 0.1 } },
    },
    answers: (request) => {
      const { system, messages } = request.body
      if (JSON.stringify(system).includes('You count.'))
        return { ...call('LS', { path: '.' }), usage: { input_tokens: messages.length === 1 ? 1000 : 100_000 } }
      const [id = ''] = /agent_[0-9a-f]{8}/.exec(JSON.stringify(messages)) ?? []
      const turns = [
        agent('counter', 'Count.'),
        call('SendMessage', { to: id, message: 'And now?' }),
        agent('counter', 'Count once more.'),
      ]
      return turns[(messages.length - 1) / 2] ?? { say: 'Done.' }
    },
  },
  'an agent in a worktree': {
    policy: { ...ALLOWS, ...COUNTER, permissions: { allow: ['Agent', 'Edit(src/**)'] } },
    files: { 'src/a.txt': 'one\n' },
    prepare: commitAll,
    answers: [
      agent('general-purpose', 'Change it.', { isolation: 'worktree' }),
      call('Write', { file_path: 'src/b.txt', content: 'by the agent\n' }),
      call('Write', { file_path: 'b.txt', content: 'no rule\n' }),
      { say: 'Changed.' },
      agent('counter', 'Look.', { isolation: 'worktree' }),
      { say: 'Looked.' },
      ...DONE,
    ],
  },
  'an agent in a worktree where no commit is': {
    policy: { ...ALLOWS, ...COUNTER },
    answers: [agent('counter', 'Count.', { isolation: 'worktree' }), ...DONE],
  },
  'an agent that is not there': { policy: { ...ALLOWS, ...COUNTER }, answers: [agent('painter', 'Paint.'), ...DONE] },
  'an agent that is denied a call': {
    policy: { ...ALLOWS, ...COUNTER },
    answers: [agent('counter', 'Count.'), bash('rm a'), { say: 'I could not.' }, ...DONE],
    ends: 'blocked',
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
  'an agent whose start a hook stops': {
    policy: {
      ...ALLOWS,
      ...COUNTER,
      hooks: { SubagentStart: [{ hooks: [prints({ continue: false, stopReason: 'no agents today' })] }] },
    },
    answers: [agent('counter', 'Count.')],
    ends: 'stopped_by_hook',
  },
  'an agent that leaves a command at work': {
    policy: { ...ALLOWS, ...COUNTER, permissions: { allow: ['Agent', 'Bash'] }, run: { backgroundWait: '1s' } },
    answers: [
      agent('counter', 'Count.'),
      call('Bash', { command: 'sleep 300', run_in_background: true }),
      { say: 'None.' },
      ...DONE,
    ],
  },
  'an agent whose hook ends the run': {
    policy: {
      ...ALLOWS,
      ...COUNTER,
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [prints({ continue: false, stopReason: 'enough' })] }] },
    },
    answers: [agent('counter', 'Count.'), bash('echo hi')],
    ends: 'stopped_by_hook',
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
  'the judge of auto mode, who blocks again and again': {
    policy: { ...ALLOWS, permissions: { ...ALLOWS.permissions, defaultMode: 'auto' } },
    answers: [BLOCK, BLOCK, ALLOW, BLOCK, BLOCK, BLOCK, ALLOW].flatMap((say, index) => [
      bash(`mkdir ${index}`),
      { say },
    ]),
    ends: 'denial_limit',
  },
  'a conversation that is compacted': { ...COMPACTS, answers: [FULL, SUMMARY, ...DONE] },
  'a conversation that is compacted twice': {
    ...COMPACTS,
    answers: [
      {
        ...FULL,
        tools: [
          { name: 'TodoWrite', input: { todos: [{ content: 'Find the hole', status: 'in_progress' }] } },
          { name: 'Read', input: { file_path: '~/.ssh/id_rsa' } },
        ],
      },
      { say: 'It is half done.' },
      LOOK,
      FULL,
      { say: 'Nearly done.' },
    ],
  },
  'a conversation that cannot be compacted': {
    ...COMPACTS,
    answers: [{ ...LOOK, usage: { input_tokens: 39_000 } }, { say: 'No.', stop: 'refusal' }, ...DONE],
  },
  'summaries that are empty or longer, and a conversation that grows too long': {
    ...COMPACTS,
    answers: [
      { ...LOOK, usage: { input_tokens: 39_000 } },
      { say: ' ' },
      { ...LOOK, usage: { input_tokens: 39_100 } },
      { say: 'long '.repeat(3_000) },
      { ...LOOK, usage: { input_tokens: 39_200 } },
      TOO_LONG,
    ],
    ends: 'context_exhausted',
  },
  'a conversation that the API refuses': { ...COMPACTS, answers: [{ ...FULL, usage: {} }, TOO_LONG, SUMMARY, ...DONE] },
  'a conversation that the API refuses again and again': {
    ...COMPACTS,
    answers: [{ ...FULL, usage: {} }, TOO_LONG, SUMMARY, TOO_LONG, { say: 's' }, TOO_LONG],
    ends: 'context_exhausted',
  },
  'an answer that fills the window': {
    ...COMPACTS,
    answers: [{ ...FULL, stop: 'model_context_window_exceeded' }, { say: 's' }, ...DONE],
    ends: 'context_exhausted',
  },
  'images that are too large together': {
    policy: ALLOWS,
    prepare(project) {
      for (const name of ['1.png', '2.png']) writeFileSync(join(project, name), PNG)
    },
    answers: [
      { tools: ['1.png', '2.png'].map((file_path) => ({ name: 'Read', input: { file_path } })) },
      { status: 413, errorMessage: 'Request exceeds the maximum size' },
      ...DONE,
    ],
  },
  'a compaction that a hook forbids': {
    ...COMPACTS,
    policy: {
      ...WINDOW,
      hooks: { PreCompact: [{ hooks: [{ type: 'command', command: 'echo not now >&2; exit 2' }] }] },
    },
    answers: [FULL, ...DONE],
  },
  'hooks of a compaction': {
    ...COMPACTS,
    policy: {
      ...WINDOW,
      hooks: {
        SessionStart: [{ matcher: 'compact', hooks: [{ type: 'command', command: 'echo Look at b.' }] }],
        PostCompact: [{ hooks: [{ type: 'command', command: 'cat >> ../seen.json' }] }],
      },
    },
    answers: [FULL, SUMMARY, ...DONE],
    shows: ['../seen.json'],
  },
}
