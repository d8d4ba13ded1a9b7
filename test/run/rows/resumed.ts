import { call } from '../../helpers/model/serveTurns.ts'
import type { GoldenRun } from '../../helpers/runs/goldenRun.ts'
import type { GoldenRuns } from '../../helpers/runs/playGolden.ts'

const WRITES = { permissions: { allow: ['Read', 'Bash', 'Edit(b)'] } }
const bash = (command: string) => call('Bash', { command })
const FIRST: GoldenRun = { policy: WRITES, args: ['--max-turns', '1'], answers: [bash('echo hi > b')] }
const RESUMES = ['--resume', 'RECORD']

/** Runs that go on with another one. */
const rows: Readonly<Record<string, GoldenRun>> = {
  'a run that goes on': { ...FIRST, next: [{ policy: WRITES, args: RESUMES, prompt: '' }] },
  'a run that goes on with another policy and more words': {
    ...FIRST,
    next: [
      {
        policy: { permissions: { allow: ['Read'] } },
        args: [...RESUMES, '--fork-session'],
        prompt: 'And mind the gap.',
      },
    ],
  },
  'a run that was done': {
    policy: WRITES,
    answers: [{ say: 'Done.' }],
    next: [{ policy: WRITES, args: RESUMES, prompt: 'One thing more.', answers: [{ say: 'Done too.' }] }],
  },
  'no such run': { policy: WRITES, args: ['--resume', 'nowhere'] },
}

export const resumed: GoldenRuns = {
  rows,
  ends: {
    config: ['a run that goes on with another policy and more words'],
    bad_input: ['no such run'],
  },
}
