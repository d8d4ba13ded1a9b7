import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeModes } from '../../helpers/bubblewrap.ts'
import { bash, playRun } from '../../helpers/runs/playRun.ts'

const PREPARE = `git init -q -b main; git config user.name a; git config user.email a@b; mkdir src; echo a > src/a
  git add -A; git commit -qm start; git tag old; git branch gone; git pack-refs --all`

describeModes('what a run made of branches, tags and stashes', (mode) => {
  it('is in the result, the summary and the log', { tags: 'long' }, async () => {
    const commands = [
      'git checkout -q -b work; echo b > src/b; git add src/b; git commit -qm b; echo c > src/c; git add src/c; git commit -qm c',
      'git checkout -q main; git tag v1; git branch -D gone; git tag -d old',
      'echo d > src/a; git stash -q',
    ].map((command) => bash(command))
    const run = await playRun(commands, {
      args: ['--summary', 'summary.md'],
      policy: { sandbox: { mode }, permissions: { allow: ['Bash', 'Edit'] } },
      prepare: (cwd) => execFileSync('bash', ['-ec', PREPARE], { cwd, stdio: 'pipe' }),
    })
    const refs = run.result().refs ?? []
    const of = (name: string) => refs.find((ref) => ref.name === name)
    expect(of('refs/heads/work'), run.stderr).toMatchObject({ before: null, commits: 2, files: ['src/b', 'src/c'] })
    expect(of('refs/tags/v1')).toMatchObject({ before: null, commits: 0, files: [] })
    expect([of('refs/heads/gone')?.now, of('refs/tags/old')?.now]).toEqual([null, null])
    expect(of('refs/stash')).toMatchObject({ files: ['src/a'] })
    expect([of('refs/heads/main'), of('HEAD')]).toEqual([undefined, undefined])
    expect(run.result()).toMatchObject({ changes: [], patch_note: 'no file of the work tree was changed' })
    expect(run.stderr).toMatch(/refs\/heads\/work: new at [0-9a-f]{7}, 2 new commits/)
    const summary = readFileSync(join(run.project, 'summary.md'), 'utf8')
    expect(summary).toMatch(
      /\| <code>refs\/heads\/work<\/code> \| new at \w{7} \| 2 \| <code>src\/b<\/code>, <code>src\/c<\/code> \|/,
    )
  })
})
