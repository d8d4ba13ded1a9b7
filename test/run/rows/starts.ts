import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownIdentity } from '../../../src/lib/process/processIdentity.ts'
import { commitAll, gitAt } from '../../helpers/git.ts'
import { call } from '../../helpers/model/serveTurns.ts'
import type { GoldenRuns } from '../../helpers/runs/playGolden.ts'
import { stubServer } from '../../helpers/tools/testMcp.ts'

const READS = { permissions: { allow: ['Read'] } }
const DONE = [{ say: 'Done.' }]
const POLICY = 'version: 1\nsandbox: { mode: off }\npermissions: { allow: [Read] }\n'
const finish = (output: object) => call('Finish', { status: 'completed', summary: 'Done.', output })
const LIST = call('LS', { path: '.' })
const FIXER = '---\nname: fixer\ndescription: Fixes.\nmodel: haiku\nmaxTurns: 50\nmaxBudgetUsd: 0.5\n---\nYou fix.\n'

/** What a run starts with: options, texts of the project, and what keeps it from starting. */
export const starts: GoldenRuns = {
  'no key': { policy: READS, hasKey: false, ends: 'auth' },
  'a key, and a helper that nobody has to ask': {
    policy: { ...READS, run: { apiKeyHelper: 'exit 7' } },
    answers: DONE,
  },
  'a helper that has no key': {
    policy: { ...READS, run: { apiKeyHelper: 'echo no vault >&2; exit 7' } },
    hasKey: false,
    ends: 'auth',
  },
  'a helper whose key is refused twice': {
    policy: { ...READS, run: { apiKeyHelper: 'echo helper-key-0001-abcdefgh' } },
    ...{ hasKey: false, answers: [{ status: 401 }, { status: 401 }] },
    ends: 'auth',
  },
  'a schema that is no object': {
    policy: READS,
    args: ['--json-schema', 'list.json'],
    files: { 'list.json': '[1]' },
    ends: 'bad_input',
  },
  'a policy with a misspelled key': { policy: { permisions: {} }, ends: 'config' },
  'an unknown tool': { policy: READS, args: ['--tools', 'Read,Reed'], ends: 'usage' },
  'a schema that is none': { policy: READS, args: ['--json-schema', '{"type":"nonsense"}'], ends: 'bad_input' },
  'no prompt': { policy: READS, prompt: '', ends: 'usage' },
  'another model and how it thinks': {
    policy: READS,
    args: ['--model', 'opus', '--effort', 'low', '--thinking', 'enabled', '--verbose'],
    answers: [
      { think: 'Let me see.', ...call('LS', { path: '.' }) },
      { think: 'So it is.', say: 'Done.' },
    ],
  },
  'an older model and how it thinks': {
    policy: READS,
    args: ['--model', 'claude-haiku-4-5', '--max-thinking-tokens', '2048', '--effort', 'low'],
    answers: DONE,
  },
  'a model without a price': { policy: READS, args: ['--model', 'my-model'], answers: DONE },
  'texts for the system prompt': {
    policy: READS,
    args: ['--append-system-prompt', 'Answer in Latin.', '--tools', 'Read'],
    files: { '.claude/skills/greet/SKILL.md': '---\nname: greet\ndescription: Greets people.\n---\nHello.\n' },
    answers: DONE,
  },
  'texts for the system prompt in files': {
    policy: READS,
    args: ['--system-prompt-file', 'poet.md', '--append-system-prompt-file', 'more.md'],
    files: { 'poet.md': 'You are a poet.\n', 'more.md': 'Answer in Latin.\n' },
    answers: DONE,
  },
  'a text for the system prompt in a file that is missing': {
    policy: READS,
    args: ['--append-system-prompt-file', 'none.md'],
    ends: 'bad_input',
  },
  'a schema of an older draft': {
    policy: READS,
    args: ['--json-schema', '{"$schema":"http://json-schema.org/draft-07/schema#","required":["n"]}'],
    answers: [call('Finish', { status: 'completed', summary: 'Done.' }), finish({}), finish({ n: 1 })],
  },
  'a policy of another commit': {
    args: [
      '--policy',
      'policy.yml',
      '--policy-ref',
      'HEAD',
      '--prompt-file',
      'task.md',
      '--system-prompt-file',
      'poet.md',
    ],
    files: { 'policy.yml': POLICY, 'AGENTS.md': 'Use tabs.\n', 'task.md': 'Look.\n', 'poet.md': 'You are a poet.\n' },
    prompt: '',
    prepare(project) {
      commitAll(project)
      writeFileSync(join(project, 'policy.yml'), POLICY.replace('Read', 'Bash'))
      for (const name of ['AGENTS.md', 'task.md', 'poet.md']) writeFileSync(join(project, name), 'Obey the head.\n')
    },
    answers: [call('Bash', { command: 'ls' }), LIST],
  },
  'a policy of another commit which does not have it': {
    args: ['--policy', 'none.yml', '--policy-ref', 'HEAD'],
    files: { 'a.txt': 'hello\n' },
    prepare: commitAll,
    ends: 'config',
  },
  'another commit without a policy': { args: ['--policy-ref', 'HEAD'], ends: 'usage' },
  'a command that names files': {
    policy: READS,
    files: {
      '.claude/commands/look.md': 'Look at @a.txt, @.env and @none.\n',
      ...{ 'a.txt': 'hello\n', '.env': 'KEY=canary\n' },
    },
    prompt: '/look',
    answers: DONE,
  },
  'a system prompt of its own': {
    policy: READS,
    args: ['--system-prompt', 'You are a poet.', '--quiet'],
    answers: DONE,
  },
  'a prompt with parameters, and more on stdin': {
    policy: { ...READS, run: { params: { name: 'nobody', place: 'here' } } },
    args: ['--param', 'name=the reader'],
    prompt: 'Greet ${{ params.name }} ${{ params.place }}.',
    stdin: 'piped ${{ params.name }}',
    answers: DONE,
  },
  'instructions of the project': {
    policy: READS,
    files: {
      'AGENTS.md': 'Use tabs.\n@docs/style.md\n',
      'docs/style.md': 'No semicolons.\n',
      'CLAUDE.md': '@AGENTS.md\n',
    },
    answers: DONE,
  },
  'a skill, and one that no rule allows': {
    policy: { permissions: { allow: ['Read', 'Skill(greet)'] } },
    files: {
      '.claude/skills/greet/SKILL.md': '---\nname: greet\ndescription: Greets people.\n---\nSay hello to $ARGUMENTS.\n',
      '.claude/skills/other/SKILL.md': '---\nname: other\ndescription: Does more.\n---\nMore.\n',
    },
    answers: [call('Skill', { skill: 'greet', args: 'Ada' }), call('Skill', { skill: 'other' })],
  },
  'skills where the tool is denied': {
    policy: { permissions: { deny: ['Skill'] } },
    files: { '.claude/skills/greet/SKILL.md': '---\nname: greet\ndescription: Greets people.\n---\nHello.\n' },
    answers: DONE,
  },
  'a command of the project': {
    policy: { permissions: { allow: ['Read', 'Bash(echo *)'] } },
    files: { '.claude/commands/review.md': '---\ndescription: Reviews.\n---\nReview $1 after !`echo looking`.\n' },
    prompt: '/review a.txt',
    answers: DONE,
  },
  'an agent for the whole task': {
    policy: READS,
    args: ['--agent', 'poet'],
    files: {
      '.claude/agents/poet.md':
        '---\nname: poet\ndescription: Writes.\ntools: Read, Nope, Never\nmodel: haiku\n---\nYou are a poet.\n',
    },
    answers: DONE,
  },
  'an agent for the task, and a flag that names its model': {
    policy: READS,
    args: ['--agent', 'fixer', '--model', 'sonnet', '--max-turns', '2'],
    files: { '.claude/agents/fixer.md': FIXER },
    answers: [LIST, LIST, LIST],
    ends: 'max_turns',
  },
  'a worktree for the whole run': {
    policy: { permissions: { allow: ['Read', 'Edit(src/**)', 'Bash(pwd)'] } },
    args: ['--worktree', 'try'],
    files: { 'a.txt': 'one\n' },
    prepare(project) {
      commitAll(project)
      writeFileSync(join(project, 'a.txt'), 'not committed\n')
    },
    answers: [
      call('Write', { file_path: 'src/new.txt', content: 'new\n' }),
      call('Write', { file_path: 'b.txt', content: 'no rule\n' }),
      call('Bash', { command: 'pwd' }),
      call('Read', { file_path: 'a.txt' }),
    ],
  },
  'a worktree outside of a repository': { policy: READS, args: ['-w'], ends: 'usage' },
  'a recording, and its replay': {
    policy: READS,
    args: ['--effort', 'low', '--record', 'run.jsonl'],
    answers: [{ think: 'First I look.', ...LIST }],
    next: [
      { policy: READS, args: ['--effort', 'low', '--replay', 'run.jsonl'] },
      { policy: READS, args: ['--effort', 'high', '--replay', 'run.jsonl'] },
    ],
    ends: 'replay_mismatch',
  },
  'an agent for the task that is not there': { policy: READS, args: ['--agent', 'nobody'], ends: 'usage' },
  'a plugin': {
    policy: { permissions: { allow: ['Read', 'Skill'] }, plugins: [{ path: 'tools/greeter' }] },
    files: {
      'tools/greeter/.claude-plugin/plugin.json': '{"name":"greeter","version":"1.0.0"}',
      'tools/greeter/skills/hello/SKILL.md': '---\nname: hello\ndescription: Says hello.\n---\nHello.\n',
      'tools/greeter/hooks/hooks.json':
        '{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"echo hi"}]}]}}',
    },
    answers: DONE,
  },
  'warnings at the start': {
    policy: {
      permissions: { allow: ['Read', 'Bash', 'Bash(npm test)', 'mcp__none'] },
      redact: { env: ['GREETING'] },
    },
    env: { KODE_RUN_MAX_TURN: '3', GREETING: 'hello-hello' },
    files: { '.env': 'KEY=1\n', '.mcp.json': '{"mcpServers":{}}' },
    answers: [call('Bash', { command: 'echo $GREETING hello-hello' }), ...DONE],
  },
  'a repository with changes': {
    policy: READS,
    files: { 'a.txt': 'hello\n' },
    prepare: (project) => commitAll(project),
    answers: DONE,
  },
  'a repository with changes of each kind': {
    policy: READS,
    files: { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', '.gitignore': '*.log\n' },
    prepare(project) {
      commitAll(project)
      const git = gitAt(project)
      git('checkout', '-q', '--detach')
      for (const name of ['b.txt', 'c.txt', 'd.txt', 'e.log']) writeFileSync(join(project, name), 'changed')
      git('add', 'c.txt')
      git('rm', '-q', '--cached', 'a.txt')
    },
    answers: DONE,
  },
  'a repository without a commit': {
    policy: READS,
    files: { 'a.txt': 'a', 'b.txt': 'b' },
    prepare(project) {
      gitAt(project)('init', '-q', '-b', 'topic')
      gitAt(project)('add', 'a.txt')
    },
    answers: DONE,
  },
  'plan mode': {
    policy: READS,
    args: ['--permission-mode', 'plan'],
    answers: [call('Write', { file_path: 'b', content: 'hi' }), call('ExitPlanMode', { plan: '1. Write b.' })],
  },
  'a replay': {
    policy: READS,
    args: ['--replay', 'script.yml'],
    files: { 'script.yml': '[{"say":"Done."},{"say":"Never asked for."}]' },
    ends: 'replay_mismatch',
  },
  'a dry run': {
    policy: {
      ...READS,
      mcpServers: { stub: stubServer('few'), gone: stubServer('exit', '', { required: false }) },
      hooks: {
        PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] }],
        Stop: [{ hooks: [{ type: 'prompt', prompt: 'is it good?' }] }],
      },
    },
    args: ['--dry-run'],
    prompt: '',
  },
  'a dry run of a replay': {
    policy: { ...READS, sandbox: { mode: 'off', network: 'none' }, run: { apiKeyHelper: 'exit 7' } },
    args: ['--dry-run', '--replay', 'script.yml'],
    files: { 'script.yml': '[{"say":"Done."}]' },
    prompt: '',
  },
  'files that a killed run left in the checkout': {
    policy: { permissions: { allow: ['Bash(ls *)'] } },
    files: { '.an-aged-file.kode-run.tmp': '', '.a-fresh-file.kode-run.tmp': '' },
    prepare: (project) => utimesSync(join(project, '.an-aged-file.kode-run.tmp'), 1, 1),
    answers: [call('Bash', { command: 'ls -A' })],
  },
  'a lock, and the next run': {
    ...{ policy: READS, args: ['--lock', 'nightly'], answers: DONE },
    next: [{ policy: READS, args: ['--lock', 'nightly'], answers: DONE }],
  },
  'a lock that another run holds': {
    policy: READS,
    args: ['--lock', 'nightly'],
    prepare(project) {
      const folder = join(project, '../home/.local/state/kode-run/locks/nightly')
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, '1'), JSON.stringify(ownIdentity()))
    },
    ends: 'locked',
  },
  'a dry run as JSON': {
    policy: { ...READS, env: { pass: ['COPY', 'GREETING'] } },
    env: { ANTHROPIC_AUTH_TOKEN: 'gateway-0123456789', COPY: 'Bearer gateway-0123456789', GREETING: 'hello' },
    args: ['--dry-run', '--output-format', 'json'],
    prompt: '',
  },
  'the same task only once': {
    policy: READS,
    args: ['--once'],
    files: { 'a.txt': 'hello\n' },
    prepare: (project) => commitAll(project),
    answers: DONE,
    next: [{ policy: READS, args: ['--once', '--transcript', 'RECORD'] }],
  },
}
