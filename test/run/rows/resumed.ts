import { call } from '../../helpers/model/serveTurns.ts'
import type { GoldenRun } from '../../helpers/runs/goldenRun.ts'
import type { GoldenRuns } from '../../helpers/runs/playGolden.ts'

const WRITES = { permissions: { allow: ['Read', 'Bash', 'Edit(b)'] } }
const bash = (command: string) => call('Bash', { command })
const FIRST: GoldenRun = { policy: WRITES, args: ['--max-turns', '1'], answers: [bash('echo hi > b')] }
const OTHER = { permissions: { allow: ['Read'] } }
const DONE = [{ say: 'Done.' }]
const RESUMES = ['--resume', 'RECORD']

/** Runs that go on with another one. */
const rows: Readonly<Record<string, GoldenRun>> = {
  'a run that goes on': { ...FIRST, next: [{ policy: WRITES, args: RESUMES, prompt: '' }] },
  'a run whose policy is another one': { ...FIRST, next: [{ policy: OTHER, args: RESUMES, prompt: 'Mind the gap.' }] },
  'a run that goes on with another policy': {
    ...FIRST,
    next: [{ policy: OTHER, args: [...RESUMES, '--accept-policy-change'], prompt: 'Mind the gap.' }],
  },
  'a run that was done': { policy: WRITES, answers: DONE, next: [{ policy: WRITES, args: RESUMES, prompt: '' }] },
  'a run that was done and gets another task': {
    policy: WRITES,
    answers: DONE,
    next: [{ policy: WRITES, args: [...RESUMES, '--fork-session'], prompt: 'One thing more.', answers: DONE }],
  },
  'no such run': { policy: WRITES, args: ['--resume', 'nowhere'] },
}

export const resumed: GoldenRuns = {
  rows,
  ends: {
    config: ['a run whose policy is another one'],
    usage: ['a run that was done'],
    bad_input: ['no such run'],
  },
}
