import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gitFolderOf, gitPlaces, repositoryAbove } from '../../../src/git/places/gitPlaces.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'
import { gitAt } from '../../helpers/git.ts'

/** A repository's own folder, as far as it is known by its parts. */
const GIT = { HEAD: 'ref: refs/heads/main\n', 'objects/': '' }
const within = (folder: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]))
const guarded = (git: string) => [`${git}/hooks/`, `${git}/info/`, `${git}/config`, `${git}/commondir`]

describe('what git runs, and what points git to it', () => {
  it('is in the repository of the workspace', () => {
    const top = makeFiles(within('.git', GIT))
    const git = join(top, '.git')
    expect(gitPlaces(top)).toEqual({ folder: undefined, protect: guarded(git), configs: [`${git}/config`] })
  })

  it('is in those of its submodules too, however deep and under whatever name', () => {
    const top = makeFiles({
      ...within('.git', GIT),
      ...within('.git/modules/libs/deep/one', GIT),
      ...within('.git/modules/libs/deep/one/modules/third/party/of/others/two', GIT),
      ...{ '.git/modules/notes': 'a file', '.git/modules/empty/': '' },
    })
    const [git, one] = [join(top, '.git'), join(top, '.git/modules/libs/deep/one')]
    const all = [git, one, `${one}/modules/third/party/of/others/two`]
    expect(gitPlaces(top)).toEqual({
      folder: undefined,
      protect: all.flatMap(guarded),
      configs: all.map((folder) => `${folder}/config`),
    })
  })

  it('is what worktrees have, where it is there', () => {
    const top = makeFiles({
      ...within('.git', { ...GIT, 'config.worktree': '' }),
      ...{ '.git/worktrees/a/commondir': '../..', '.git/worktrees/b/HEAD': '' },
    })
    const git = join(top, '.git')
    expect(gitPlaces(top).protect).toEqual([
      ...guarded(git),
      ...[`${git}/config.worktree`, `${git}/worktrees/a/commondir`],
    ])
  })

  it('of a folder without a repository is one that somebody makes there', () => {
    const top = makeFiles()
    expect(gitPlaces(top)).toEqual({ folder: undefined, protect: [`${top}/.git/`], configs: [] })
  })

  it('of a part of a repository is the one above, where its commits go', () => {
    const top = makeFiles({ ...within('.git', GIT), 'a/b/': '' })
    const git = join(top, '.git')
    expect(gitPlaces(join(top, 'a/b'))).toEqual({
      ...{ folder: git, protect: [`${top}/a/b/.git/`, ...guarded(git)], configs: [`${git}/config`] },
    })
  })

  it('of a part of what only looks like a worktree is no repository', () => {
    const top = makeFiles({ 'a/.git': 'gitdir: nowhere', 'a/b/': '' })
    expect(gitPlaces(join(top, 'a/b')).folder).toBeUndefined()
  })

  it('of a worktree, and of a part of it, is the repository that knows it', () => {
    const top = makeFiles()
    const git = gitAt(top)
    git('init', '-q', 'main')
    git('-C', 'main', 'commit', '-q', '--allow-empty', '-m', 'one')
    git('-C', 'main', 'worktree', 'add', '-q', '../tree')
    const common = join(top, 'main/.git')
    const places = [...guarded(common), `${common}/worktrees/tree/commondir`]
    expect(gitPlaces(join(top, 'tree'))).toEqual({
      ...{ folder: common, protect: [`${top}/tree/.git`, ...places], configs: [`${common}/config`] },
    })
    // Since git 2.48 the two may name each other by relative paths.
    writeFileSync(join(top, 'tree/.git'), 'gitdir: ../main/.git/worktrees/tree\n')
    expect(gitPlaces(join(top, 'tree')).folder).toBe(common)
    mkdirSync(join(top, 'tree/part'))
    expect(gitPlaces(join(top, 'tree/part'))).toMatchObject({
      ...{ folder: common, protect: [`${top}/tree/part/.git/`, `${top}/tree/.git`, ...places] },
    })
    expect(gitFolderOf(join(top, 'tree'))).toBe(`${common}/worktrees/tree`)
    // Whoever moves it, or copies its file, has no part of the repository any more.
    renameSync(join(top, 'tree'), join(top, 'moved'))
    expect(gitPlaces(join(top, 'moved'))).toEqual({
      ...{ folder: undefined, protect: [`${top}/moved/.git`], configs: [`${top}/moved/.git/config`] },
    })
  })

  it.each([
    ['one without objects', { 'other/.git/HEAD': '' }],
    ['one without a head', { 'other/.git/objects/': '' }],
    ['one that is not there', {}],
  ])('is never in a folder that a file names, as %s', (_, files) => {
    const top = makeFiles({ ...files, 'part/': '' })
    const own = join(top, 'own')
    mkdirSync(own)
    writeFileSync(join(top, 'part/.git'), `gitdir: ${own}\n`)
    writeFileSync(join(own, 'gitdir'), `${top}/part/.git\n`)
    writeFileSync(join(own, 'commondir'), `${top}/other/.git\n`)
    expect(gitPlaces(join(top, 'part'))).toEqual({
      ...{ folder: undefined, protect: [`${top}/part/.git`], configs: [`${top}/part/.git/config`] },
    })
  })

  it.each([
    ['in the workspace is its own', 'work/store', true, GIT],
    ['outside is none that commands could write', 'store', false, GIT],
    ['without a head is none', 'work/store', false, { 'objects/': '' }],
    ['without objects is none', 'work/store', false, { HEAD: '' }],
  ])('of a separate repository %s', (_, folder, isOwn, files) => {
    const top = makeFiles({
      ...within(folder, files),
      'work/.git': `gitdir: ${folder === 'store' ? '../store' : 'store'}\n`,
    })
    const git = join(top, 'work/.git')
    expect(gitPlaces(join(top, 'work'))).toEqual({
      folder: undefined,
      protect: [git, ...(isOwn ? guarded(join(top, folder)) : [])],
      configs: [`${git}/config`, ...(isOwn ? [join(top, folder, 'config')] : [])],
    })
  })

  it('is the link itself, where that is in its place', () => {
    const top = makeFiles({ ...within('store', GIT), 'work/.git': '-> ../store' })
    const git = join(top, 'work/.git')
    expect(gitPlaces(join(top, 'work'))).toEqual({ folder: undefined, protect: [git], configs: [`${git}/config`] })
  })
})

describe('the repository of a folder', () => {
  it('is the nearest one: a folder with a head, or a file that names one', () => {
    const top = makeFiles({ ...within('.git', GIT), 'a/.git': 'gitdir: x', 'a/b/': '', 'c/.git/': '', 'c/d/': '' })
    expect(['a/b', 'a', 'c/d', '.'].map((folder) => repositoryAbove(join(top, folder)))).toEqual([
      ...[join(top, 'a'), join(top, 'a'), top, top],
    ])
    expect(repositoryAbove('/')).toBeUndefined()
  })

  it('keeps its index in its own folder, wherever a file says that this is', () => {
    const top = makeFiles({ ...within('.git', GIT), ...within('x/store', GIT), 'x/.git': 'gitdir: store\n', 'y/': '' })
    expect(['.', 'x', 'y'].map((folder) => gitFolderOf(join(top, folder)))).toEqual([
      ...[join(top, '.git'), join(top, 'x/store'), undefined],
    ])
  })
})
