import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { playRun } from '../../helpers/runs/playRun.ts'
import { sampled } from '../../helpers/sampled.ts'

const PREPARE = `git init -q; mkdir src docs; echo a > src/a; echo a > docs/a; git add -A
  git -c user.name=a -c user.email=a@b commit -qm start`
const COMMIT = 'echo b >> src/a; git commit -qam more'

const policyOf = (allow: readonly string[]) => JSON.stringify({ version: 1, permissions: { allow } })

async function play(command: string, allow: readonly string[]) {
  const run = await playRun([{ name: 'Bash', input: { command } }], {
    policy: policyOf(allow),
    files: { 'release.sh': COMMIT, 'wide.sh': `echo b > docs/a; ${COMMIT}` },
    prepare: (cwd) => void execFileSync('sh', ['-ec', PREPARE], { cwd, stdio: 'pipe' }),
  })
  const subjects = execFileSync('git', ['log', '--format=%s'], { cwd: run.project, encoding: 'utf8' })
  return { ...run, commits: subjects.trim().split('\n') }
}

describe('a commit', () => {
  it.each<[string, string, readonly string[], readonly string[]]>(
    sampled(
      [
        [
          'by git itself is kept where its paths are covered',
          COMMIT,
          ['Bash(git *)', 'Bash(echo *)'],
          ['more', 'start'],
        ],
        // `npm version` commits too: under bare `Bash` any command may be git.
        ['by a script is kept under bare Bash', 'sh release.sh', ['Bash'], ['more', 'start']],
        ['by a script is not kept where the rules do not let git start', 'sh release.sh', ['Bash(sh *)'], ['start']],
        ['with an uncovered path is not kept', 'sh wide.sh', ['Bash'], ['start']],
      ],
      2,
    ),
  )('%s', async (_name, command, allow, commits) => {
    const run = await play(command, [...allow, 'Edit(src/**)'])
    expect(run.commits, run.told[0]).toEqual(commits)
    const isKept = commits.length === 2
    expect(run.result().changes.map(({ path }) => path)).toEqual(isKept ? ['src/a'] : [])
    expect(run.told[0]?.includes('Nothing that this command changed was kept')).toBe(!isKept)
    expect(run.told[0]?.includes('Commands may change src/** and files that git ignores.')).toBe(!isKept)
  })
})
