import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { describeModes } from '../helpers/bubblewrap.ts'
import { playRun } from '../helpers/runs/playRun.ts'

const PREPARE = `git init -q; mkdir src docs; echo a > src/a; echo a > docs/a; git add -A
  git -c user.name=a -c user.email=a@b commit -qm start; git branch other`

const bash = (command: string) => ({ name: 'Bash', input: { command } })

function policyOf(mode: string): string {
  return `version: 1\nsandbox: { mode: ${mode}, network: ${mode === 'off' ? 'open' : 'none'} }\npermissions:\n  allow: [Bash, "Edit(src/**)"]\nrun: { maxDenials: 100 }\n`
}

/** What a user gets of git's changes, where commands work on a view and where they are watched. */
describeModes('git in a run', (mode) => {
  it('keeps what rules cover, and nothing else', async () => {
    const calls = [
      'echo b > src/a; git commit -qam covered',
      'git gc -q --prune=now',
      'git config user.name x; echo c > src/a; git commit -qam again',
      'echo b > docs/a; git commit -qam uncovered',
      'git config core.fsmonitor ./x',
      'git commit -q --allow-empty -m more; git checkout -qb branch; git tag v1; git status',
    ]
    const { project, told, result, stderr } = await playRun(calls.map(bash), {
      policy: policyOf(mode),
      prepare: (cwd) => void execFileSync('bash', ['-ec', PREPARE], { cwd, stdio: 'pipe' }),
    })
    const git = (...args: string[]) => execFileSync('git', args, { cwd: project, encoding: 'utf8', stdio: 'pipe' })
    expect(told[3], stderr).toMatch(/docs\/a/)
    expect(git('log', '--format=%s').split('\n')).toEqual(['more', 'again', 'covered', 'start', ''])
    expect([git('fsck', '--strict', '--no-dangling'), git('status', '-s'), git('tag')]).toEqual(['', '', 'v1\n'])
    expect(git('branch', '--format=%(refname:short)').split('\n').sort()).toContain('branch')
    expect(git('config', '--list', '--local')).not.toMatch(/fsmonitor|user\./)
    const { changes } = result()
    expect(changes.map(({ path, by }) => [path, by?.length])).toEqual([['src/a', 2]])
  })
})
