import { commitAll } from '../../helpers/git.ts'
import { call } from '../../helpers/model/serveTurns.ts'
import { PLAIN } from '../../helpers/runs/goldenRun.ts'
import type { GoldenRuns } from '../../helpers/runs/playGolden.ts'
import { FINISH } from '../../helpers/runs/playRun.ts'

const bash = (command: string) => call('Bash', { command })
const finish = (status: string, more = {}) => call('Finish', { status, summary: `It is ${status}.`, ...more })
const list = { name: 'LS', input: { path: '.' } }
const READS = { permissions: { allow: ['Read'] } }
const WRITES = { permissions: { allow: ['Read', 'Bash', 'Edit(b)'], deny: ['Bash(git push *)'] } }
const NUMBER = '{"type":"object","properties":{"n":{"type":"number"}},"required":["n"]}'

/** How runs end, and what is said then. */
export const endings: GoldenRuns = {
  'a task that is done': PLAIN,
  'a plain answer': { policy: READS, answers: [{ say: 'It is done.' }] },
  'a task that failed': { policy: READS, answers: [finish('failed')], ends: 'task_failed' },
  'a task that is blocked': { policy: READS, answers: [finish('blocked')], ends: 'blocked' },
  'a denied call beside work': { policy: WRITES, answers: [bash('git push origin main'), bash('echo hi > b')] },
  'only denied calls': { policy: WRITES, answers: [bash('git push origin main')], ends: 'blocked' },
  'a denied call where nothing may be changed': { policy: READS, answers: [bash('gh pr review 5 --approve')] },
  'a denied call where the mode lets it edit': {
    policy: { permissions: { allow: ['Read'], defaultMode: 'acceptEdits' } },
    answers: [bash('git push')],
    ends: 'blocked',
  },
  'a denied look where files may be changed': {
    policy: WRITES,
    answers: [call('Read', { file_path: '~/.ssh/id_rsa' })],
  },
  'a denied call beside a commit': {
    policy: { permissions: { allow: ['Bash', 'Edit'], deny: ['Bash(curl *)'] } },
    files: { 'a.txt': 'hello\n' },
    prepare: commitAll,
    answers: [bash('git checkout -q -b work; git commit -q --allow-empty -m x'), bash('curl example.com')],
  },
  'Finish after a denial, when asked for it': { policy: READS, answers: [bash('git push'), { say: 'Well.' }] },
  'no Finish after a denial': {
    policy: READS,
    answers: [bash('touch x'), { say: 'Well.' }, { say: 'Hm.' }, { say: 'No.' }],
    ends: 'blocked',
  },
  'denials fail the run': {
    policy: WRITES,
    args: ['--fail-on-denied'],
    answers: [bash('git push'), bash('echo hi > b')],
    ends: 'blocked',
  },
  'too many denials': {
    policy: READS,
    args: ['--max-denials', '2'],
    answers: [bash('touch a'), bash('touch b')],
    ends: 'denial_limit',
  },
  'an open step': {
    policy: READS,
    answers: [
      call('TodoWrite', { todos: [{ content: 'look', status: 'pending', activeForm: 'looking' }] }),
      { say: 'Let me look:' },
      { say: 'Let me look:' },
    ],
  },
  'the limit of turns': {
    policy: READS,
    args: ['--max-turns', '2'],
    answers: [{ tools: [list] }, { tools: [list] }],
    ends: 'max_turns',
  },
  'the limit of calls': {
    policy: READS,
    args: ['--max-tool-calls', '2'],
    answers: [{ tools: [list, list, list] }],
    ends: 'max_tool_calls',
  },
  'the limit of money': {
    policy: READS,
    args: ['--max-budget-usd', '0.5'],
    answers: [{ tools: [list], usage: { input_tokens: 1_000_000 } }],
    ends: 'max_budget',
  },
  'the limit of tokens': {
    policy: READS,
    args: ['--max-tokens-total', '500'],
    answers: [{ tools: [list], usage: { input_tokens: 900 } }],
    ends: 'max_budget',
  },
  'a limit of money for a model without a price': {
    policy: READS,
    args: ['--model', 'my-model', '--max-budget-usd', '1'],
    ends: 'config',
  },
  'a wait that does not end': {
    policy: READS,
    answers: Array.from({ length: 11 }, () => ({ say: 'Wait.', stop: 'pause_turn' })),
    ends: 'loop',
  },
  'a request that is refused': {
    policy: READS,
    answers: [{ status: 400, errorMessage: 'temperature: only the default' }],
    ends: 'bad_request',
  },
  'the same failing call again and again': {
    policy: READS,
    answers: Array.from({ length: 6 }, () => call('Read', { file_path: 'none' })),
    ends: 'loop',
  },
  'a refusal': { policy: READS, answers: [{ say: 'I will not.', stop: 'refusal' }], ends: 'refusal' },
  'answers that are cut': {
    policy: READS,
    answers: [1, 2, 3].map(() => ({ say: 'and', stop: 'max_tokens' })),
    ends: 'max_tokens',
  },
  'an unknown stop reason': { policy: READS, answers: [{ say: 'x', stop: 'coffee_break' }], ends: 'bad_stop_reason' },
  'empty answers': {
    policy: READS,
    answers: [
      { say: ' ', stop: 'end_turn' },
      { say: '', stop: 'end_turn' },
    ],
    ends: 'empty_answer',
  },
  'a key that is refused': {
    policy: READS,
    answers: [{ status: 401, errorType: 'authentication_error', errorMessage: 'invalid x-api-key' }],
    ends: 'auth',
  },
  'no credit': {
    policy: READS,
    answers: [{ status: 400, errorMessage: 'Your credit balance is too low' }],
    ends: 'billing',
  },
  'an unknown model': {
    policy: READS,
    args: ['--model', 'nope'],
    answers: [{ status: 404, errorMessage: 'model: nope' }],
    ends: 'config',
  },
  'a wait that is too long': {
    policy: READS,
    answers: [{ status: 429, headers: { 'retry-after': '100000' } }],
    ends: 'rate_limited',
  },
  'a limit of the API that passes': {
    policy: READS,
    answers: [{ status: 429, headers: { 'retry-after': '0' } }, FINISH],
  },
  'an answer that is cut off and asked for again': {
    policy: READS,
    answers: [{ turn: { say: 'It is do' }, cutAtByte: 700 }, { say: 'It is done.' }],
  },
  'an overloaded model that another one replaces': {
    policy: READS,
    args: ['--fallback-model', 'haiku', '--max-retry-wait', '1s'],
    answers: (request) =>
      request.body.model === 'claude-haiku-5-5' ? FINISH : { status: 529, headers: { 'retry-after': '0' } },
  },
  'a check that is mended': {
    policy: { ...WRITES, checks: { commands: ['test -f b'] } },
    answers: [FINISH, bash('echo hi > b')],
  },
  'a check that keeps failing': {
    policy: { ...READS, checks: { commands: ['echo "1 test failed"; exit 1'] } },
    answers: [FINISH, FINISH],
    ends: 'checks_failed',
  },
  'a check whose input the run changed': {
    policy: { ...WRITES, checks: { commands: ['true'], protect: ['b'] } },
    files: { b: 'old\n' },
    answers: [bash('echo new > b'), FINISH, bash('echo old > b')],
  },
  'a check that reads a file which the run may change': {
    policy: { permissions: { allow: ['Read', 'Edit(**)'] }, checks: { commands: ['true npm'], attempts: 1 } },
    files: { 'package.json': '{}\n' },
    answers: [
      call('Read', { file_path: 'package.json' }),
      call('Write', { file_path: 'package.json', content: '{ }\n' }),
    ],
    ends: 'checks_failed',
  },
  'a check that reads a file which a rule names': {
    policy: { permissions: { allow: ['Read', 'Edit(package.json)'] }, checks: { commands: ['true npm'], attempts: 1 } },
    files: { 'package.json': '{}\n' },
    answers: [
      call('Read', { file_path: 'package.json' }),
      call('Write', { file_path: 'package.json', content: '{ }\n' }),
    ],
  },
  'a signal in the middle of a check': {
    policy: { ...WRITES, checks: { commands: ['trap "exit 0" TERM; kill -TERM $PPID; sleep 60 & wait'] } },
    answers: [{ say: 'Done.' }],
    ends: 'sigterm',
  },
  'a signal in the middle of a command': {
    policy: WRITES,
    answers: [bash('kill -INT $PPID; sleep 60')],
    ends: 'sigint',
  },
  'protected files without a check': {
    policy: { ...WRITES, checks: { protect: ['b'] } },
    answers: [bash('echo new > b')],
  },
  'a limit of time that is over at once': {
    policy: READS,
    args: ['--timeout', '3s', '--output-format', 'stream-json'],
    ends: 'deadline',
  },
  'broken answers that use up the money': {
    policy: READS,
    args: ['--max-budget-usd', '1'],
    answers: [1, 2].map(() => ({
      turn: { say: 'x'.repeat(5_000), usage: { input_tokens: 300_000, output_tokens: 0 } },
      cutAtByte: 4_000,
    })),
    next: [{ policy: READS, args: ['--resume', 'RECORD', '--max-budget-usd', '1'], prompt: '' }],
    ends: 'max_budget',
  },
  'a broken answer beside the loop': {
    policy: { permissions: { allow: ['AskExpertModel'] } },
    args: ['--tools', 'AskExpertModel'],
    answers: [
      call('AskExpertModel', { question: 'why?' }),
      { turn: { say: 'x', usage: { input_tokens: 300_000, output_tokens: 0 } }, cutAtByte: 700 },
      { say: 'because' },
      { say: 'done' },
    ],
  },
  'an output that fits at the second try': {
    policy: READS,
    args: ['--json-schema', NUMBER],
    answers: [finish('completed', { output: { n: 'one' } }), finish('completed', { output: { n: 1 } })],
  },
  'an output whose form only a secret fits': {
    policy: { ...READS, redact: { env: ['GREETING'] } },
    env: { GREETING: 'hello-hello' },
    args: ['--json-schema', '{"properties":{"word":{"pattern":"^hello"},"list":{"prefixItems":[{"type":"number"}]}}}'],
    answers: [{ word: 'hello-hello' }, { list: ['one'] }, {}].map((output) => finish('completed', { output })),
  },
  'an output that never fits': {
    policy: READS,
    args: ['--json-schema', NUMBER],
    answers: [1, 2, 3].map(() => finish('completed', { output: { n: 'one' } })),
    ends: 'schema_failed',
  },
  'Finish is required': {
    policy: { ...READS, run: { requireFinish: true } },
    answers: [1, 2, 3].map(() => ({ say: 'Done.' })),
    ends: 'task_failed',
  },
  'a finding that fails the run': {
    policy: READS,
    args: ['--fail-on-finding'],
    files: { 'a.txt': 'hello\n' },
    answers: [
      call('ReportFinding', { path: 'a.txt', line: 1, severity: 'error', title: 'A greeting', message: 'Say more.' }),
    ],
    ends: 'findings',
  },
}
