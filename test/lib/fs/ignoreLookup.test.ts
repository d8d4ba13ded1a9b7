import { describe, expect, it } from 'vitest'
import { createIgnoreLookup, type IgnoreOptions } from '../../../src/lib/fs/ignoreLookup.ts'

/** A lookup below `/p` with these rule files; the topmost ignored entry of a path that is relative to it. */
function lookup(files: Readonly<Record<string, string>>, more: Partial<IgnoreOptions> = {}) {
  const reads: string[] = []
  const read = (path: string) => {
    reads.push(path)
    return files[path.startsWith('/p/') ? path.slice('/p/'.length) : path]
  }
  const find = createIgnoreLookup({ top: '/p', read, outer: [], ...more })
  return {
    reads,
    top: (path: string) => find(path.startsWith('/') ? path : `/p/${path}`.replace(/\/$/, ''), path.endsWith('/')),
  }
}

describe('what git ignores', () => {
  it.each([
    ['a file by its name, at any depth', { '.gitignore': '*.log' }, 'a/b/x.log', '/p/a/b/x.log'],
    ['nothing without rules', {}, 'a/x', undefined],
    ['all that is in an ignored folder, named by the folder', { '.gitignore': 'out/' }, 'a/out/b/x', '/p/a/out'],
    ['a folder by a rule for folders', { '.gitignore': 'out/' }, 'out/', '/p/out'],
    ['no file by such a rule', { '.gitignore': 'out/' }, 'out', undefined],
    ['by a path from the folder of the rules', { 'a/.gitignore': '/x' }, 'a/x', '/p/a/x'],
    ['not deeper by that', { 'a/.gitignore': '/x' }, 'a/b/x', undefined],
    ['not beside that folder', { 'a/.gitignore': 'x' }, 'b/x', undefined],
    ['by a rule with dots at its start', { '.gitignore': '..x' }, '..x', '/p/..x'],
    ['in the case of the rule alone', { '.gitignore': 'Out' }, 'out', undefined],
  ] as const)('%s', (_, files, path, top) => {
    expect(lookup(files).top(path)).toBe(top)
  })

  it('is never the top folder itself, nor what is above or beside it', () => {
    const { top } = lookup({ '.gitignore': '*', '/.gitignore': '*' })
    expect([top('/p'), top('/'), top('/pp'), top('/q/x'), top('x')]).toEqual([...Array(4).fill(undefined), '/p/x'])
  })
})

describe('the rule that decides', () => {
  it.each([
    ['of the innermost file', { '.gitignore': '*.log', 'a/.gitignore': '!x.log' }, 'a/x.log', undefined],
    ['of the next for what it does not name', { '.gitignore': 'x', 'a/.gitignore': 'y' }, 'a/x', '/p/a/x'],
    ['does not bring back what is below an ignored folder', { '.gitignore': 'a', 'a/.gitignore': '!x' }, 'a/x', '/p/a'],
    ['may ignore again what an outer file brings back', { '.gitignore': '!x', 'a/.gitignore': 'x' }, 'a/x', '/p/a/x'],
  ] as const)('is that %s', (_, files, path, top) => {
    expect(lookup(files).top(path)).toBe(top)
  })

  it('is sought from the strongest file: .gitignore, info/exclude, the file of the user', () => {
    const outer = ['/user', '/p/.git/info/exclude', '/gone']
    const files = { '/user': 'a\nb\nc', '.git/info/exclude': '!b\n!c\nd', '.gitignore': 'c\n!d' }
    const { top } = lookup(files, { outer })
    expect([top('a'), top('b'), top('c'), top('d')]).toEqual(['/p/a', undefined, '/p/c', undefined])
  })

  it('is, outside of a repository, also one for the folders of package managers, stronger than the others outside', () => {
    const files = { '/user': '!node_modules', 'a/.gitignore': '!node_modules' }
    const { top } = lookup(files, { outer: ['/user'], plain: ['node_modules', '.venv'] })
    const tops = ['/p/node_modules', '/p/b/.venv', undefined]
    expect([top('node_modules/x'), top('b/.venv/'), top('a/node_modules/x')]).toEqual(tops)
  })
})

describe('a folder that an inner rule brings back', () => {
  it.each(['build', 'a*b', 'a?b', '[x]', '!x', '#x', 'x ', 'a\\b'])(
    'is not ignored, with all that is in it: %j',
    (name) => {
      const escaped = name.replace(/[\\*?[\]!# ]/g, '\\$&')
      const { top } = lookup({ '.gitignore': `${escaped}/\n*.log`, 'in/.gitignore': `!${escaped}/` })
      expect(top(`in/${name}/x`)).toBeUndefined()
      expect(top(`in/${name}/deep/x`)).toBeUndefined()
      expect(top(`${name}/x`)).toBe(`/p/${name}`)
      // The other rules of the outer file still hold in it.
      expect(top(`in/${name}/x.log`)).toBe(`/p/in/${name}/x.log`)
      expect(top(`in/other/${name}/x`)).toBeUndefined()
    },
  )

  it('is no reason to bring back another one of the same letters', () => {
    const { top } = lookup({ '.gitignore': 'a*/', 'in/.gitignore': '!a?/' })
    expect([top('in/ab/x'), top('in/abc/x'), top('abc/x')]).toEqual([undefined, '/p/in/abc', '/p/abc'])
    const star = lookup({ '.gitignore': 'a*/', 'in/.gitignore': '!a\\*/' })
    const tops = [undefined, '/p/in/a*/axe', '/p/in/ab']
    expect([star.top('in/a*/x'), star.top('in/a*/axe/y'), star.top('in/ab/x')]).toEqual(tops)
  })

  it('does not bring back one of its name in another place', () => {
    const { top } = lookup({ '.gitignore': 'build/', 'in/.gitignore': '!/build/' })
    const tops = [undefined, '/p/in/build/in/build', '/p/in/sub/build']
    expect([top('in/build/x'), top('in/build/in/build/x'), top('in/sub/build/x')]).toEqual(tops)
  })
})

it('reads every file once, and only on the way to what is looked up', () => {
  const { top, reads } = lookup({ '.gitignore': 'x' }, { outer: ['/user'] })
  for (const path of ['a/b/y', 'a/b/z', 'a/c', 'a/b/', 'x']) top(path)
  expect(reads).toEqual(['/user', '/p/.gitignore', '/p/a/.gitignore', '/p/a/b/.gitignore'])
})
