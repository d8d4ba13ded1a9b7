import { lstatSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commitAll, gitAt } from '../../helpers/git.ts'
import { bash, playRun, write } from '../../helpers/runs/playRun.ts'
import { treeOf } from '../../helpers/runs/treeOf.ts'
import { sampled } from '../../helpers/sampled.ts'

const FILES = { 'src/a': 'a\n', 'docs/a': 'a\n' }
const policyOf = (...deny: readonly string[]) => ({
  ...{ sandbox: { mode: 'off' }, permissions: { allow: ['Bash', 'Edit(src/**)'], deny } },
})
const work = [bash('sh work.sh')]

/** Makes the project a linked worktree of a repository beside it. */
function link(project: string): void {
  const main = join(project, '../main')
  mkdirSync(main)
  const git = commitAll(main)
  git('worktree', 'add', '-qb', 'other', '../linked')
  renameSync(join(main, '../linked/.git'), join(project, '.git'))
  git('worktree', 'repair', project)
}

describe('without a sandbox, what is watched', () => {
  it.each(
    sampled<[string, (project: string) => unknown, string]>(
      [
        ['a linked worktree', link, '../main/.git'],
        ['a folder of a repository', (project) => gitAt(join(project, '..'))('init', '-qb', 'main'), '../.git'],
      ],
      1,
    ),
  )('includes the git directory outside %s', { tags: 'long' }, async (_, prepare, place) => {
    let before = {}
    const run = await playRun(work, {
      policy: policyOf(),
      files: { ...FILES, 'work.sh': `echo evil > ${place}/hooks/pre-commit; git config core.fsmonitor ./x` },
      prepare(project) {
        prepare(project)
        before = treeOf(join(project, place))
      },
    })
    expect(treeOf(join(run.project, place))).toEqual(before)
    expect(run.told[0]).toMatch(/Nothing that this command changed was kept: .*\.git\/config \(modified\)/)
    expect(run.result().permission_denials).toHaveLength(1)
  })

  it('includes ignored files that are secret or denied', { tags: 'long' }, async () => {
    let before = {}
    const run = await playRun(work, {
      policy: policyOf('Edit(dist/held)'),
      files: {
        ...{ ...FILES, '.gitignore': 'dist\n.env\n', '.env': 'S=1\n', 'dist/held': 'x\n' },
        'work.sh': 'rm .env; echo evil > dist/held; echo new > dist/b',
      },
      prepare(project) {
        gitAt(project)('init', '-q')
        before = treeOf(project)
      },
    })
    expect(treeOf(run.project)).toEqual({ ...before, 'dist/b': 'new\n' })
    expect(run.told[0]).toMatch(/Nothing .* was kept: \.env \(deleted\).*dist\/held \(modified\) – denied by Edit/)
  })

  it('judges a new link by its place, not by its target', { tags: 'long' }, async () => {
    const links = 'ln -s ../docs/a src/guide; ln -s loop src/loop; ln -s ../src/a docs/l'
    const run = await playRun(work, { policy: policyOf(), files: { ...FILES, 'work.sh': links } })
    const made = ['src/guide', 'src/loop', 'docs/l'].filter((name) =>
      lstatSync(join(run.project, name), { throwIfNoEntry: false }),
    )
    expect(made).toEqual(['src/guide', 'src/loop'])
    expect(run.told[0]).toContain('Not kept: docs/l (new)')
  })
})

it('a rule follows a link that a call of the run made: its target is denied at once', async () => {
  const config = write('src/releases/1/config.yml')
  const run = await playRun([config, bash('ln -s releases/1 src/current'), config], {
    policy: policyOf('Edit(/src/current/config.yml)'),
    files: { 'src/releases/1/kept': 'x\n' },
  })
  expect(run.told.map((text) => /denied/i.test(text))).toEqual([false, false, true])
})
