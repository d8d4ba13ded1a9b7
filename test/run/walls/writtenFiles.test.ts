import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { call, serveTurns } from '../../helpers/model/serveTurns.ts'
import { runCli, startCli } from '../../helpers/runs/cliRun.ts'
import { sampled } from '../../helpers/sampled.ts'

const READ_ONLY = 'version: 1\npermissions: { presets: [read-only] }\n'

describe('what a run prints', () => {
  it('fails if stdout cannot be written: the answer was not delivered', { tags: 'long' }, async () => {
    const server = await serveTurns({ say: 'done' }, { say: 'done' })
    const full = await runCli(['x'], { server, through: ['sh', '-c', 'exec "$@" > /dev/full', 'sh'] })
    expect([full.code, full.stderr]).toEqual([74, expect.stringContaining('stdout cannot be written: ENOSPC')])
    const silent = await runCli(['x'], { server, through: ['sh', '-c', 'exec "$@" 2> /dev/full', 'sh'] })
    expect([silent.code, silent.stdout]).toEqual([0, 'done\n'])
  })

  it('completes when stdout is closed', { tags: 'long' }, async () => {
    const server = await serveTurns(call('LS', { path: '.' }), { say: 'done' })
    const run = startCli(['x', '--output-format', 'stream-json'], { server, policy: READ_ONLY })
    run.child.stdout?.destroy()
    expect((await run.ended()).code).toBe(0)
  })
})

describe('the files that a run writes on request', () => {
  it('fail the run if they cannot be written', async () => {
    const server = await serveTurns({ say: 'done' })
    const run = await runCli(['x', '-o', '/dev/full'], { server })
    expect([run.code, run.stderr]).toEqual([74, expect.stringContaining('--output-last-message /dev/full')])
  })

  it.each([
    [
      'a folder that is not there',
      ['-o', join(import.meta.dirname, 'no/such folder/answer.txt')],
      /--output-last-message .* there is no folder/,
    ],
    ['a folder in its place', ['-o', '/tmp'], /--output-last-message \/tmp: it is a folder/],
    ['a file for a folder', ['-o', '/dev/null/answer.txt'], /--output-last-message \/dev\/null\/answer\.txt/],
  ])('prevent the start if they cannot be created: %s', async (_, flags, message) => {
    const server = await serveTurns()
    const run = await runCli(['x', ...flags], { server })
    expect([run.code, run.stderr, server.requests]).toEqual([73, expect.stringMatching(message), []])
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
    const server = code === 0 ? await serveTurns({ say: 'done' }) : await serveTurns()
    const path = join(folder, place)
    const run = await (name.startsWith('--')
      ? runCli(['x', name, path], { server })
      : runCli(['x'], { server, env: { [name]: path }, hasSummary: false }))
    expect([run.code, run.stderr]).toEqual([code, expect.stringContaining(words)])
  })

  it('add nothing to a full summary, and keep the exit code', { tags: 'long' }, async () => {
    const folder = makeFolder()
    const path = join(folder, 'summary.md')
    writeFileSync(path, 'x'.repeat(1_048_576))
    const server = await serveTurns({ say: 'done' })
    const run = await runCli(['x'], { server, env: { GITHUB_STEP_SUMMARY: path }, hasSummary: false })
    expect([run.code, readFileSync(path, 'utf8').length]).toEqual([0, 1_048_576])
    expect(run.stderr).toContain('full')
  })

  it('include the state folder, which moves to the temporary folder if home is not writable', {
    tags: 'long',
  }, async () => {
    const server = await serveTurns({ say: 'done' })
    const run = await runCli(['x', '--lock', 'one'], { server, env: { HOME: '/proc' } })
    expect([run.code, run.result().warnings]).toEqual([
      0,
      expect.arrayContaining([expect.stringContaining('the state folder /proc/')]),
    ])
  })
})
