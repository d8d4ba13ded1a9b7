import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createGitRunner, findRepository, type RunGit } from '../../../src/git/own/ownGit.ts'
import { dirtyFiles } from '../../../src/git/states/dirtyFiles.ts'
import { gitAt } from '../../helpers/git.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

function makeRepository() {
  const top = makeFolder()
  const git = gitAt(top)
  const write = (name: string, text: string) => writeFileSync(Buffer.from(join(top, name), 'latin1'), text)
  git('init', '-q')
  mkdirSync(join(top, 'sub'))
  const commit = () => {
    git('add', '.')
    git('commit', '-qm', 'one')
    return git('rev-parse', 'HEAD')
  }
  const look = async (commit: string | null, except: readonly string[] = [], runGit?: RunGit) => {
    const repository = findRepository(top)
    if (repository === undefined) throw new Error('no repository')
    const runner = runGit ?? createGitRunner(process.env['PATH'] ?? '')
    return dirtyFiles({ ...repository, commit, runGit: runner, except })
  }
  return { top, git, write, commit, look }
}

it('tells what is staged, changed, and not tracked', async () => {
  const { top, git, write, commit, look } = makeRepository()
  for (const name of ['a', 'b', 'sub/c']) write(name, 'old')
  write('.gitignore', '*.log')
  const first = commit()
  expect(await look(first)).toEqual({ staged: [], unstaged: [], untracked: [] })
  write('a', 'new')
  git('add', 'a')
  write('sub/c', 'new')
  for (const name of ['fresh', 'sub/fresh', 'x.log', 'own']) write(name, '')
  const untracked = ['fresh', 'sub/fresh']
  expect(await look(first, [join(top, 'own')])).toEqual({ staged: ['a'], unstaged: ['sub/c'], untracked })
})

it('compares contents, not times alone', async () => {
  const { top, write, commit, look } = makeRepository()
  write('a', 'old')
  const first = commit()
  utimesSync(join(top, 'a'), 1, 1)
  expect(await look(first)).toMatchObject({ unstaged: [] })
  rmSync(join(top, 'a'))
  expect(await look(first)).toMatchObject({ unstaged: ['a'] })
})

it('names a tracked file whose kind or right to run changed, and what lies behind a link that took the place of a folder', async () => {
  const { top, write, commit, look } = makeRepository()
  for (const name of ['a', 'b', 'sub/c']) write(name, 'old')
  symlinkSync('a', join(top, 'link'))
  const first = commit()
  expect(await look(first)).toEqual({ staged: [], unstaged: [], untracked: [] })
  chmodSync(join(top, 'a'), 0o755)
  rmSync(join(top, 'b'))
  symlinkSync('a', join(top, 'b'))
  rmSync(join(top, 'link'))
  symlinkSync('b', join(top, 'link'))
  renameSync(join(top, 'sub'), join(top, 'moved'))
  symlinkSync('moved', join(top, 'sub'))
  expect(await look(first)).toEqual({
    staged: [],
    unstaged: ['a', 'b', 'link', 'sub/c'],
    untracked: ['moved/c', 'sub'],
  })
})

it('before the first commit, all that is in the index is staged', async () => {
  const { git, write, look } = makeRepository()
  write('a', 'old')
  git('add', 'a')
  write('b', '')
  expect(await look(null)).toEqual({ staged: ['a'], unstaged: [], untracked: ['b'] })
})

it('shows the bytes of a name that is not UTF-8', async () => {
  const { write, commit, look } = makeRepository()
  for (const name of ['caf\xe9', 'na\xefve']) write(name, 'old')
  const first = commit()
  expect(await look(first)).toEqual({ staged: [], unstaged: [], untracked: [] })
  write('caf\xe9', 'new')
  write('\xe9t\xe9', 'new')
  expect(await look(first)).toEqual({ staged: [], unstaged: ['caf\\xe9'], untracked: ['\\xe9t\\xe9'] })
})

it('starts git only where the index does not say that it is what the commit has, or a pack has the commit', {
  tags: 'long',
}, async () => {
  const { git, write, commit, look } = makeRepository()
  write('a', 'old')
  write('sub/b', 'old')
  const first = commit()
  let starts = 0
  const real = createGitRunner(process.env['PATH'] ?? '')
  const counted: RunGit = (...given) => {
    starts++
    return real(...given)
  }
  expect(await look(first, [], counted)).toMatchObject({ staged: [] })
  expect(starts).toBe(0)
  git('gc', '-q')
  expect(await look(first, [], counted)).toMatchObject({ staged: [] })
  expect(starts).toBe(1)
  write('a', 'new')
  const second = commit()
  expect(await look(second, [], counted)).toMatchObject({ staged: [] })
  expect(starts).toBe(1)
  expect(await look(first, [], counted)).toMatchObject({ staged: ['a'] })
  write('sub/b', 'new')
  git('add', 'sub/b')
  expect(await look(second, [], counted)).toMatchObject({ staged: ['sub/b'] })
  git('rm', '-q', '--cached', 'sub/b')
  expect(await look(second, [], counted)).toMatchObject({ staged: ['sub/b'] })
  expect(starts).toBe(4)
})

it('does not read more than 200 files that may differ', async () => {
  const { top, write, commit, look } = makeRepository()
  const names = Array.from({ length: 201 }, (_, number) => `f${number}`)
  for (const name of names) write(name, 'old')
  const first = commit()
  for (const name of names) utimesSync(join(top, name), 1, 1)
  expect(await look(first)).toEqual({ staged: [], unstaged: undefined, untracked: [] })
  rmSync(join(top, 'f0'))
  expect(await look(first)).toEqual({ staged: [], unstaged: ['f0'], untracked: [] })
})

it('looks at no more than 5,000 files', { tags: 'long' }, async () => {
  const { git, write, look } = makeRepository()
  write('a', '')
  git('add', 'a')
  for (let number = 1; number < 5000; number++) write(`u${number}`, '')
  expect((await look(null)).untracked).toHaveLength(4999)
  write('one-more', '')
  expect(await look(null)).toEqual({ staged: ['a'], unstaged: undefined, untracked: undefined })
})

it('still knows the rest where git cannot compare the index', async () => {
  const { git, write, commit, look } = makeRepository()
  write('a', 'old')
  const first = commit()
  write('b', '')
  git('add', 'b')
  write('c', '')
  const nothing = { staged: undefined, unstaged: [], untracked: ['c'] }
  expect(await look(first, [], async () => undefined)).toEqual(nothing)
  expect(await look(first, [], () => Promise.reject(new Error('no git')))).toEqual(nothing)
})

it('knows nothing of an index that it cannot read, and asks for no content of a submodule', async () => {
  const { top, git, write, commit, look } = makeRepository()
  write('a', 'old')
  const first = commit()
  git('update-index', '--add', '--cacheinfo', `160000,${first},lib`)
  mkdirSync(join(top, 'lib'))
  expect(await look(first)).toEqual({ staged: ['lib'], unstaged: [], untracked: [] })
  write('.git/index', 'no index')
  expect(await look(first)).toEqual({})
})
