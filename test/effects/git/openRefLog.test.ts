import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openRefLog } from '../../../src/effects/git/openRefLog.ts'
import type { Checkout } from '../../../src/effects/openCheckout.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { RUN_GIT } from '../../helpers/runs/watchedProject.ts'
import { listOf, table } from '../../helpers/table.ts'

/** Where what was prepared once is copied from. */
const prepared = makeFolder('prepared-')

const START = 'git init -q -b main; mkdir src; echo a > src/a; git add -A; git commit -qm start'

/**
 * What a script makes of the names of repositories: lines as `refs/heads/x new>moved 2 src/a`. The folders are the work
 * trees, the first one for the scripts; the repositories are in another order.
 */
async function changes(script: string, prepare = START, { folders = ['p'], runGit = RUN_GIT } = {}) {
  const base = makeFolder()
  const top = join(base, folders[0] ?? '')
  const who = ['AUTHOR', 'COMMITTER'].flatMap((name) => [`GIT_${name}_NAME=a`, `GIT_${name}_EMAIL=a@b`])
  const sh = (text: string, cwd = top) => execFileSync('env', [...who, 'bash', '-ec', text], { cwd, stdio: 'pipe' })
  const from = join(prepared, createHash('sha256').update(prepare).digest('hex'))
  if (!existsSync(from)) {
    mkdirSync(from)
    sh(prepare, from)
  }
  cpSync(from, top, { recursive: true, preserveTimestamps: true })
  const repositories = folders.toReversed().map((folder) => {
    const gitDir = join(base, folder, '.git')
    return { top: join(base, folder), gitDir, commonDir: gitDir, oidBytes: 20, shallow: '' } as const
  })
  const log = openRefLog({ repositories } as unknown as Checkout, join(base, 'own'), runGit)
  sh(script)
  const shown = (name: string | null) => name?.replace(/^[0-9a-f]{40}$/, 'commit') ?? ''
  const found = await log.changes()
  return found.map(({ name, before, now, commits, files }) =>
    `${name} ${shown(before)}>${shown(now)} ${commits} ${files.join(' ')}`.trim(),
  )
}

describe('what a run makes of names', () => {
  it.each(table`
    nothing                     | git status |
    a new branch with the files of its commits
      | git checkout -q -b x; for n in b c; do echo > src/$n; git add -A; git commit -qm $n; done; git checkout -q main
      | refs/heads/x >commit 2 src/b src/c
    a branch that moves, not HEAD with it | echo b > src/a; git commit -qam b | refs/heads/main commit>commit 1 src/a
    a branch that goes back     | git reset -q --hard HEAD~1 | refs/heads/main commit>commit 0
    one beside HEAD that moves  | git checkout -q gone; echo b > src/a; git commit -qam b; git checkout -q main
      | refs/heads/gone commit>commit 1 src/a
    names for what was there    | git branch x; git tag v | refs/heads/x >commit 0, refs/tags/v >commit 0
    an annotated tag of a new commit
      | echo b > src/a; git commit -qam b; git tag -a v -m v; git reset -q --hard HEAD~1 | refs/tags/v >commit 1 src/a
    a tag of no commit          | git tag v $(git hash-object -w --stdin < src/a) | refs/tags/v >commit 0
    a stash                     | echo b > src/a; git stash -q | refs/stash >commit 2 src/a
    names that are gone, packed or not | git tag -d old; git branch -qD gone
      | refs/heads/gone commit> 0, refs/tags/old commit> 0
    HEAD that names another branch | git checkout -q gone | HEAD refs/heads/main>refs/heads/gone 0
    HEAD that names a new commit | git checkout -q --detach; echo b > src/a; git commit -qam b
      | HEAD refs/heads/main>commit 1 src/a
    HEAD that is gone           | rm .git/HEAD | HEAD refs/heads/main> 0
    no name that leads nowhere  | echo x > .git/refs/heads/broken |
    names of other repositories, which any command can move: their commits are not looked for
      | git update-ref refs/remotes/o/x $(git commit-tree -m x HEAD^{tree}) | refs/remotes/o/x >commit null
  `)('is %s', async (_, script = '', expected = '') => {
    const commits = 'for n in m n; do echo > $n; git add $n; git commit -qm $n; done'
    const more = `git tag old; git pack-refs --all; git branch gone; ${commits}`
    expect((await changes(script, `${START}; ${more}`)).sort()).toEqual(listOf(expected))
  })

  it('is all that is in the first commit', async () => {
    expect(await changes('echo > a; git add a; git commit -qm a', 'git init -q -b main')).toEqual([
      'refs/heads/main >commit 1 a',
    ])
  })

  it('begins with what is not fetched', async () => {
    expect(await changes('for at in remotes/o/x tags/t; do git update-ref refs/$at HEAD; done')).toEqual([
      'refs/tags/t >commit 0',
      'refs/remotes/o/x >commit 0',
    ])
  })

  it('starts no git to see that nothing has moved', async () => {
    expect(await changes('true', START, { runGit: () => Promise.reject(new Error('git was started')) })).toEqual([])
  })

  it('is told with files of fifty names, however many moved', { tags: 'long' }, async () => {
    const many = 'for n in {1..60}; do git update-ref refs/heads/b$n $(git commit-tree -p HEAD -m $n HEAD^{tree}); done'
    const found = await changes(many)
    expect([found.length, found.filter((line) => line.endsWith(' null')).length]).toEqual([60, 10])
  })

  it('has the folder of a submodule in it, from the outermost repository', async () => {
    const inner = `${START}; for at in lib lib/deep; do git clone -q . $at; git -C $at checkout -q main; done`
    const commit = 'cd lib/deep; echo b > src/a; git commit -qam b; cd ../..; git branch x'
    const found = await changes(commit, inner, { folders: ['p', 'p/lib', 'p/lib/deep'] })
    expect(found).toEqual(['lib/deep:refs/heads/main commit>commit 1 lib/deep/src/a', 'refs/heads/x >commit 0'])
  })
})
