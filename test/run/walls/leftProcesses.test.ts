import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { bash, playRun } from '../../helpers/runs/playRun.ts'
import { treeOf } from '../../helpers/runs/treeOf.ts'

const FILES = { 'src/a': 'a\n', 'docs/a': 'a\n' }
const policy = { sandbox: { mode: 'off' }, permissions: { allow: ['Bash', 'Edit(src/**)'] } }

const hasSetsid = spawnSync('setsid', ['true']).status === 0

it.skipIf(process.platform !== 'linux' || !hasSetsid)(
  'what a command leaves running, without a sandbox, ends with it, before its changes are judged (needs Linux and setsid)',
  async () => {
    const writer = "(setsid sh -c 'while :; do echo x >> docs/a; done' >/dev/null 2>&1 &)"
    const work = `${writer}; until test "$(wc -l < docs/a)" -gt 2; do :; done`
    const run = await playRun([bash(work), bash('echo b > src/a')], { policy, files: FILES })
    expect(treeOf(run.project)).toMatchObject({ 'docs/a': 'a\n', 'src/a': 'b\n' })
    expect(run.told[0]).toMatch(/Nothing that this command changed was kept: docs\/a \(modified\)/)
    expect(run.records).toContainEqual(expect.objectContaining({ subtype: 'integrity', unaccounted_files: [] }))
    expect(run.records).toContainEqual(
      expect.objectContaining({
        subtype: 'process_leaked',
        processes: expect.arrayContaining([expect.objectContaining({ killed: true })]),
      }),
    )
  },
)

it('a change without a call, without a sandbox, fails the run', { tags: 'long' }, async () => {
  const outside = await playRun([bash('sh work.sh')], {
    policy,
    files: { ...FILES, 'work.sh': 'echo evil >> ~/.bashrc\n' },
  })
  expect(outside.result()).toMatchObject({ exit_reason: 'blocked', is_error: true })
  expect(outside.result().detail).toContain('no call of the run changed them')
})
