import { call } from '../../helpers/model/serveTurns.ts'
import type { GoldenRun } from '../../helpers/runs/goldenRun.ts'
import type { GoldenRuns } from '../../helpers/runs/playGolden.ts'

const POLICY = { permissions: { allow: ['Read', 'Bash', 'Edit(b)'] } }
const FILES = { 'a.txt': 'hello\n' }
const tool = (name: string, input: unknown) => ({ name, input })
const DEEP = `${'['.repeat(10_000)}${']'.repeat(10_000)}`

/** What becomes of calls that no tool can take as they are. */
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
  'a call of an answer that was cut': {
    policy: POLICY,
    answers: [{ ...call('Bash', { command: 'echo cut > b' }), stop: 'max_tokens' }, call('LS', { path: '.' })],
  },
}

export const calls: GoldenRuns = {
  rows,
  ends: {},
}
