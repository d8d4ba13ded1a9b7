import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { describeModes } from '../../helpers/bubblewrap.ts'
import { bash, playRun } from '../../helpers/runs/playRun.ts'

/** A repository with a submodule in `lib` and one in that, of which only the outermost says who commits. */
const MAKE = `
  git init -q ../deep; git -C ../deep -c user.name=a -c user.email=a@b commit -q --allow-empty -m deep
  git init -q ../lib; cd ../lib; echo old > a; git add a
  git -c protocol.file.allow=always submodule --quiet add "$PWD/../deep" deep
  git -c user.name=a -c user.email=a@b commit -qm lib; cd "$OLDPWD"
  git init -q; git config user.name Outer; git config user.email outer@example.com
  git -c protocol.file.allow=always submodule --quiet add "$PWD/../lib" lib
  git -c protocol.file.allow=always submodule --quiet update --init --recursive
  git add -A; git commit -qm start`

const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim()

function play(mode: string, allow: readonly string[], lines: readonly string[]) {
  return playRun(
    lines.map((line) => bash(line)),
    {
      policy: { sandbox: { mode }, permissions: { allow } },
      prepare: (cwd) => execFileSync('bash', ['-ec', MAKE], { cwd }),
    },
  )
}

describeModes('a submodule is judged as the main repository is', (mode) => {
  it('a commit, a branch, a stash, and the commit of the new state around it', { tags: 'long' }, async () => {
    const run = await play(
      mode,
      ['Bash', 'Edit'],
      [
        'cd lib && echo new > b && git add b && git commit -qm "in lib"',
        'cd lib && git checkout -qb side && echo c > c && git add c && git stash -q',
        'cd lib && git stash pop -q && git commit -qm more',
        'cd lib/deep && git commit -q --allow-empty -m deeper',
        'git add lib && git commit -qm bump',
      ],
    )
    expect(run.result().permission_denials, run.told.join('\n')).toEqual([])
    const lib = `${run.project}/lib`
    expect(git(lib, 'log', '--format=%s %an')).toBe('more Outer\nin lib Outer\nlib a')
    const last = [`${lib}/deep`, run.project].map((folder) => git(folder, 'log', '-1', '--format=%s'))
    expect(last).toEqual(['deeper', 'bump'])
    const refs = run.result().refs ?? []
    const side = refs.find(({ name }) => name === 'lib:refs/heads/side')
    expect(side).toMatchObject({ commits: 2, files: ['lib/b', 'lib/c'] })
    expect(refs.map(({ name }) => name)).toContain('lib/deep:HEAD')
  })

  it.each([
    ['a file that no rule covers', 'cd lib && echo x > a && git add a && git commit -qm x'],
    ['a hook', 'cd lib && git config core.hooksPath /tmp'],
    ['a program of git', 'echo x > .git/modules/lib/hooks/post-commit'],
    ['a new submodule', 'cp -r .git/modules/lib .git/modules/more'],
  ])('nothing is kept of %s', { tags: 'long' }, async (_, line) => {
    const run = await play(mode, ['Bash', 'Edit(lib/ok/**)'], [line])
    expect(run.result().permission_denials).toHaveLength(1)
    expect(git(`${run.project}/lib`, 'log', '--format=%s')).toBe('lib')
    expect(git(run.project, 'config', '--file', '.git/modules/lib/config', '--list')).not.toContain('hookspath')
  })
})
