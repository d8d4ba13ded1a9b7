import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createScratchLookup, createTrackedReader, type ScratchOptions } from '../../src/effects/openCheckout.ts'
import type { CheckoutRepository } from '../../src/git/repository/findRepositories.ts'
import { type Files, makeFiles } from '../helpers/effects/makeFiles.ts'
import { makeIndex } from '../helpers/effects/makeIndex.ts'
import { table } from '../helpers/table.ts'

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

/** Paths with what is ignored at or above them: `dist/x>dist b` as a cell of a table has it. */
const looked = (at: (path: string) => string | undefined, cell: string) =>
  cell
    .split(' ')
    .map((word) => word.replace(/>.*/, ''))
    .map((path) => [path, at(path)].filter((part) => part !== undefined).join('>'))
    .join(' ')

describe('what is scratch in a repository', () => {
  it.each(table`
    what git ignores and does not track | dist *.log | a.log dist/kept src/x
      | dist/x>dist dist/sub/>dist b.log>b.log src/y node_modules/x a.log dist/kept dist/ dist/keptt>dist
    nothing below the folders that a sparse index names | dist out | dist/sub/
      | dist/sub/x dist/sub/ dist/ dist/x>dist dist/other/>dist out/>out
    not decided by the case or the end of another path | dist* | dist/a/b
      | dist/a/b/c>dist dist/a/ dist/a>dist dista/>dista dist-x/>dist-x
  `)('is %s', (_, ignore = '', tracked = '', expected = '') => {
    const entries = tracked.split(' ').map((path) => (path.endsWith('/') ? { path, mode: 0o040000 } : path))
    const index = makeIndex(entries, tracked.endsWith('/') ? { version: 3, extensions: { sdir: '' } } : {})
    const at = lookup({ 'p/.gitignore': ignore.replaceAll(' ', '\n'), 'p/.git/index': index })
    expect(looked(at, expected)).toBe(expected)
  })

  it.each<[string, Files, string]>([
    [
      'all that is ignored, where there is no index',
      { 'p/.gitignore': 'dist', 'p/.git/HEAD': '' },
      'dist/x>dist dist/>dist',
    ],
    ['nothing where the index cannot be read', { 'p/.gitignore': 'dist', 'p/.git/index': 'x' }, 'dist/x dist/'],
    ['also what info/exclude names', { 'p/.git/info/exclude': 'mine', 'p/.git/HEAD': 'x' }, 'mine>mine other'],
  ])('is %s', (_, files, expected) => {
    expect(looked(lookup(files), expected)).toBe(expected)
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
    const index = makeIndex(['dist/kept'], { oidBytes: 32 })
    const at = lookup({ 'p/.gitignore': 'dist', 'p/.git/index': index }, (folder) => ({
      repositories: [repositoryAt(join(folder, 'p'), { oidBytes: 32 })],
    }))
    expect([at('dist/x'), at('dist/kept')]).toEqual(['dist', undefined])
  })

  it('is, without one, what ignore files and package managers name, and nothing outside of the roots', () => {
    const expected = 'dist/x>dist node_modules/x>node_modules .venv/x>.venv a/__pycache__/x>a/__pycache__ src/x'
    const outside = () => ({ repositories: [] })
    expect(looked(lookup({ 'p/.gitignore': 'dist' }, outside), expected)).toBe(expected)
    expect(looked(lookup({ '.gitignore': '*' }, outside), '../x ../pp/node_modules/x')).not.toContain('>')
  })
})

describe('a worktree of the run', () => {
  const W: Record<string, string> = { ALL: '.kode-worktrees', 1: '.kode-worktrees/one', 2: '.kode-worktrees/two' }
  const FILES: Files = {
    'p/.gitignore': '.kode-worktrees\nof-main',
    'p/.git/index': makeIndex(['of-main/kept']),
    'p/.git/worktrees/one/index': makeIndex(['dist/kept']),
    'p/.git/info/exclude': 'shared',
    'p/.kode-worktrees/one/.gitignore': 'dist',
    'p/.kode-worktrees/two/.gitignore': 'out',
  }
  it.each(table`
    ignores what its own files say | yes | 1/dist/x>1/dist 1/src/x 1/of-main/x 1/shared/x>1/shared 1/out/x 2/out/x>2/out
    tracks what its own index says | yes | 1/dist/kept of-main/x>of-main of-main/kept
    is itself what git ignores, as is the folder that holds it | yes | 1/>ALL ALL/>ALL 1>ALL
    is ignored with all that is in it where nobody looks into it | | 1/dist/x>ALL 1/src/x>ALL
  `)('%s', (_, looksInto = '', paths = '') => {
    const at = lookup(FILES, () => ({ looksIntoWorktrees: looksInto === 'yes' }))
    const expected = paths.replaceAll(/1|2|ALL/g, (name) => W[name] ?? '')
    expect(looked(at, expected)).toBe(expected)
  })

  it('is none of a repository that has another name for the folder', () => {
    const files = { 'p/.gitignore': 'x', 'p/.git/HEAD': 'x', 'p/x/one/.gitignore': '!*' }
    expect(lookup(files, () => ({ looksIntoWorktrees: true }))('x/one/a')).toBe('x')
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
