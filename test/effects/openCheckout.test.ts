import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createScratchLookup, createTrackedReader, type ScratchOptions } from '../../src/effects/openCheckout.ts'
import type { CheckoutRepository } from '../../src/git/repository/findRepositories.ts'
import { type Files, makeFiles } from '../helpers/effects/makeFiles.ts'
import { makeIndex } from '../helpers/effects/makeIndex.ts'

const repositoryAt = (top: string, more: Partial<CheckoutRepository> = {}): CheckoutRepository => ({
  ...{ top, gitDir: join(top, '.git'), commonDir: join(top, '.git'), oidBytes: 20, shallow: '' },
  ...more,
})

/** A folder `p`, which is a repository unless the options say otherwise, and a lookup of paths that are relative to it. */
function lookup(files: Files, options: (folder: string) => Partial<ScratchOptions> = () => ({})) {
  const folder = makeFiles(files)
  const root = join(folder, 'p')
  const find = createScratchLookup({
    roots: [root],
    repositories: [repositoryAt(root)],
    before: (path) => path,
    readTracked: createTrackedReader(),
    ...options(folder),
  })
  return (path: string) => {
    const full = join(root, path)
    return find(full.replace(/\/$/, ''), path.endsWith('/'))?.slice(root.length + 1)
  }
}

describe('what is scratch in a repository', () => {
  it('is what git ignores and does not track', () => {
    const at = lookup({ 'p/.gitignore': 'dist\n*.log', 'p/.git/index': makeIndex(['a.log', 'dist/kept', 'src/x']) })
    expect(['dist/x', 'dist/sub/', 'b.log', 'src/y', 'node_modules/x'].map(at)).toEqual([
      ...['dist', 'dist', 'b.log'],
      ...[undefined, undefined],
    ])
    expect(['a.log', 'dist/kept', 'dist/', 'dist/keptt'].map(at)).toEqual([undefined, undefined, undefined, 'dist'])
  })

  it('is everything that is ignored, where there is no index', () => {
    const at = lookup({ 'p/.gitignore': 'dist', 'p/.git/HEAD': 'x' })
    expect([at('dist/x'), at('dist/')]).toEqual(['dist', 'dist'])
  })

  it('is nothing if the index cannot be read: git may track everything', () => {
    const at = lookup({ 'p/.gitignore': 'dist', 'p/.git/index': 'x' })
    expect([at('dist/x'), at('dist/')]).toEqual([undefined, undefined])
  })

  it('is nothing below the folders that a sparse index names', () => {
    const at = lookup({
      'p/.gitignore': 'dist\nout',
      'p/.git/index': makeIndex([{ path: 'dist/sub/', mode: 0o040000 }], { version: 3, extensions: { sdir: '' } }),
    })
    expect(['dist/sub/x', 'dist/sub/', 'dist/', 'dist/x', 'dist/other/', 'out/'].map(at)).toEqual([
      ...[undefined, undefined, undefined],
      ...['dist', 'dist', 'out'],
    ])
  })

  it('is not decided by the case or the end of another path', () => {
    const at = lookup({ 'p/.gitignore': 'dist*', 'p/.git/index': makeIndex(['dist/a/b']) })
    expect(['dist/a/b/c', 'dist/a/', 'dist/a', 'dista/', 'dist-x/'].map(at)).toEqual([
      ...['dist', undefined, 'dist', 'dista', 'dist-x'],
    ])
  })

  it('is also what info/exclude names', () => {
    const at = lookup({ 'p/.git/info/exclude': 'mine', 'p/.git/HEAD': 'x' })
    expect([at('mine'), at('other')]).toEqual(['mine', undefined])
  })

  it('is judged by the state before the command', () => {
    const files = { 'p/.gitignore': 'now', 'old/.gitignore': 'before', 'old/.git/index': makeIndex(['before/kept']) }
    const at = lookup({ ...files, 'p/.git/index': makeIndex(['before/x']) }, (folder) => ({
      before: (path) => path.replace(join(folder, 'p'), join(folder, 'old')),
    }))
    expect(['before/x', 'now', 'before/kept'].map(at)).toEqual(['before', undefined, undefined])
  })

  it('is judged by the top of the repository, also above the root', () => {
    const at = lookup({ '.gitignore': '/p/dist', '.git/index': makeIndex(['p/dist/kept']) }, (folder) => ({
      repositories: [repositoryAt(folder)],
    }))
    expect([at('dist/x'), at('dist/kept'), at('x')]).toEqual(['dist', undefined, undefined])
  })

  it('counts the hashes of a SHA-256 repository', () => {
    const at = lookup(
      { 'p/.gitignore': 'dist', 'p/.git/index': makeIndex(['dist/kept'], { oidBytes: 32 }) },
      (folder) => ({ repositories: [repositoryAt(join(folder, 'p'), { oidBytes: 32 })] }),
    )
    expect([at('dist/x'), at('dist/kept')]).toEqual(['dist', undefined])
  })
})

