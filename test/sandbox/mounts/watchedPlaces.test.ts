import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { watchedPlaces, writableFolders } from '../../../src/sandbox/mounts/watchedPlaces.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'

const survey = { repositories: [], secrets: [], leftovers: [] }
const watched = (top: string, more: Partial<Parameters<typeof watchedPlaces>[0]> = {}) =>
  watchedPlaces({
    ...{ workspaces: [join(top, 'tree')], survey, home: undefined, readOnly: [], isOpened: () => false, ...more },
  })

it('what git and editors run is watched in each workspace, without a slash at its end', () => {
  const top = makeFiles({ 'tree/.git/HEAD': '' })
  const places = watched(top)
  const names = ['.git/hooks', '.git/config', '.husky', '.github/workflows', '.npmrc'].map(
    (name) => `${top}/tree/${name}`,
  )
  expect(places).toEqual(expect.arrayContaining(names))
  expect(places.filter((path) => path.endsWith('/'))).toEqual([])
  expect(new Set(places).size).toBe(places.length)
})

it('what the policy opens is not', () => {
  const top = makeFiles({ 'tree/': '' })
  const places = watched(top, { isOpened: (path) => path.endsWith('.npmrc') })
  expect(places).not.toContain(`${top}/tree/.npmrc`)
  expect(places).toContain(`${top}/tree/.gitattributes`)
})

it('of a path through links, each link and the end are watched', () => {
  const top = makeFiles({
    'store/policy.yml': '',
    'a/link': '-> ../store',
    'tree/': '',
    'real/x': '',
    last: '-> real/x',
  })
  const at = (name: string) => join(top, name)
  const inside = watched(top).length
  expect(
    watched(top, { readOnly: [at('a/link/policy.yml'), at('last'), at('real/x'), at('gone/x')] }).slice(inside),
  ).toEqual(['a/link', 'store/policy.yml', 'a/link/policy.yml', 'last', 'real/x', 'gone/x'].map(at))
  expect(watched(makeFiles({ 'tree/': '' }), { readOnly: [] })).toHaveLength(inside)
})

it('a link in the place of a protected one is watched with its end', () => {
  const top = makeFiles({ 'tree/.husky': '-> ../hooks', 'hooks/': '' })
  expect(watched(top)).toEqual(expect.arrayContaining([`${top}/tree/.husky`, `${top}/hooks`]))
})

it('files that shells, git and npm read at start are watched in the home folder', () => {
  const top = makeFiles({ 'tree/': '' })
  const home = ['.bashrc', '.gitconfig', '.npmrc', '.ssh', '.docker/config.json'].map((name) => `/home/me/${name}`)
  expect(watched(top, { home: '/home/me' })).toEqual(expect.arrayContaining(home))
  expect(watched(top).filter((path) => path.startsWith('/home/me'))).toEqual([])
})

it('folders of the search path that this user may write are known by their real paths, once', () => {
  const top = makeFiles({ 'bin/': '', 'fixed/': '', link: '-> bin', 'tree/bin/': '', file: '' })
  chmodSync(join(top, 'fixed'), 0o555)
  const path = ['bin', 'link', 'fixed', 'tree/bin', 'gone'].map((name) => join(top, name)).join(':')
  const isRoot = process.getuid?.() === 0
  expect(writableFolders(path, [join(top, 'other'), join(top, 'tree')])).toEqual(
    ['bin', ...(isRoot ? ['fixed'] : [])].map((name) => join(top, name)),
  )
})
