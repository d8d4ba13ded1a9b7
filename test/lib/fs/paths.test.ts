import { constants, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { canAccess, readRaw, realPath } from '../../../src/lib/fs/atPath.ts'
import { isWithin } from '../../../src/lib/fs/isWithin.ts'
import { displayPath, pathInside, shortPath, unusedPath } from '../../../src/lib/fs/paths.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

describe('isWithin', () => {
  it.each([
    ['the folder itself', '/a/b', '/a/b', true],
    ['a file in it', '/a/b/c', '/a/b', true],
    ['a file far below it', '/a/b/c/d/e', '/a/b', true],
    ['a neighbor whose name begins like it', '/a/bc', '/a/b', false],
    ['what it is in', '/a', '/a/b', false],
    ['the root has everything', '/a', '/', true],
    ['the root has itself', '/', '/', true],
    ['a folder that is written with a slash', '/a/b/c', '/a/b/', true],
    ['a neighbor of one', '/a/bc', '/a/b/', false],
  ])('%s', (_, path, folder, expected) => {
    expect(isWithin(path, folder)).toBe(expected)
  })
})

describe('pathInside', () => {
  it.each([
    ['a name', 'x', '/a/b/x'],
    ['a path with dots that stay inside', './x/../y/z', '/a/b/y/z'],
    ['an absolute path', '/a/b/x', '/a/b/x'],
    ['an absolute path with dots', '/a/c/../b/x', '/a/b/x'],
    ['a name that begins with two dots', '..x/y', '/a/b/..x/y'],
    ['the folder itself', '.', undefined],
    ['the folder, absolute', '/a/b/', undefined],
    ['nothing', '', undefined],
    ['the folder above', '..', undefined],
    ['a file of the folder above', '../x', undefined],
    ['a neighbor whose name begins like it', '../bc', undefined],
    ['an absolute path elsewhere', '/etc/hosts', undefined],
    ['a way out through dots', 'x/../../y', undefined],
    ['a name that is cut short by a NUL', `x${String.fromCharCode(0)}`, undefined],
  ])('%s', (_, path, expected) => {
    expect(pathInside('/a/b', path)).toBe(expected)
  })
})

describe('a path for people', () => {
  it.each([
    ['/a/b/c/d', 'c/d'],
    ['/a/b', '.'],
    ['/a/bc', '/a/bc'],
    ['/a', '/a'],
  ])('%s is %s in /a/b', (path, short) => {
    expect(shortPath(path, '/a/b')).toBe(short)
    expect(displayPath(path, '/a/b')).toBe(short)
  })

  it('is on one line', () => {
    expect(shortPath('/a/b/c\nd', '/a/b')).toBe('c\nd')
    expect(displayPath('/a/b/c\nd', '/a/b')).not.toContain('\n')
  })
})

describe('unusedPath', () => {
  const find = (name: string, taken: readonly string[]) => unusedPath('/a', name, async (path) => taken.includes(path))

  it.each([
    ['x.txt', [], '/a/x.txt'],
    ['x.txt', ['/a/x.txt'], '/a/x-2.txt'],
    ['x.txt', ['/a/x.txt', '/a/x-2.txt'], '/a/x-3.txt'],
    ['x', ['/a/x'], '/a/x-2'],
    ['x.tar.gz', ['/a/x.tar.gz'], '/a/x.tar-2.gz'],
    ['.env', ['/a/.env'], '/a/.env-2'],
    // A name leads to no other folder.
    ['../x.txt', [], '/a/x.txt'],
    ['../x.txt', ['/a/x.txt'], '/a/x-2.txt'],
  ])('for %s beside %j', async (name, taken, path) => {
    expect(await find(name, taken)).toBe(path)
  })

  it('gives up after a thousand', async () => {
    const asked: string[] = []
    const all = unusedPath('/a', 'x', async (path) => asked.push(path) > 0)
    await expect(all).rejects.toThrow('There are too many files named x.')
    expect([asked.length, asked.at(-1)]).toEqual([999, '/a/x-999'])
  })
})

describe('what is at a path', () => {
  const folder = realPath(makeFolder('at-path-'))
  const [file, link, none] = ['file', 'link', 'none'].map((name) => join(folder, name)) as [string, string, string]
  writeFileSync(file, Buffer.from([0xe9, 0]), { mode: 0o600 })
  symlinkSync('file', link)

  it.each([
    ['a file', file, [file, true, false, '\u00e9\0']],
    ['a link to it', link, [file, true, false, '\u00e9\0']],
    ['nothing', none, [none, false, false, '']],
  ])('%s', (_, path, expected) => {
    const can = [constants.R_OK, constants.X_OK].map((mode) => canAccess(path, mode))
    expect([realPath(path), ...can, readRaw(path)]).toEqual(expected)
  })
})
