import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseArguments } from '../../src/config/parseArguments.ts'
import { eventsOf } from '../helpers/runs/hookRuns.ts'
import { playRun } from '../helpers/runs/playRun.ts'
import { sampled } from '../helpers/sampled.ts'

describe('a run starts', () => {
  it.each(
    sampled(
      [
        ['with an empty HOME', { HOME: '' }],
        ['with a HOME that is no path from the root', { HOME: 'here' }],
        ['with state folders that are no paths from the root', { RUNNER_TEMP: 'here', XDG_STATE_HOME: '.' }],
      ] as const,
      0,
    ),
  )('%s', async (_, env) => {
    const run = await playRun([], { env, isProcess: true })
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('exit 0 (completed)')])
  })

  it('beside programs that read its output, which are none that it left behind (needs Linux)', {
    tags: 'long',
  }, async () => {
    // The first reader is older than the run, the others are younger.
    const through = ['bash', '-c', '{ sleep 0.1; "$0" "$@"; } 2>&1 | grep . | { sleep 0.2; grep . | tee ../log; }']
    const run = await playRun([], { through, policy: { sandbox: { mode: 'off' } } })
    expect(run.code, run.stderr).toBe(0)
    expect(eventsOf(run, 'process_leaked')).toEqual([])
  })

  it('in a checkout whose package.json is a pipe that nobody writes to', { tags: 'long' }, async () => {
    const prepare = (project: string) => void execFileSync('mkfifo', [join(project, 'package.json')])
    const run = await playRun([], { prepare, isProcess: true })
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('exit 0 (completed)')])
  })
})

it.each(['constructor', 'toString', 'hasOwnProperty'])('--%s is an unknown flag', (name) => {
  expect(() => parseArguments(['go on', `--${name}`])).toThrow(`Unknown flag --${name}`)
})

it('a flag of runs that another command lacks is told apart from one that nothing has', () => {
  expect(() => parseArguments(['usage', '--ledger', 'x'])).toThrow('Unknown flag --ledger. A run takes it')
  expect(() => parseArguments(['usage', '--zzzz'])).toThrow('Unknown flag --zzzz. See kode-run --help.')
})

it.runIf(process.platform === 'linux')('what cannot be printed is not 0 (needs Linux)', () => {
  const cli = join(import.meta.dirname, '../../dist/cli.js')
  const { status, stderr } = spawnSync('sh', ['-c', `'${process.execPath}' '${cli}' --version > /dev/full`])
  expect([status, String(stderr)]).toEqual([74, expect.stringContaining('stdout cannot be written: ENOSPC')])
})
