import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DIRECT, READ_ONLY } from '../../../src/sandbox/views/checkoutMode.ts'
import { checkoutMounts, type PlannedMount, workspaceMounts } from '../../../src/sandbox/views/checkoutMounts.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'

it('a workspace is writable, but for protected places; no folder above these can be renamed', () => {
  const top = makeFiles({
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
  const top = makeFiles({ x: '' })
  const above = top.split('/').flatMap((_, index, names) => (index === 0 ? [] : [names.slice(0, index + 1).join('/')]))
  expect(workspaceMounts('/', [join(top, 'x')])).toEqual([
    ...['/', ...above].map((path) => ({ kind: 'writable', source: path, target: path })),
    { kind: 'readOnly', source: join(top, 'x'), target: join(top, 'x') },
  ])
})

describe('the checkout of a command', () => {
  const top = makeFiles({ 'p/.git/config': '', 'p/secret': '', 'p/target/x': '', 'git/HEAD': '', 'v/': '' })
  const at = (name: string) => join(top, name)
  const [p, git, merged] = ['p', 'git', 'v'].map(at) as [string, string, string]
  const same = (kind: 'readOnly' | 'writable', path: string) => ({ kind, source: path, target: path })
  const cover: PlannedMount = { kind: 'readOnly', source: '/dev/null', target: at('p/secret') }
  const planned: PlannedMount[] = [
    same('readOnly', '/usr'),
    { kind: 'checkout', target: p },
    { kind: 'checkout', target: git },
    same('readOnly', at('p/.git/config')),
    cover,
    { kind: 'empty', target: at('p/gone') },
    { kind: 'empty', target: at('pp') },
  ]
  const layer = { lower: p, upper: at('u'), work: at('w'), merged }
  const view = { kind: 'view', folder: top, layers: [layer], direct: [at('p/target'), at('git/x')] } as const

  it.each<[string, Parameters<typeof checkoutMounts>[1], readonly PlannedMount[]]>([
    ['is read-only for one that reads', READ_ONLY, [same('readOnly', p), same('readOnly', git), cover]],
    [
      'is a view, but for direct folders; what has no view is read-only',
      view,
      [{ kind: 'writable', source: merged, target: p }, same('writable', at('p/target')), same('readOnly', git), cover],
    ],
    [
      'is itself for a direct one, with protected places read-only',
      DIRECT,
      [
        ...[same('writable', p), same('writable', at('p/.git')), same('readOnly', at('p/.git/config'))],
        ...[same('writable', git), same('readOnly', at('p/.git/config')), cover],
      ],
    ],
  ])('%s', (_, checkout, wanted) => {
    const mounts = checkoutMounts(planned, checkout, [at('p/.git/config')])
    expect(mounts).toEqual([same('readOnly', '/usr'), ...wanted, { kind: 'empty', target: at('pp') }])
  })
})
