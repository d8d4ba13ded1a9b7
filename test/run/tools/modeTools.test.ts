import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commitAll, gitAt } from '../../helpers/git.ts'
import type { CliRun } from '../../helpers/runs/cliRun.ts'
import { playRun, startPlay } from '../../helpers/runs/playRun.ts'

const write = (file_path: string, content = 'x\n') => ({ name: 'Write', input: { file_path, content } })
const bash = (command: string) => ({ name: 'Bash', input: { command } })

function withGit(project: string): void {
  writeFileSync(join(project, 'a.txt'), 'one\n')
  commitAll(project)
}

describe('plan mode', () => {
  const POLICY = 'version: 1\npermissions: { presets: [read-only], allow: [Edit, Bash] }\n'

  it('lets nothing change until it is left', async () => {
    const run = await playRun(
      [
        { name: 'EnterPlanMode', input: {} },
        write('early'),
        bash('touch early-too'),
        bash('ls'),
        { name: 'ExitPlanMode', input: { plan: 'write it' } },
        write('late'),
      ],
      { policy: POLICY, args: ['--tools', 'EnterPlanMode,ExitPlanMode,Write,Bash'] },
    )
    expect(readdirSync(run.project)).toEqual(['late'])
    expect(run.result().permission_denials).toHaveLength(2)
    expect(run.code).toBe(0)
  })
})

describe('worktrees', () => {
  const POLICY = `version: 1
permissions: { presets: [read-only], allow: ["Edit(/**)", "Bash(cat *)", EnterWorktree, ExitWorktree] }
`
  const args = ['--tools', 'EnterWorktree,ExitWorktree,Write,Read,Bash']
  const enter = { name: 'EnterWorktree', input: { name: 'try' } }

  function patchesOf(run: CliRun): string[] {
    const folder = join(dirname(run.transcript), `${run.result().session_id}-artifacts`)
    return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : []
  }

  function expectClean(project: string): void {
    expect(gitAt(project)('status', '--porcelain')).toBe('')
    expect(gitAt(project)('worktree', 'list').split('\n')).toHaveLength(1)
    expect(existsSync(join(project, '.kode-worktrees'))).toBe(false)
  }

  it('keep the project unchanged, and return the changes as a patch that applies', { tags: 'long' }, async () => {
    const run = await playRun(
      [
        enter,
        write('new.txt', 'new\n'),
        { name: 'Read', input: { file_path: 'a.txt' } },
        write('a.txt', 'two\n'),
        bash('cat a.txt'),
        write('../../outside.txt'),
        { name: 'ExitWorktree', input: {} },
        bash('cat a.txt'),
      ],
      { policy: POLICY, args, prepare: withGit },
    )
    expectClean(run.project)
    expect([run.told[4], run.told[7]]).toEqual([expect.stringContaining('two'), expect.stringContaining('one')])
    expect(existsSync(join(run.project, 'outside.txt'))).toBe(false)
    const [patch = ''] = patchesOf(run)
    execFileSync('git', ['apply'], { cwd: run.project, input: patch })
    expect(['a.txt', 'new.txt'].map((name) => readFileSync(join(run.project, name), 'utf8'))).toEqual([
      'two\n',
      'new\n',
    ])
  })

  it('are removed if the run ends in them, with their changes kept', { tags: 'long' }, async () => {
    const run = await playRun([enter, write('new.txt', 'new\n')], { policy: POLICY, args, prepare: withGit })
    expectClean(run.project)
    expect(patchesOf(run)).toEqual([expect.stringContaining('+new')])
    expect(run.result().warnings).toEqual([
      expect.stringMatching(/^The run ended in a worktree\. .*`git apply \/.*\.patch`/),
    ])
  })

  it('hold a whole run that is told so, by the rules of the project', { tags: 'long' }, async () => {
    const policy = 'version: 1\npermissions: { allow: ["Edit(src/**)", Read, "Bash(pwd)"] }\n'
    const prepare = (project: string) => {
      withGit(project)
      writeFileSync(join(project, 'a.txt'), 'not committed\n')
    }
    const turns = [
      write('src/new.txt', 'new\n'),
      write('a.txt', 'no rule\n'),
      bash('pwd'),
      { name: 'Read', input: { file_path: 'a.txt' } },
    ]
    const run = await playRun(turns, { policy, args: ['--worktree', 'try', '--tools', 'Write,Read,Bash'], prepare })
    expect(run.told[1]).toContain('not allowed')
    expect(run.told[2]).toContain(join(run.project, '.kode-worktrees/try'))
    expect(run.told[3]).toContain('one')
    expect(existsSync(join(run.project, 'src'))).toBe(false)
    expect(gitAt(run.project)('worktree', 'list').split('\n')).toHaveLength(1)
    expect(patchesOf(run)).toEqual([expect.stringContaining('+new')])
    expect(run.result().warnings).toEqual([expect.stringContaining('git apply ')])
  })

  it('cannot hold a run outside of a repository', { tags: 'long' }, async () => {
    const run = await playRun([], { args: ['-w'] })
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('--worktree: ')])
  })

  it('are removed even if a signal ends the run in them', { tags: 'long' }, async () => {
    const run = await startPlay([enter, write('new.txt', 'new\n'), bash('sleep 61')], {
      policy: 'version: 1\npermissions: { allow: [Edit, Bash, EnterWorktree] }\n',
      args: [...args, '--output-format', 'stream-json'],
      prepare: withGit,
    })
    await run.saw('sleep 61')
    run.child.kill('SIGTERM')
    const ended = await run.ended()
    expect(ended.code).toBe(143)
    expectClean(run.project)
    expect(patchesOf(ended)).toEqual([expect.stringContaining('+new')])
  })

  it('are refused without a repository', { tags: 'long' }, async () => {
    const run = await playRun([enter, write('here.txt')], { policy: POLICY, args })
    expect(run.told[0]).toMatch(/not a git repository/)
    expect(readdirSync(run.project)).toEqual(['here.txt'])
  })
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
