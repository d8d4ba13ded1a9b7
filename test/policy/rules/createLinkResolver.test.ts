import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { resolvePath } from '../../../src/files/resolvePath.ts'
import { createLinkResolver } from '../../../src/policy/rules/indexPolicy.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

it('resolves links as the kernel does', () => {
  const root = makeFolder()
  mkdirSync(path.join(root, 'a/b'), { recursive: true })
  writeFileSync(path.join(root, 'file'), '')
  mkdirSync(path.join(root, 'closed'))
  for (const [target, name] of [
    ['a', 'link'],
    ['missing/x', 'dangling'],
    ['../link/b', 'a/up'],
    ['dangling', 'chain'],
    ['loop', 'loop'],
  ] as const)
    symlinkSync(target, path.join(root, name))
  chmodSync(path.join(root, 'closed'), 0)
  const resolve = createLinkResolver()
  const names = ' a a/b/c/d link link/b link/new/x dangling/y a/up/z chain/q file/x no/no'.split(' ')
  for (const name of [...names, 'loop', 'loop/x', 'closed/x', ...names]) {
    const given = path.join(root, name)
    expect(resolve(given), name).toBe(resolvePath(given, '/', '/').resolved)
  }
  expect(resolve('/')).toBe('/')
})
