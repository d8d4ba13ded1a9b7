import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { gitFolderOf, gitPlaces, repositoryAbove } from '../../../src/git/places/gitPlaces.ts'
import { type Files, makeFiles, writeFiles } from '../../helpers/effects/makeFiles.ts'
import { commitAll } from '../../helpers/git.ts'

type Names = readonly string[]
type Scene = Readonly<Partial<Record<'git' | 'guarded' | 'also' | 'configs', Names>>> & {
  readonly files?: Readonly<Record<string, string>>
  /** The workspace; the folder of all by default. */
  readonly at?: string
  readonly folder?: string
}
const scenes: Readonly<Record<string, Scene>> = parse(readFileSync(new URL('gitPlaces.yml', import.meta.url), 'utf8'))

/** A repository's own folder, as far as it is known by its parts. */
const repository = (folder: string): Files => ({
  [`${folder}/HEAD`]: 'ref: refs/heads/main\n',
  [`${folder}/objects/`]: '',
})

it.each(Object.entries(scenes))('what git runs, and what points git to it, is in %s', (_, scene) => {
  const { git = [], files = {}, at = '', folder, guarded = [], also = [], configs = [] } = scene
  const top = makeFiles(Object.assign({}, ...git.map(repository)))
  const named = Object.entries(files).map(([name, text]) => [name, text.replaceAll('TOP', top)] as const)
  writeFiles(top, Object.fromEntries(named))
  const places = gitPlaces(join(top, at))
  const inTop = (names: Names) => names.map((name) => `${top}/${name}`).sort()
  const own = guarded.flatMap((path) => ['hooks/', 'info/', 'config', 'commondir'].map((name) => `${path}/${name}`))
  expect({ ...places, protect: places.protect.toSorted(), configs: places.configs.toSorted() }).toEqual({
    folder: folder && join(top, folder),
    protect: inTop([...own, ...also]),
    configs: inTop([...guarded.map((path) => `${path}/config`), ...configs]),
  })
})

it('a worktree as git makes it has its commits in the repository, and its index in a folder of that', () => {
  const top = makeFiles({ 'main/a': '' })
  commitAll(join(top, 'main'))('worktree', 'add', '-q', '../tree')
  const common = join(top, 'main/.git')
  expect(gitPlaces(join(top, 'tree')).folder).toBe(common)
  expect(gitFolderOf(join(top, 'tree'))).toBe(`${common}/worktrees/tree`)
})

describe('the repository of a folder', () => {
  it('is the nearest one: a folder with a head, or a file that names one', () => {
    const top = makeFiles({ ...repository('.git'), 'a/.git': 'gitdir: x', 'a/b/': '', 'c/.git/': '', 'c/d/': '' })
    const found = ['a/b', 'a', 'c/d', '.'].map((folder) => repositoryAbove(join(top, folder)))
    expect(found).toEqual([join(top, 'a'), join(top, 'a'), top, top])
    expect(repositoryAbove('/')).toBeUndefined()
  })

  it('keeps its index in its own folder, wherever a file says that this is', () => {
    const top = makeFiles({ ...repository('.git'), ...repository('x/store'), 'x/.git': 'gitdir: store\n', 'y/': '' })
    const found = ['.', 'x', 'y'].map((folder) => gitFolderOf(join(top, folder)))
    expect(found).toEqual([join(top, '.git'), join(top, 'x/store'), undefined])
  })
})
