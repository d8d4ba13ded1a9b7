import { join } from 'node:path'
import { expect, it } from 'vitest'
import { workspaceMounts } from '../../../src/sandbox/views/checkoutMounts.ts'
import { newTree } from '../mounts/newTree.ts'

it('a workspace is writable, but for protected places; no folder above these can be renamed', () => {
  const top = newTree({
    ...{ '.git/hooks/pre-commit': '', '.git/config': '', 'a/b/c/.npmrc': '', 'a/x/.npmrc': '', '.husky/': '' },
    ...{ 'link/': '', other: '-> a/b/c/.npmrc' },
  })
  const at = (name: string) => join(top, name)
  const protectedPaths = [
    ...['.git/hooks/', '.git/hooks/pre-commit', '.git/config', 'a/b/c/.npmrc', 'a/x/.npmrc', 'other', '.husky/'].map(
      at,
    ),
    // Not there, the workspace itself, and elsewhere.
    ...[at('gone'), top, '/etc/passwd', '/'],
  ]
  expect(workspaceMounts(top, protectedPaths)).toEqual([
    { kind: 'writable', source: top, target: top },
    ...['.git', 'a', 'a/b', 'a/b/c', 'a/x'].map((name) => ({ kind: 'writable', source: at(name), target: at(name) })),
    ...['.git/hooks', '.git/config', 'a/b/c/.npmrc', 'a/x/.npmrc', '.husky'].map((name) => ({
      ...{ kind: 'readOnly', source: at(name), target: at(name) },
    })),
  ])
})

it('the root can be a workspace', () => {
  const top = newTree({ x: '' })
  const above = top.split('/').flatMap((_, index, names) => (index === 0 ? [] : [names.slice(0, index + 1).join('/')]))
  expect(workspaceMounts('/', [join(top, 'x')])).toEqual([
    ...['/', ...above].map((path) => ({ kind: 'writable', source: path, target: path })),
    { kind: 'readOnly', source: join(top, 'x'), target: join(top, 'x') },
  ])
})
