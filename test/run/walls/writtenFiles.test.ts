import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { playRun, startPlay } from '../../helpers/runs/playRun.ts'
import { sampled } from '../../helpers/sampled.ts'

describe('what a run prints', () => {
  it('fails if stdout cannot be written: the answer was not delivered', { tags: 'long' }, async () => {
    const full = await playRun([], { through: ['sh', '-c', 'exec "$@" > /dev/full', 'sh'] })
    expect([full.code, full.stderr]).toEqual([74, expect.stringContaining('stdout cannot be written: ENOSPC')])
    const silent = await playRun([], { through: ['sh', '-c', 'exec "$@" 2> /dev/full', 'sh'] })
    expect([silent.code, silent.stdout]).toEqual([0, 'done\n'])
  })

  it('completes when stdout is closed', { tags: 'long' }, async () => {
    const policy = { permissions: { presets: ['read-only'] } }
    const look = { name: 'LS', input: { path: '.' } }
    const run = await startPlay([look], { args: ['--output-format', 'stream-json'], policy })
    run.child.stdout?.destroy()
    expect((await run.ended()).code).toBe(0)
  })
})

describe('the files that a run writes on request', () => {
  it('fail the run if they cannot be written', async () => {
    const run = await playRun([], { args: ['-o', '/dev/full'] })
    const last = run.stderr.trimEnd().split('\n').slice(-2)
    expect([run.code, last]).toEqual([
      74,
      [
        expect.stringMatching(/^│ --output-last-message \/dev\/full: ENOSPC/),
        '│ exit 74 (io_error): the run completed, but an output that it was asked for is missing',
      ],
    ])
  })

  it.each([
    ['a folder that is not there', join(import.meta.dirname, 'no/such folder/answer.txt'), /.* there is no folder/],
    ['a folder in its place', '/tmp', /\/tmp: it is a folder/],
    ['a file for a folder', '/dev/null/answer.txt', /\/dev\/null\/answer\.txt/],
  ])('prevent the start if they cannot be created: %s', async (_, path, words) => {
    const run = await playRun([], { args: ['-o', path] })
    const message = expect.stringMatching(`--output-last-message ${words.source}`)
    expect([run.code, run.stderr, run.api.requests]).toEqual([73, message, []])
  })

  it.each(
    sampled(
      [
        ['--summary', 'pipe', 73, 'a pipe that nobody reads'],
        ['--output-last-message', 'pipe', 73, 'a pipe that nobody reads'],
        ['GITHUB_STEP_SUMMARY', 'pipe', 0, 'a pipe that nobody reads; the run has no summary there'],
        ['GITHUB_STEP_SUMMARY', 'none/summary.md', 0, 'there is no folder'],
      ],
      1,
    ),
  )('%s at %s ends with %i', async (name, place, code, words) => {
    const folder = makeFolder()
    execFileSync('mkfifo', [join(folder, 'pipe')])
    const path = join(folder, place)
    const isFlag = name.startsWith('--')
    const run = await playRun([], isFlag ? { args: [name, path] } : { env: { [name]: path }, hasSummary: false })
    expect([run.code, run.stderr]).toEqual([code, expect.stringContaining(words)])
  })

  it('add nothing to a full summary, and keep the exit code', { tags: 'long' }, async () => {
    const folder = makeFolder()
    const path = join(folder, 'summary.md')
    writeFileSync(path, 'x'.repeat(1_048_576))
    const run = await playRun([], { env: { GITHUB_STEP_SUMMARY: path }, hasSummary: false })
    expect([run.code, readFileSync(path, 'utf8').length]).toEqual([0, 1_048_576])
    expect(run.stderr).toContain('full')
  })

  it('include the state folder, which moves to the temporary folder if home is not writable', {
    tags: 'long',
  }, async () => {
    const run = await playRun([], { args: ['--lock', 'one'], env: { HOME: '/proc' } })
    expect(run.code).toBe(0)
    expect(run.result().warnings).toContainEqual(expect.stringContaining('the state folder /proc/'))
  })
})
