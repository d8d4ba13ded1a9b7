import { expect, it } from 'vitest'
import type { RunEvent } from '../../../src/contracts/events.ts'
import { reportLateChanges } from '../../../src/run/effects/reportLateChanges.ts'
import { describeModes } from '../../helpers/bubblewrap.ts'
import { policyOf } from '../../helpers/policy/policyCalls.ts'
import { bash, type PlayedCall, playRun } from '../../helpers/runs/playRun.ts'
import { treeOf } from '../../helpers/runs/treeOf.ts'

const FILES = { 'src/a': 'a\n', 'docs/a': 'a\n' }
const permissions = { allow: ['Bash', 'Edit(src/**)', 'ToolSearch'] }
const wait = { name: 'BashOutput', input: { bash_id: 'bash_1', block: true } }

/** A run that starts this in the background. */
const play = (mode: string, command: string, ...calls: readonly PlayedCall[]) =>
  playRun([bash(command, { run_in_background: true }), ...calls], {
    ...{ args: ['--tools', 'Bash,BashOutput'], files: FILES },
    policy: { sandbox: { mode }, run: { backgroundWait: '1s' }, permissions },
  })

it('each late change that was put back is a warning, with what commands may change; others are none', async () => {
  const NOTHING = { state: 'watched', kept: [], scratch: {}, leftOut: [], undone: [] } as const
  const undone = [
    { change: { path: '/srv/project/docs/a', kind: 'modified', entry: 'file' }, why: 'no Edit rule covers it' },
  ]
  const session = {
    ...{ config: { cwd: '/srv/project' }, place: { policy: await policyOf({ allow: ['Edit(src/**)'] }) } },
    transactions: { effects: { look: async () => [NOTHING, { ...NOTHING, undone, of: 'bash_1' }] } },
  }
  const events: RunEvent[] = []
  for await (const event of reportLateChanges(session as never)) events.push(event)
  expect(events).toEqual([
    {
      ...{ type: 'system', subtype: 'warning', code: 'put_back' },
      message: expect.stringMatching(/^Put back what bash_1 changed: docs\/a .*Commands may change src\/\*\* and/),
    },
  ])
})

describeModes('a background command', (mode) => {
  it('is told of at the next call: what no rule covers is put back, the rest is kept', async () => {
    const run = await play(mode, 'echo b > src/a; echo b > docs/a; echo x > docs/new', wait, wait)
    expect(treeOf(run.project)).toEqual({ docs: 'folder', src: 'folder', 'src/a': 'b\n', 'docs/a': 'a\n' })
    const said = JSON.stringify(run.api.requests.at(-1)?.body.messages)
    expect(said).toMatch(/Put back what bash_1 changed: .*docs\/a \(modified\).*docs\/new \(new\)/)
    expect(run.result().permission_denials.length).toBeGreaterThan(0)
    expect(run.result().changes).toMatchObject([{ path: 'src/a', by: [expect.stringMatching(/^toolu_/)] }])
    expect(run.records).toContainEqual(expect.objectContaining({ subtype: 'integrity', unaccounted_files: [] }))
  })

  it('that runs until the end of the run leaves nothing that no rule covers', { tags: 'long' }, async () => {
    const run = await play(mode, 'echo b > docs/a; sleep 1000')
    expect(treeOf(run.project)['docs/a']).toBe('a\n')
    expect(run.records).toContainEqual(expect.objectContaining({ subtype: 'integrity', unaccounted_files: [] }))
    // Its only change was put back after the first Finish: nothing was done.
    expect([run.code, run.result().exit_reason], run.stderr).toEqual([3, 'blocked'])
  })
})
