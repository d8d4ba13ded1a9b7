import { describe, expect, it } from 'vitest'
import type { Behavior } from '../../../src/contracts/decision.ts'
import { formsOf, isPathCovered, isPathDenied, parsePathPatterns } from '../../../src/policy/matchers/path.ts'

const ANCHORS = { cwd: '/p', home: '/home/me' }
const patterns = (text: string, list: Behavior) => parsePathPatterns(text, list, ANCHORS)
const covers = (text: string, path: string, access: 'read' | 'write' = 'write') =>
  patterns(text, 'allow').some((pattern) => isPathCovered(pattern, path, access))
const denies = (text: string, path: string) => patterns(text, 'deny').some((pattern) => isPathDenied(pattern, path))

describe('an allow covers', () => {
  it.each([
    // Where it starts.
    ['a', '/p/a', true],
    ['a', '/p/b/a', true],
    ['a', '/q/a', false],
    ['./a', '/p/a', true],
    ['./a', '/p/b/a', false],
    ['/a', '/p/a', true],
    ['/a', '/a', false],
    ['//a', '/a', true],
    ['//a', '/p/a', false],
    ['../a', '/a', true],
    ['..', '/', true],
    ['.a', '/p/b/.a', true],
    ['..a', '/p/b/..a', true],
    ['a..', '/p/b/a..', true],
    ['~/a', '/home/me/a', true],
    ['~/a', '/p/a', false],
    ['a/b', '/p/a/b', true],
    ['a/b', '/p/x/a/b', false],
    ['**/b', '/p/x/y/b', true],
    ['**/b', '/q/b', false],
    ['a/../b', '/p/b', true],
    [' a/b ', '/p/a/b', true],
    // How far it goes.
    ['a', '/p/a/x', false],
    ['a/', '/p/a/x', true],
    ['a/', '/p/a', false],
    ['./a/', '/p/a/x/y', true],
    ['./a/', '/p/ab', false],
    ['a/**', '/p/a/x/y', true],
    ['a/**', '/p/a', false],
    ['a*/', '/p/ab/x', true],
    ['a*/', '/p/ab', false],
    ['a*/', '/p/b', false],
    ['./a*/', '/p/ab/x', true],
    ['./a*/**', '/p/ab/x/y', true],
    ['./a*/**', '/p/ab', false],
    ['**', '/p/x/y', true],
    ['**', '/q', false],
    ['/**', '/p/x', true],
    ['//**', '/x', true],
    ['*', '/p/x', true],
    ['./*', '/p/x/y', false],
    ['.', '/p/x', true],
    ['~', '/home/me/x', true],
    // Signs.
    ['./*.txt', '/p/.txt', true],
    ['./a?c', '/p/abc', true],
    ['./[ab]', '/p/b', true],
    ['./[ab]', '/p/[ab]', false],
    ['./\\*', '/p/*', true],
    ['./\\*', '/p/x', false],
    ['./\\**', '/p/*x', true],
    ['./#*', '/p/#x', true],
    ['./!(a)*', '/p/!(a)b', true],
    ['./{a,b}/c', '/p/b/c', true],
    // Letters as they are.
    ['./A', '/p/a', false],
    ['./a*', '/p/AB', false],
  ])('%s %s: %s', (text, path, expected) => expect(covers(text, path)).toBe(expected))

  it.each([
    // Who may look into a folder may list it.
    ['./a/', '/p/a', true],
    ['./a/**', '/p/a', true],
    ['./a*/**', '/p/ab', true],
    ['./a*/**', '/p/b', false],
    ['./a*/', '/p/ab', true],
    ['./a*/', '/p/ab/x', true],
    ['./a*/', '/p/b', false],
    ['**', '/p', true],
    ['./*', '/p', false],
    ['./a*', '/p/ab', true],
    ['./a*', '/p/ab/x', false],
  ])('for reading, %s %s: %s', (text, path, expected) => expect(covers(text, path, 'read')).toBe(expected))
})

describe('a deny means', () => {
  it.each([
    // At any depth, in the project and outside.
    ['.env', '/p/.env', true],
    ['.env', '/p/a/.env', true],
    ['.env', '/q/.env', true],
    ['*.pem', '/q/a.pem', true],
    ['a/b', '/q/x/a/b', true],
    ['a/*.pem', '/q/a/x.pem', true],
    ['**/a/b/c', '/q/a/b/c', true],
    ['**/a', '/q/a', true],
    // Or where it is written.
    ['a/b/c', '/p/a/b/c', true],
    ['a/b/c', '/q/a/b/c', false],
    ['*/b', '/p/a/b', true],
    ['*/b', '/q/a/b', false],
    ['/.env', '/p/.env', true],
    ['/.env', '/p/a/.env', false],
    ['/**/x', '/p/a/x', true],
    ['/**/x', '/q/a/x', false],
    ['**', '/p/x', true],
    ['**', '/q/x', false],
    ['*', '/p/x', true],
    ['*', '/q/x', false],
    ['~/.ssh', '/home/me/.ssh/id', true],
    ['//etc', '/etc/passwd', true],
    ['//etc', '/p/etc', false],
    ['../x', '/x/y', true],
    // What lies below, and the folder itself.
    ['a', '/p/a/b/c', true],
    ['a/**', '/p/a', true],
    ['a/', '/p/a', true],
    ['./a*', '/p/ab/x', true],
    ['./a', '/p/ab', false],
    ['//', '/x', true],
    // In any letters, composed or not.
    ['.ENV', '/p/.env', true],
    ['./Docs/*', '/p/docs/a', true],
    ['//Etc/x', '/etc/X', true],
    ['caf\u00e9', '/p/cafe\u0301', true],
    // Brackets are a set, and the name of a folder.
    ['./[id]', '/p/i', true],
    ['./[id]', '/p/[id]', true],
    ['./[id]', '/p/x', false],
    ['./\\[id]', '/p/i', false],
    ['./\\[id]', '/p/[id]', true],
  ])('%s %s: %s', (text, path, expected) => expect(denies(text, path)).toBe(expected))
})

it('a path is judged by each of its forms, and by none twice', () => {
  const forms = (lexical: string, resolved: string, physical: string) =>
    formsOf({ given: 'x', lexical, resolved, physical })
  expect(forms('/a', '/a', '/a')).toEqual(['/a'])
  expect(forms('/a', '/b', '/a')).toEqual(['/a', '/b'])
  expect(forms('/a', '/a', '/c')).toEqual(['/a', '/c'])
  expect(forms('/a', '/b', '/c')).toEqual(['/a', '/b', '/c'])
})
