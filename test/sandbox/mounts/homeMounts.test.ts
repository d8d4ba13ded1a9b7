import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { homeMounts, separateHome, visibleMounts } from '../../../src/sandbox/mounts/homeMounts.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'

it('of the home folder, toolchains and git’s settings are visible, and nothing else', () => {
  const home = makeFiles({
    ...{ '.cargo/bin/cargo': '', '.local/bin/x': '', '.gitconfig': '', 'go/bin/gopls': '', '.m2/repository/x': '' },
    ...{ '.ssh/id_rsa': '', '.m2/settings.xml': '', 'notes.txt': '', '.config/gh/hosts.yml': '', '.local/share/x': '' },
  })
  expect(homeMounts(home)).toEqual(
    ['.cargo', '.m2/repository', 'go', '.local/bin', '.gitconfig'].map((name) => ({
      ...{ kind: 'readOnly', source: join(home, name), target: join(home, name) },
    })),
  )
})

it('a link shows what it leads to, under its own name; what is not there shows nothing', () => {
  const top = makeFiles({ 'store/x': '', link: '-> store', broken: '-> nowhere' })
  expect(visibleMounts(join(top, 'link'))).toEqual([
    { kind: 'readOnly', source: join(top, 'store'), target: join(top, 'link') },
  ])
  expect(['broken', 'none'].flatMap((name) => visibleMounts(join(top, name)))).toEqual([])
})

it('a home folder gives the run one of its own, unless it is missing, a file, the root or in a workspace', () => {
  const top = makeFiles({ 'home/': '', 'work/me/': '', 'a file': '' })
  symlinkSync(join(top, 'home'), join(top, 'link'))
  mkdirSync(join(top, 'other'))
  const of = (home: string | undefined) => separateHome(home, [join(top, 'other'), join(top, 'work')])
  const at = (name: string) => join(top, name)
  expect([at('home'), at('link')].map(of)).toEqual([at('home'), at('home')])
  expect([undefined, at('none'), at('a file'), '/', at('work'), at('work/me')].map(of)).toEqual(
    Array(6).fill(undefined),
  )
})
