import { call } from '../../helpers/model/serveTurns.ts'
import type { GoldenRun } from '../../helpers/runs/goldenRun.ts'
import type { GoldenRuns } from '../../helpers/runs/playGolden.ts'

const POLICY = { permissions: { allow: ['Read', 'Bash', 'Edit(b)'] } }
const FILES = { 'a.txt': 'hello\n' }
const tool = (name: string, input: unknown) => ({ name, input })
const DEEP = `${'['.repeat(10_000)}${']'.repeat(10_000)}`

const BESIDE = { command: 'sleep 300', run_in_background: true }
const todo = (content: string, status: string) => ({ content, status, activeForm: content })
const ask = (question: string) => ({ question, header: 'x', options: [{ label: 'a' }, { label: 'b' }] })

/** What tools say that change nothing, and what becomes of calls that no tool can take as they are. */
const rows: Readonly<Record<string, GoldenRun>> = {
  'calls beside each other, one of which fails': {
    policy: POLICY,
    files: FILES,
    answers: [{ tools: ['a.txt', 'none.txt', 'a.txt'].map((file_path) => tool('Read', { file_path })) }],
  },
  'tools and fields that are not there': {
    policy: POLICY,
    files: FILES,
    answers: [
      {
        tools: [
          tool('Raed', {}),
          tool('str_replace_editor', {}),
          tool('Read', { file_path: ['a.txt'] }),
          tool('Read', { file_path: 'a.txt', bogus: 1 }),
          tool('Bash', { command: 'echo hi > b', cwd: 'sub' }),
          tool('Write', { file_path: 'b', content: 'x', mode: '755' }),
          tool('Bash', { command: 'ls', cwd: 'sub' }),
        ],
      },
    ],
  },
  'inputs that are no objects': {
    policy: POLICY,
    answers: [{ tools: ['null', '[1]', '{"path": ', DEEP].map((input) => tool('LS', input)) }],
  },
  'what exit codes of commands mean': {
    policy: POLICY,
    files: FILES,
    answers: ['grep nothing a.txt', 'exit 7', 'no-such-program'].map((command) => call('Bash', { command })),
  },
  'a command that changes a file which was read': {
    policy: { permissions: { allow: ['Read', 'Bash', 'Edit'] } },
    files: FILES,
    answers: [
      call('Read', { file_path: 'a.txt' }),
      call('Bash', { command: 'sed -i s/hello/HELLO/ a.txt' }),
      call('Edit', { file_path: 'a.txt', old_string: 'HELLO', new_string: 'hi' }),
    ],
  },
  'lists and notes': {
    policy: POLICY,
    answers: [
      call('TodoWrite', { todos: [todo('look', 'completed'), todo('mend', 'in_progress')] }),
      call('TaskCreate', { subject: 'first' }),
      call('TaskCreate', { subject: 'second', blockedBy: ['1'] }),
      call('TaskUpdate', { taskId: '1', addBlockedBy: ['2'] }),
      call('TaskUpdate', { taskId: '1', status: 'completed' }),
      { tools: [tool('TaskList', {}), tool('TaskGet', { taskId: '2' }), tool('Think', { thought: 'Hm.' })] },
    ],
  },
  'tools that were not offered at once': {
    policy: POLICY,
    answers: [call('Sleep', { for_ms: 1 }), call('Sleep', { duration_ms: 1 })],
  },
  'a background command that still runs at the end': {
    policy: { ...POLICY, run: { backgroundWait: '1s' } },
    answers: [call('Bash', BESIDE), { say: 'Started.' }],
  },
  'a background command that ended in time': {
    policy: POLICY,
    answers: [
      call('Bash', { command: 'echo over', run_in_background: true }),
      call('BashOutput', { bash_id: 'bash_1', block: true }),
    ],
  },
  'a background command that the agent ends': {
    policy: POLICY,
    answers: [call('Bash', BESIDE), call('KillShell', { shell_id: 'bash_1' })],
  },
  'a background command of an agent that gives up': {
    policy: POLICY,
    answers: [call('Bash', BESIDE), call('Finish', { status: 'failed', summary: 'So.' })],
  },
  'questions to other models': {
    policy: { permissions: { allow: ['AskExpertModel', 'Architect'] }, run: { expertModel: 'claude-fable-5-1' } },
    answers: [
      call('AskExpertModel', { question: 'Which?', context: 'a or b' }),
      { say: 'b' },
      call('Architect', { prompt: 'Split the file.' }),
      { say: '1. Cut.' },
    ],
  },
  'questions to people': {
    policy: { run: { answers: { 'which database': 'Postgres' } } },
    answers: [call('AskUserQuestion', { questions: [ask('Which database?'), ask('Which colour?')] })],
  },
  'a call of an answer that was cut': {
    policy: POLICY,
    answers: [{ ...call('Bash', { command: 'echo cut > b' }), stop: 'max_tokens' }, call('LS', { path: '.' })],
  },
}

export const calls: GoldenRuns = {
  rows,
  ends: {
    task_failed: ['a background command of an agent that gives up'],
  },
}
