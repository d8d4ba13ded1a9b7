import { ownIdentity } from '../../../src/lib/process/processIdentity.ts'
import { commitAll } from '../../helpers/git.ts'
import { call } from '../../helpers/model/serveTurns.ts'
import type { GoldenRun } from '../../helpers/runs/goldenRun.ts'
import type { GoldenRuns } from '../../helpers/runs/playGolden.ts'

const WRITES = { permissions: { allow: ['Read', 'Bash', 'Edit(b)'] } }
const bash = (command: string) => call('Bash', { command })
const FIRST: GoldenRun = { policy: WRITES, args: ['--max-turns', '1'], answers: [bash('echo hi > b')] }
const OTHER = { permissions: { allow: ['Read'] } }
const DONE = [{ say: 'Done.' }]
const GOES_ON = (record: string) => record.replace('echo hi > b', 'echo ho > b')
const RESUMES = ['--resume', 'RECORD']

const ONCE: GoldenRun = {
  policy: OTHER,
  args: ['--once'],
  files: { 'a.txt': 'hello\n' },
  prepare: commitAll,
  answers: DONE,
}
const AGAIN = { policy: OTHER, args: ['--once', '--transcript', 'RECORD'], answers: DONE }
const PID = /"pid":\d+/
const FIRST_LINE = /.*/

/** Runs that go on with another one. */
export const resumed: GoldenRuns = {
  'a run that goes on': { ...FIRST, next: [{ policy: WRITES, args: RESUMES, prompt: '' }] },
  'a run whose policy is another one': {
    ...FIRST,
    next: [{ policy: OTHER, args: RESUMES, prompt: 'Mind the gap.' }],
    ends: 'config',
  },
  'a run that goes on with another policy': {
    ...FIRST,
    next: [{ policy: OTHER, args: [...RESUMES, '--accept-policy-change'], prompt: 'Mind the gap.' }],
  },
  'a run that was done': {
    policy: WRITES,
    answers: DONE,
    next: [{ policy: WRITES, args: RESUMES, prompt: '' }],
    ends: 'usage',
  },
  'a run that was done and gets another task': {
    policy: WRITES,
    answers: DONE,
    next: [{ policy: WRITES, args: [...RESUMES, '--fork-session'], prompt: 'One thing more.', answers: DONE }],
  },
  'a run that has no turn left': {
    ...FIRST,
    next: [{ policy: WRITES, args: [...RESUMES, '--max-turns', '1'], prompt: '' }],
    ends: 'max_turns',
  },
  'a record that was changed': {
    ...FIRST,
    next: [{ policy: WRITES, args: RESUMES, prompt: '', edit: GOES_ON }],
    ends: 'transcript_damaged',
  },
  'a record that was changed, and is repaired': {
    ...FIRST,
    next: [{ policy: WRITES, args: [...RESUMES, '--repair'], prompt: '', edit: GOES_ON }],
  },
  'a record that ends in the middle of a call': {
    ...FIRST,
    next: [
      {
        ...{ policy: WRITES, args: [...RESUMES, '--repair'], prompt: '' },
        edit: (record) =>
          record.replace(/^.*"type":"user".*"tool_result"[\s\S]*/m, '{"v":1,"run":"x"').replace(PID, '"pid":4194305'),
      },
    ],
  },
  'a run of which nothing was recorded': {
    ...FIRST,
    next: [
      { policy: WRITES, args: RESUMES, prompt: 'Then do it now.', answers: DONE, edit: () => '' },
      { policy: WRITES, args: RESUMES, prompt: '', edit: () => '{"v":1,"run":"x","seq":1,"prev"' },
    ],
    ends: 'usage',
  },
  'a file that is no record': {
    ...FIRST,
    next: [{ policy: WRITES, args: RESUMES, prompt: 'Go on.', edit: () => 'notes' }],
    ends: 'transcript_damaged',
  },
  'once, where the task failed': {
    ...ONCE,
    answers: [call('Finish', { status: 'failed', summary: 'No.' })],
    next: [AGAIN],
  },
  'once, and another task': { ...ONCE, next: [{ ...AGAIN, prompt: 'do more' }] },
  'once, and more words': {
    ...ONCE,
    next: [{ ...AGAIN, args: [...AGAIN.args, '--append-system-prompt', 'Be brief.'] }],
  },
  'once, and another agent': { ...ONCE, next: [{ ...AGAIN, args: [...AGAIN.args, '--agent', 'Explore'] }] },
  'once, where the record was changed': {
    ...ONCE,
    next: [{ ...AGAIN, edit: (record) => record.replace('"cwd"', '"cwd" ') }],
  },
  'once, where the record has no start': {
    ...ONCE,
    next: [{ ...AGAIN, edit: (record) => record.replace(/^.*\n/, '') }],
  },
  'once, where the record has no end': {
    ...ONCE,
    next: [
      { ...AGAIN, edit: (record) => `${FIRST_LINE.exec(record)?.[0].replace(PID, '"pid":4194305')}\n{"v":1,"run":"x` },
    ],
  },
  'once, beside a run that is at work': {
    ...ONCE,
    next: [
      {
        ...AGAIN,
        edit: (record) =>
          `${JSON.stringify({ ...JSON.parse(FIRST_LINE.exec(record)?.[0] ?? ''), process: ownIdentity() })}\n`,
      },
    ],
    ends: 'locked',
  },
  'no such run': { policy: WRITES, args: ['--resume', 'nowhere'], ends: 'bad_input' },
}
