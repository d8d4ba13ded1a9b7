import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commitAll } from '../../helpers/git.ts'
import { PNG } from '../../helpers/images.ts'
import { call } from '../../helpers/model/serveTurns.ts'
import type { GoldenRuns } from '../../helpers/runs/playGolden.ts'

const POLICY = { permissions: { allow: ['Read', 'Bash', 'Edit(b)'] } }
const FILES = { 'a.txt': 'hello\n' }
const tool = (name: string, input: unknown) => ({ name, input })
const DEEP = `${'['.repeat(10_000)}${']'.repeat(10_000)}`

const WORKTREES = { permissions: { allow: ['Read', 'Edit(/**)', 'Bash', 'EnterWorktree', 'ExitWorktree'] } }
const ENTER = call('EnterWorktree', { name: 'try' })
const BESIDE = { command: 'sleep 300', run_in_background: true }
const todo = (content: string, status: string) => ({ content, status, activeForm: content })
const ask = (question: string) => ({ question, header: 'x', options: [{ label: 'a' }, { label: 'b' }] })

/** What tools say that change nothing, and what becomes of calls that no tool can take as they are. */
export const calls: GoldenRuns = {
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
  'a tool that a rule denies': {
    policy: { permissions: { allow: ['Read', 'Edit'], deny: ['Write'] } },
    answers: [call('Write', { file_path: 'a', content: 'x' })],
    ends: 'blocked',
  },
  'an edit, an image, and what only looks like a text': {
    policy: { permissions: { allow: ['Read', 'Edit', 'Bash'] } },
    files: { 'b.txt': 'old\n', 'n.ipynb': '{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}' },
    prepare: (project) => writeFileSync(join(project, 'a.png'), PNG),
    answers: [
      { tools: ['a.png', 'b.txt', '/proc/self/environ'].map((file_path) => tool('Read', { file_path })) },
      call('Edit', { file_path: 'b.txt', old_string: 'old', new_string: 'new' }),
      call('Edit', { file_path: 'n.ipynb', old_string: 'a', new_string: 'b' }),
      call('Bash', { command: 'rm b.txt' }),
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
  'tools that are loaded': {
    policy: POLICY,
    answers: [
      call('ToolSearch', { query: 'select:Think,NotebookEdit' }),
      call('Think', { thought: 'Hm.' }),
      call('ToolSearch', { query: '+worktree enter' }),
    ],
  },
  'tools that are loaded by reference': {
    policy: { ...POLICY, run: { toolReferences: true, strictTools: true } },
    answers: [
      call('ToolSearch', { query: 'select:Think,Sleep' }),
      call('Think', { thought: 'Hm.' }),
      call('ToolSearch', { query: 'select:Think' }),
    ],
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
    ends: 'task_failed',
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
  'commits where git has hooks': {
    policy: { permissions: { allow: ['Bash', 'Edit'] } },
    files: { 'a.txt': 'a\n' },
    prepare(project) {
      commitAll(project)
      writeFileSync(join(project, '.git/hooks/pre-commit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    },
    answers: ['echo b > a.txt; git commit -qam b', 'echo c > a.txt; git commit -qam c'].map((command) =>
      call('Bash', { command }),
    ),
  },
  'a branch that is checked out': {
    policy: { permissions: { allow: ['Bash', 'Edit'] } },
    files: { 'a.txt': 'a\n' },
    prepare: commitAll,
    answers: [call('Bash', { command: 'git status --short; git checkout -q -b work' })],
  },
  'a memory': {
    policy: { permissions: { allow: ['MemoryRead', 'MemoryWrite'] }, memory: '../kept/memory' },
    env: { DEPLOY_TOKEN: 'deploy-0123456789' },
    answers: [
      call('MemoryRead', {}),
      call('MemoryWrite', { file_path: 'index.md', content: '- flaky: a.test.ts\nkey deploy-0123456789\n' }),
      call('MemoryWrite', { file_path: '../../project/escaped', content: 'x' }),
      call('MemoryRead', { file_path: '../../policy.yml' }),
      call('MemoryRead', {}),
    ],
    shows: ['../kept/memory/index.md'],
  },
  'files for people': {
    policy: { permissions: { presets: ['read-only'], allow: ['SendUserFile'] } },
    env: { DEPLOY_TOKEN: 'deploy-0123456789' },
    files: { 'report.md': 'all good deploy-0123456789\n', '.env': 'A=1' },
    answers: [['report.md', 'report.md'], ['../policy.yml'], ['.env']].map((files) => call('SendUserFile', { files })),
    shows: ['../RUN-artifacts/report.md', '../RUN-artifacts/report-2.md'],
  },
  'plan mode that is entered and left': {
    policy: { permissions: { allow: ['Read', 'Edit', 'Bash'] } },
    answers: [
      call('EnterPlanMode', {}),
      call('Write', { file_path: 'early', content: 'x' }),
      call('Bash', { command: 'touch early-too' }),
      call('Bash', { command: 'ls' }),
      call('ExitPlanMode', { plan: 'write it' }),
      call('Write', { file_path: 'late', content: 'x' }),
    ],
  },
  'a worktree, and its changes as a patch': {
    policy: WORKTREES,
    files: { 'a.txt': 'one\n' },
    prepare: commitAll,
    answers: [
      ENTER,
      call('Write', { file_path: 'new.txt', content: 'new\n' }),
      call('Bash', { command: 'cat a.txt; echo two > a.txt' }),
      call('Write', { file_path: '../../outside.txt', content: 'x' }),
      call('ExitWorktree', {}),
      call('Bash', { command: 'cat a.txt; ls -A' }),
    ],
    shows: ['../RUN-artifacts/worktree-try.patch'],
  },
  'a worktree that a run ends in': {
    policy: { ...WORKTREES, checks: { prepare: ['ls'], commands: ['ls | grep -q new'] } },
    files: { 'a.txt': 'one\n' },
    prepare: commitAll,
    answers: [ENTER, call('Write', { file_path: 'new.txt', content: 'new\n' })],
    shows: ['../RUN-artifacts/worktree-try.patch'],
  },
  // Neither hides what is wrong in the other.
  'a worktree beside a changed project': {
    policy: { ...WORKTREES, checks: { commands: ['test ! -e bad'], attempts: 1 } },
    prepare: commitAll,
    answers: [call('Write', { file_path: 'bad', content: '' }), ENTER],
    ends: 'checks_failed',
  },
  'a worktree with another script of its checks': {
    policy: { ...WORKTREES, checks: { commands: ['sh check.sh'], attempts: 1 } },
    files: { 'check.sh': 'exit 1\n' },
    prepare: commitAll,
    answers: [ENTER, call('Bash', { command: 'echo exit 0 > check.sh' })],
    ends: 'checks_failed',
  },
  'no worktree outside of a repository': {
    policy: WORKTREES,
    answers: [ENTER, call('Write', { file_path: 'here.txt', content: 'x' })],
  },
  'outputs that are proposed': {
    policy: {
      permissions: { allow: ['Read', 'Edit(src/**)'] },
      outputs: { comment: { max: 1 }, label: { max: 2, allow: ['bug', 'area/*'] }, pull_request: { max: 1 } },
    },
    env: { NPM_TOKEN: 'npm-secret-0123456789' },
    files: { 'README.md': 'x\n' },
    prepare: commitAll,
    answers: [
      call('Write', { file_path: 'src/a.txt', content: 'new\n' }),
      {
        tools: [
          { kind: 'comment', body: 'Fixed. The token is npm-secret-0123456789.' },
          { kind: 'label', labels: ['bug', 'area/prices'] },
          { kind: 'pull_request', title: 'Fix prices', body: 'As said.' },
          { kind: 'comment', body: 'One more.' },
        ].map((output) => tool('ProposeOutput', { output })),
      },
    ],
    shows: ['../RUN-outputs.jsonl'],
  },
  'a call of an answer that was cut': {
    policy: POLICY,
    answers: [{ ...call('Bash', { command: 'echo cut > b' }), stop: 'max_tokens' }, call('LS', { path: '.' })],
  },
}
