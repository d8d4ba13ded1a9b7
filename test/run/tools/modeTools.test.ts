import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { commitAll, gitAt } from '../../helpers/git.ts'
import { bash, playRun, startPlay, write } from '../../helpers/runs/playRun.ts'

it('a worktree is removed even if a signal ends the run in it, and its changes are kept', {
  tags: 'long',
}, async () => {
  const enter = { name: 'EnterWorktree', input: { name: 'try' } }
  const run = await startPlay([enter, write('new.txt', 'new\n'), bash('sleep 61')], {
    policy: 'version: 1\npermissions: { allow: [Edit, Bash, EnterWorktree] }\n',
    args: ['--output-format', 'stream-json'],
    files: { 'a.txt': 'one\n' },
    prepare: commitAll,
  })
  await run.saw('sleep 61')
  run.child.kill('SIGTERM')
  const ended = await run.ended()
  expect(ended.code).toBe(143)
  const git = gitAt(run.project)
  expect([git('status', '--porcelain'), git('worktree', 'list').split('\n').length]).toEqual(['', 1])
  expect(existsSync(join(run.project, '.kode-worktrees'))).toBe(false)
  const artifacts = join(dirname(run.transcript), `${ended.result().session_id}-artifacts`)
  const patches = readdirSync(artifacts).map((name) => readFileSync(join(artifacts, name), 'utf8'))
  expect(patches).toEqual([expect.stringContaining('+new')])
})

it('Sleep waits, but not beyond the end of the run', { tags: 'long' }, async () => {
  const sleep = (duration_ms: unknown) => ({ name: 'Sleep', input: { duration_ms, reason: 'a deploy' } })
  const run = await playRun([sleep('20'), sleep(600_000)], { args: ['--tools', 'Sleep', '--timeout', '13s'] })
  expect(run.told[0]).toMatch(/^Waited \d+ ms\.$/)
  expect(run.told[1]).toContain('The run ends soon')
  expect(run.code).toBe(0)
})
