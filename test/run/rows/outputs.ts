import { call } from '../../helpers/model/serveTurns.ts'
import type { GoldenRuns } from '../../helpers/runs/playGolden.ts'

const READS = { permissions: { allow: ['Read'] } }
const look = call('Read', { file_path: 'a.txt' })
const LOOKS = { policy: READS, files: { 'a.txt': 'hello\n' }, answers: [look] }
const user = (content: string | readonly object[]) => ({
  ...{ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null },
})
const control = (id: string, request: object) => ({ type: 'control_request', request_id: id, request })
const lines = (...messages: readonly object[]) => messages.map((each) => `${JSON.stringify(each)}\n`).join('')
const STREAMS = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose', '-p']

/** What a run prints, and in which form. */
export const outputs: GoldenRuns = {
  'the result as JSON': { ...LOOKS, args: ['--output-format', 'json', '--quiet'] },
  'events as JSON': { ...LOOKS, args: ['--output-format', 'stream-json'] },
  'parts of answers as they come': {
    policy: READS,
    args: ['--output-format', 'stream-json', '--include-partial-messages'],
    answers: [{ say: 'Done.' }],
  },
  'a log with all details': { ...LOOKS, args: ['--verbose'] },
  'a log on GitHub': {
    ...LOOKS,
    env: { GITHUB_ACTIONS: 'true' },
    answers: [
      look,
      call('ReportFinding', {
        path: 'a.txt',
        line: 1,
        severity: 'warning',
        title: 'No: a, b',
        message: '100 % wrong\nSee b.',
      }),
    ],
  },
  'the last message in a file': {
    ...LOOKS,
    args: ['--output-last-message', '../last.txt', '--attest', '../statement.json'],
    shows: ['../last.txt', '../statement.json'],
  },
  'a file that cannot be written': {
    ...LOOKS,
    args: ['--output-last-message', 'a.txt/last.txt'],
    ends: 'cannot_create',
  },
  'a summary that cannot be written': { ...LOOKS, args: ['--summary', 'a.txt/summary.md'], ends: 'cannot_create' },
  'a summary on GitHub that cannot be written': {
    ...{ ...LOOKS, hasSummary: false },
    env: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: '/nowhere/summary.md' },
  },
  'a log in a file, beside a console that is quiet': {
    ...{ ...LOOKS, args: ['--quiet', '--debug-file', '../debug.log'] },
    shows: ['../debug.log'],
  },
  'a prompt beside a conversation on stdin': { policy: READS, args: STREAMS, ends: 'usage' },
  'a conversation on stdin': {
    policy: READS,
    args: STREAMS,
    prompt: '',
    stdin: lines(control('1', { subtype: 'initialize' }), user('First.'), user('Second.')),
    answers: [{ say: 'One.' }, { say: 'Two.' }],
  },
  'a message that is only an image': {
    policy: READS,
    args: STREAMS,
    prompt: '',
    stdin: lines(user([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }])),
    answers: [{ say: 'A picture.' }],
  },
  'requests on stdin that are refused': {
    policy: READS,
    args: STREAMS,
    prompt: '',
    stdin: lines(
      control('1', { subtype: 'nonsense' }),
      control('2', { subtype: 'set_permission_mode', mode: 'bypassPermissions' }),
      control('3', { subtype: 'set_permission_mode', mode: 'plan' }),
      control('4', { subtype: 'set_model', model: 'opus' }),
      { type: 'nonsense' },
      user(''),
      user('Go.'),
    ),
    answers: [{ say: 'One.' }],
  },
  'stdin that is not JSON': { policy: READS, args: STREAMS, prompt: '', stdin: 'hello\n', ends: 'bad_input' },
}
