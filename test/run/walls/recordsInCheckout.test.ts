import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { TranscriptRecord } from '../../../src/contracts/events.ts'
import { bash, playRun, read } from '../../helpers/runs/playRun.ts'
import { sampled } from '../../helpers/sampled.ts'

const MODES = [
  ['auto', 'what lies beside the views is compared at the end'],
  ['off', 'what changes while a command runs is compared, and put back where it is refused'],
]

it.each(sampled(MODES, 1))(
  'records that lie in the checkout and grow while commands run are no changes, and stay intact: sandbox %s, %s',
  { tags: 'long' },
  async (mode) => {
    const run = await playRun(
      [
        ...[bash('sleep 60', { run_in_background: true }), bash('echo a > src/a.txt')],
        ...[read('src/a.txt'), bash('echo b > src/b.txt')],
      ],
      {
        policy: `version: 1\npermissions: { allow: [Bash, "Edit(src/**)"] }\nsandbox: { mode: ${mode} }\nrun: { backgroundWait: 1s }\n`,
        files: { 'src/c.txt': 'c\n' },
        args: ['--transcript', 'run.jsonl', '--record', 'record.yml'],
      },
    )
    const text = readFileSync(join(run.project, 'run.jsonl'), 'utf8')
    const records: readonly TranscriptRecord[] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(records.map(({ seq }) => seq)).toEqual(records.map((_, index) => index + 1))
    expect(records.at(-1)).toMatchObject({ exit_reason: 'completed', permission_denials: [] })
    expect(records).toContainEqual(expect.objectContaining({ subtype: 'integrity', unaccounted_files: [] }))
    expect(readFileSync(join(run.project, 'record.yml'), 'utf8')).toContain('src/b.txt')
  },
)
