import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { bash, type PlayedCall, type PlayedRun, playRun, write } from '../../helpers/runs/playRun.ts'

const real = spawnSync('sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).stdout.trim()
const hasBubblewrap = real !== '' && spawnSync(real, ['--ro-bind', '/', '/', 'true']).status === 0

/** Writes a bubblewrap that starts nothing once there is this file, but what this says. One that waits already still serves. */
function writeProgram(folder: string, lost: string, but = 'false'): void {
  const script = `#!/bin/sh\nif [ -e "${lost}" ] && ! ${but}; then echo "bwrap: No permissions" >&2; exit 1; fi\nexec ${real} "$@"\n`
  writeFileSync(join(folder, 'bwrap'), script, { mode: 0o755 })
}

const LOSE = write('lost', '')

type Place = Partial<Record<'checks' | 'folder' | 'but', string>> & { readonly after?: PlayedRun }

function play(calls: readonly PlayedCall[], { checks = '', folder = makeFolder(), but, after }: Place = {}) {
  return playRun(calls, {
    env: { PATH: `${folder}:${process.env['PATH']}` },
    ...(after === undefined
      ? { prepare: (project) => writeProgram(folder, join(project, 'lost'), but), files: { a: 'old\n' } }
      : { after }),
    policy: `version: 1\nsandbox: { mode: required }\npermissions: { allow: [Bash, Edit] }\n${checks}`,
  })
}

describe.skipIf(!hasBubblewrap)('a sandbox that stops starting (needs bubblewrap)', () => {
  it('ends the run as what it is, at once, and keeps what was done', { tags: 'long' }, async () => {
    const run = await play([bash('echo new > a'), LOSE, ...[1, 2, 3, 4, 5, 6].map((name) => bash(`echo ${name} > b`))])
    expect([run.code, run.result().exit_reason], run.stderr).toEqual([69, 'sandbox_unavailable'])
    expect(run.stderr.match(/The sandbox does not start any more/g)).toHaveLength(1)
    expect(run.stderr).not.toContain('echo 6')
    expect(readFileSync(join(run.project, 'a'), 'utf8')).toBe('new\n')
  })

  it('is no failed check', async () => {
    const lost = await play([LOSE], { checks: 'checks: { commands: ["true", "true", "true"] }\n' })
    expect([lost.code, lost.result().exit_reason], lost.stderr).toEqual([69, 'sandbox_unavailable'])
  })

  it('is not lost because a command fails with the words of bubblewrap', { tags: 'long' }, async () => {
    const run = await play([bash('echo "bwrap: x" >&2; exit 1'), bash('echo new > a')])
    expect([run.code, readFileSync(join(run.project, 'a'), 'utf8')]).toEqual([0, 'new\n'])
  })
})

describe.skipIf(!hasBubblewrap)('a sandbox that worked in an earlier run (needs bubblewrap)', () => {
  const said = (run: PlayedRun) => JSON.stringify(run.records.find((record) => record.type === 'system'))

  it('is not tested again; where it does not start, its first command ends the run, and the next run tests it', async () => {
    const folder = makeFolder()
    // The network of a run stands on bubblewrap too, and is made anew each time. Only a view has this descriptor.
    const but = '[ ! -e /proc/$$/fd/9 ]'
    const first = await play([bash('echo new > a')], { folder, but })
    const second = await play([bash('echo newer > a')], { folder, after: first })
    expect([first.code, second.code, readFileSync(join(first.project, 'a'), 'utf8')]).toEqual([0, 0, 'newer\n'])
    expect([first, second].map((run) => said(run).includes('tested in an earlier run'))).toEqual([false, true])
    writeFileSync(join(first.project, 'lost'), '')
    const third = await play([bash('echo lost > a'), bash('echo lost > a')], { folder, after: first })
    expect([third.code, third.result().exit_reason, third.api.requests.length]).toEqual([69, 'sandbox_unavailable', 1])
    expect(third.stderr).toContain('The sandbox does not start any more')
    const fourth = await play([bash('echo lost > a')], { folder, after: first })
    expect([fourth.code, fourth.api.requests.length]).toEqual([69, 0])
    expect(readFileSync(join(first.project, 'a'), 'utf8')).toBe('newer\n')
  })
})
