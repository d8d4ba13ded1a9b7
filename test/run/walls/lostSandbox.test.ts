import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type PlayedCall, playRun } from '../../helpers/runs/playRun.ts'

const real = spawnSync('sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).stdout.trim()
const hasBubblewrap = real !== '' && spawnSync(real, ['--ro-bind', '/', '/', 'true']).status === 0
const bash = (command: string): PlayedCall => ({ name: 'Bash', input: { command } })

/** Writes a bubblewrap that starts nothing once there is this file. One that waits already still serves. */
function writeProgram(folder: string, lost: string): void {
  const script = `#!/bin/sh\nif [ -e "${lost}" ]; then echo "bwrap: No permissions" >&2; exit 1; fi\nexec ${real} "$@"\n`
  writeFileSync(join(folder, 'bwrap'), script, { mode: 0o755 })
}

const LOSE: PlayedCall = { name: 'Write', input: { file_path: 'lost', content: '' } }

function play(calls: readonly PlayedCall[], checks = '') {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-bwrap-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return playRun(calls, {
    env: { PATH: `${folder}:${process.env['PATH']}` },
    prepare: (project) => writeProgram(folder, join(project, 'lost')),
    policy: `version: 1\nsandbox: { mode: required }\npermissions: { allow: [Bash, Edit] }\n${checks}`,
    files: { a: 'old\n' },
  })
}

describe.skipIf(!hasBubblewrap)('a sandbox that stops starting (needs bubblewrap)', () => {
  it('ends the run as what it is, at once, and keeps what was done', { tags: 'long' }, async () => {
    const run = await play([
      bash('echo new > a'),
      LOSE,
      ...['1', '2', '3', '4', '5', '6'].map((name) => bash(`echo ${name} > b`)),
    ])
    expect([run.code, run.result().exit_reason], run.stderr).toEqual([69, 'sandbox_unavailable'])
    expect(run.stderr.match(/The sandbox does not start any more/g)).toHaveLength(1)
    expect(run.stderr).not.toContain('echo 6')
    expect(readFileSync(join(run.project, 'a'), 'utf8')).toBe('new\n')
  })

  it('is no failed check', async () => {
    const lost = await play([LOSE], 'checks: { commands: ["true", "true", "true"] }\n')
    expect([lost.code, lost.result().exit_reason], lost.stderr).toEqual([69, 'sandbox_unavailable'])
  })

  it('is not lost because a command fails with the words of bubblewrap', { tags: 'long' }, async () => {
    const run = await play([bash('echo "bwrap: x" >&2; exit 1'), bash('echo new > a')])
    expect([run.code, readFileSync(join(run.project, 'a'), 'utf8')]).toEqual([0, 'new\n'])
  })
})
