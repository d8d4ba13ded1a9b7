import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commitAll, gitAt } from '../../helpers/git.ts'
import { playRun, startPlay } from '../../helpers/runs/playRun.ts'

const call = (name: string, input: object) => ({ name, input: input as Record<string, unknown> })

it('a worktree is removed even if a signal ends the run in it, and its changes are kept', {
  tags: 'long',
}, async () => {
  const calls = [
    call('EnterWorktree', { name: 'try' }),
    call('Write', { file_path: 'new.txt', content: 'new\n' }),
    call('Bash', { command: 'sleep 61' }),
  ]
  const run = await startPlay(calls, {
    policy: 'version: 1\npermissions: { allow: [Edit, Bash, EnterWorktree] }\n',
    args: ['--output-format', 'stream-json'],
    prepare(project) {
      writeFileSync(join(project, 'a.txt'), 'one\n')
      commitAll(project)
    },
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

describe('Sleep', () => {
  it('waits, but not beyond the end of the run', { tags: 'long' }, async () => {
    const run = await playRun(
      [
        { name: 'Sleep', input: { duration_ms: '20' } },
        { name: 'Sleep', input: { duration_ms: 600_000, reason: 'a deploy' } },
      ],
      { args: ['--tools', 'Sleep', '--timeout', '13s'] },
    )
    expect(run.told[0]).toMatch(/^Waited \d+ ms\.$/)
    expect(run.told[1]).toContain('The run ends soon')
    expect(run.code).toBe(0)
  })
})