describe('what is scratch outside of a repository', () => {
  const outside = () => ({ repositories: [] })

  it('is what .gitignore files name, and the folders of package managers', () => {
    const at = lookup({ 'p/.gitignore': 'dist' }, outside)
    const paths = ['dist/x', 'node_modules/x', '.venv/x', 'a/__pycache__/x', 'src/x']
    expect(paths.map(at)).toEqual(['dist', 'node_modules', '.venv', 'a/__pycache__', undefined])
  })

  it('is nothing outside of the roots', () => {
    const at = lookup({ '.gitignore': '*' }, outside)
    expect([at('../x'), at('../pp/node_modules/x')]).toEqual([undefined, undefined])
  })
})

describe('a worktree of the run', () => {
  const FILES: Files = {
    'p/.gitignore': '.kode-worktrees\nof-main',
    'p/.git/index': makeIndex(['of-main/kept']),
    'p/.git/worktrees/one/index': makeIndex(['dist/kept']),
    'p/.git/info/exclude': 'shared',
    'p/.kode-worktrees/one/.gitignore': 'dist',
    'p/.kode-worktrees/two/.gitignore': 'out',
  }
  const inOne = (names: readonly string[]) => names.map((name) => `.kode-worktrees/one/${name}`)

  it('ignores what its own files say, and tracks what its own index says', () => {
    const at = lookup(FILES, () => ({ looksIntoWorktrees: true }))
    expect(inOne(['dist/x', 'dist/kept', 'src/x', 'of-main/x', 'shared/x', 'out/x']).map(at)).toEqual([
      ...['.kode-worktrees/one/dist', undefined, undefined, undefined, '.kode-worktrees/one/shared', undefined],
    ])
    expect(at('.kode-worktrees/two/out/x')).toBe('.kode-worktrees/two/out')
    expect([at('of-main/x'), at('of-main/kept')]).toEqual(['of-main', undefined])
  })

  it('is itself what git ignores, as is the folder that holds it', () => {
    const at = lookup(FILES, () => ({ looksIntoWorktrees: true }))
    expect(['.kode-worktrees/one/', '.kode-worktrees/', '.kode-worktrees/one'].map(at)).toEqual(
      Array(3).fill('.kode-worktrees'),
    )
  })

  it('is ignored with all that is in it where nobody looks into it', () => {
    const at = lookup(FILES)
    expect(inOne(['dist/x', 'src/x']).map(at)).toEqual(['.kode-worktrees', '.kode-worktrees'])
  })

  it('is none of a repository that has another name for the folder', () => {
    const at = lookup({ 'p/.gitignore': 'x', 'p/.git/HEAD': 'x', 'p/x/one/.gitignore': '!*' }, () => ({
      looksIntoWorktrees: true,
    }))
    expect(at('x/one/a')).toBe('x')
  })
})

describe('createTrackedReader', () => {
  it('reads an index again only if it has changed, each for itself', () => {
    const folder = makeFiles({ one: makeIndex(['a']), two: makeIndex(['b']) })
    const read = createTrackedReader()
    const [one, two] = [join(folder, 'one'), join(folder, 'two')]
    const first = read(one, 20)
    expect([first.has('a'), first.has('b')]).toEqual([true, false])
    expect(read(two, 20).has('b')).toBe(true)
    writeFileSync(one, makeIndex(['a']))
    expect(read(one, 20)).toBe(first)
    writeFileSync(one, makeIndex(['b']))
    expect([read(one, 20).has('a'), read(one, 20).has('b')]).toEqual([false, true])
  })

  it('tracks nothing without an index, not even once there was one', () => {
    const read = createTrackedReader()
    const files = read(undefined, 20)
    expect([files.has(''), files.hasBelow('')]).toEqual([false, false])
    expect(read(join(makeFiles(), 'none'), 20).has('a')).toBe(false)
  })
})
