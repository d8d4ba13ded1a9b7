import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { resolvePath } from '../../src/files/resolvePath.ts'
import { makeFiles, writeFiles } from '../helpers/effects/makeFiles.ts'

let base = ''
let cwd = ''
const forms = (path: string) => resolvePath(path, cwd, '/home/me')

beforeAll(() => {
  base = makeFiles({ 'project/real/deep/': '', 'outside/in/': '' })
  cwd = join(base, 'project')
  writeFiles(cwd, { 'real/file': '', link: '-> real', out: '-> ../outside/in', dangling: '-> ../outside/new' })
  writeFiles(cwd, { twice: '-> dangling', loopA: '-> loopB', loopB: '-> loopA', environ: '-> /proc/self/environ' })
})

test.each([
  ['a.txt', 'P/a.txt', 'P/a.txt', 'P/a.txt'],
  ['./real//file', 'P/real/file', 'P/real/file', 'P/real/file'],
  ['real/', 'P/real', 'P/real', 'P/real'],
  ['.', 'P', 'P', 'P'],
  ['real/../../x', 'B/x', 'B/x', 'B/x'],
  ['../../../../../../../../etc/passwd', '/etc/passwd', '/etc/passwd', '/etc/passwd'],
  ['link/file', 'P/link/file', 'P/real/file', 'P/real/file'],
  ['out/secret', 'P/out/secret', 'B/outside/in/secret', 'B/outside/in/secret'],
  ['out/../secret', 'P/secret', 'P/secret', 'B/outside/secret'],
  ['missing/../x', 'P/x', 'P/x', 'P/x'],
  ['dangling', 'P/dangling', 'B/outside/new', 'B/outside/new'],
  ['twice/more', 'P/twice/more', 'B/outside/new/more', 'B/outside/new/more'],
  ['real/file/../deep', 'P/real/deep', 'P/real/deep', 'P/real/deep'],
  // Whatever stands in the way is found by who opens it.
  ['real/file/deep', 'P/real/file/deep', 'P/real/file/deep', 'P/real/file/deep'],
  ['link/./deep/.//..', 'P/link', 'P/real', 'P/real'],
  ['~/x', '/home/me/x', '/home/me/x', '/home/me/x'],
  ['~', '/home/me', '/home/me', '/home/me'],
  ['~other/x', 'P/~other/x', 'P/~other/x', 'P/~other/x'],
  ['%2e%2e/x', 'P/%2e%2e/x', 'P/%2e%2e/x', 'P/%2e%2e/x'],
  ['a/…/b', 'P/a/…/b', 'P/a/…/b', 'P/a/…/b'],
  ['.../x', 'P/.../x', 'P/.../x', 'P/.../x'],
  ['x. ', 'P/x. ', 'P/x. ', 'P/x. '],
  ['..\\x', 'P/..\\x', 'P/..\\x', 'P/..\\x'],
  ['/', '/', '/', '/'],
  ['//etc//hosts', '/etc/hosts', '/etc/hosts', '/etc/hosts'],
])('%s', (given, lexical, resolved, physical) => {
  const full = (text: string) => text.replace(/^P/, cwd).replace(/^B/, base)
  expect(forms(given)).toEqual({ given, lexical: full(lexical), resolved: full(resolved), physical: full(physical) })
})

test('follows a link into /proc', () => {
  expect(forms('environ').resolved).toBe(`/proc/${process.pid}/environ`)
})

test('needs no right to look: who opens the path is told what is missing', () => {
  const hidden = join(cwd, 'hidden')
  mkdirSync(join(hidden, 'deep'), { recursive: true })
  chmodSync(hidden, 0)
  const isRoot = process.getuid?.() === 0
  try {
    if (isRoot) process.seteuid?.(65_534)
    expect(forms('hidden/deep/a')).toEqual({
      ...{ given: 'hidden/deep/a', lexical: join(hidden, 'deep/a') },
      ...{ resolved: join(hidden, 'deep/a'), physical: join(hidden, 'deep/a') },
    })
  } finally {
    if (isRoot) process.seteuid?.(0)
    chmodSync(hidden, 0o700)
  }
})

test('does not fold composed and decomposed letters into one', () => {
  expect(forms('é').resolved).not.toBe(forms('e\u0301').resolved)
})

test.each([
  ['', /empty/],
  ['a\0b', /NUL/],
  ['loopA', /too many symbolic links/],
  ['loopA/../x', /too many symbolic links/],
  ['x'.repeat(300), /too long/],
  ['x/'.repeat(3000), /too long/],
])('says what is wrong with %j', (path, problem) => {
  expect(forms(path).problem).toMatch(problem)
})
