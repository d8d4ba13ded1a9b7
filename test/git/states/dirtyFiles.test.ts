import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { createGitRunner, findRepository, type RunGit } from '../../../src/git/own/ownGit.ts'
import { dirtyFiles } from '../../../src/git/states/dirtyFiles.ts'
import { gitAt } from '../../helpers/git.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

const runGit = createGitRunner(process.env['PATH'] ?? '')

/** A repository with the files that the lines of a shell make, and a folder `sub`. */
function makeRepository(script: string) {
  const top = makeFolder()
  const git = gitAt(top)
  const sh = (lines: string) => void execFileSync('bash', ['-ec', lines], { cwd: top })
  sh(`git init -q; mkdir sub; ${script}`)
  const commit = () => {
    git('add', '.')
    git('commit', '-qm', 'one')
    return git('rev-parse', 'HEAD')
  }
  const look = async (commit: string | null, except: readonly string[] = [], runner = runGit) => {
    const repository = findRepository(top)
    if (repository === undefined) throw new Error('no repository')
    return dirtyFiles({ ...repository, commit, runGit: runner, except })
  }
  return { top, sh, commit, look }
}

const CLEAN = { staged: [], unstaged: [], untracked: [] }

it('tells what is staged, changed, and not tracked', async () => {
  const { top, sh, commit, look } = makeRepository('echo old | tee a b sub/c; echo "*.log" > .gitignore')
  const first = commit()
  expect(await look(first)).toEqual(CLEAN)
  sh('echo new | tee a sub/c; git add a; touch fresh sub/fresh x.log own')
  const untracked = ['fresh', 'sub/fresh']
  expect(await look(first, [`${top}/own`])).toEqual({ staged: ['a'], unstaged: ['sub/c'], untracked })
})

it('compares contents, not times alone', async () => {
  const { sh, commit, look } = makeRepository('echo old > a')
  const first = commit()
  sh('touch -d @1 a')
  expect(await look(first)).toMatchObject({ unstaged: [] })
  sh('rm a')
  expect(await look(first)).toMatchObject({ unstaged: ['a'] })
})

it('names a tracked file whose kind or right to run changed, and what lies behind a link that took the place of a folder', async () => {
  const { sh, commit, look } = makeRepository('printf old | tee a b sub/c; ln -s a link')
  const first = commit()
  expect(await look(first)).toEqual(CLEAN)
  sh('chmod 755 a; ln -sf a b; ln -sfn b link; mv sub moved; ln -s moved sub')
  const unstaged = ['a', 'b', 'link', 'sub/c']
  expect(await look(first)).toEqual({ staged: [], unstaged, untracked: ['moved/c', 'sub'] })
})

it('before the first commit, all that is in the index is staged', async () => {
  const { look } = makeRepository('echo old > a; git add a; touch b')
  expect(await look(null)).toEqual({ staged: ['a'], unstaged: [], untracked: ['b'] })
})

it('shows the bytes of a name that is not UTF-8', async () => {
  const { sh, commit, look } = makeRepository(String.raw`echo old | tee $'caf\xe9' $'na\xefve'`)
  const first = commit()
  expect(await look(first)).toEqual(CLEAN)
  sh(String.raw`echo new | tee $'caf\xe9' $'\xe9t\xe9'`)
  expect(await look(first)).toEqual({ staged: [], unstaged: ['caf\\xe9'], untracked: ['\\xe9t\\xe9'] })
})

it('starts git only where the index does not say that it is what the commit has, or a pack has the commit', {
  tags: 'long',
}, async () => {
  const { sh, commit, look } = makeRepository('echo old | tee a sub/b')
  const first = commit()
  let starts = 0
  const counted: RunGit = (...given) => {
    starts++
    return runGit(...given)
  }
  const staged = async (commit: string) => (await look(commit, [], counted)).staged
  expect([await staged(first), starts]).toEqual([[], 0])
  sh('git gc -q')
  expect([await staged(first), starts]).toEqual([[], 1])
  sh('echo new > a')
  const second = commit()
  expect([await staged(second), starts]).toEqual([[], 1])
  expect(await staged(first)).toEqual(['a'])
  sh('echo new > sub/b; git add sub/b')
  expect(await staged(second)).toEqual(['sub/b'])
  sh('git rm -q --cached sub/b')
  expect([await staged(second), starts]).toEqual([['sub/b'], 4])
})

it('does not read more than 200 files that may differ', async () => {
  const { sh, commit, look } = makeRepository('echo old | tee f{0..200}')
  const first = commit()
  sh('touch -d @1 f*')
  expect(await look(first)).toEqual({ ...CLEAN, unstaged: undefined })
  sh('rm f0')
  expect(await look(first)).toEqual({ ...CLEAN, unstaged: ['f0'] })
})

it('looks at no more than 5,000 files', { tags: 'long' }, async () => {
  const { sh, look } = makeRepository('touch a; git add a; touch u{1..4999}')
  expect((await look(null)).untracked).toHaveLength(4999)
  sh('touch one-more')
  expect(await look(null)).toEqual({ staged: ['a'], unstaged: undefined, untracked: undefined })
})

it('still knows the rest where git cannot compare the index', async () => {
  const { sh, commit, look } = makeRepository('echo old > a')
  const first = commit()
  sh('touch b; git add b; touch c')
  const nothing = { staged: undefined, unstaged: [], untracked: ['c'] }
  expect(await look(first, [], async () => undefined)).toEqual(nothing)
  expect(await look(first, [], () => Promise.reject(new Error('no git')))).toEqual(nothing)
})

it('knows nothing of an index that it cannot read, and asks for no content of a submodule', async () => {
  const { sh, commit, look } = makeRepository('echo old > a')
  const first = commit()
  sh(`git update-index --add --cacheinfo 160000,${first},lib; mkdir lib`)
  expect(await look(first)).toEqual({ staged: ['lib'], unstaged: [], untracked: [] })
  sh('echo no index > .git/index')
  expect(await look(first)).toEqual({})
})
