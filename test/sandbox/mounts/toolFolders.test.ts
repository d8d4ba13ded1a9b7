import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { toolFolders } from '../../../src/sandbox/mounts/toolFolders.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'

const of = (top: string, path: readonly string[], more: Record<string, string> = {}, around: readonly string[] = []) =>
  toolFolders({
    environment: { PATH: path.map((name) => (name.startsWith('/') ? name : join(top, name))).join(':'), ...more },
    around: around.map((name) => join(top, name)),
  }).map((folder) => folder.replace(`${top}/`, ''))

it('folders of the search path are visible, with what belongs to a folder of programs', () => {
  const top = makeFiles({
    ...{ 'one/bin/': '', 'one/lib/': '', 'one/share/': '', 'one/notes/': '' },
    ...{ 'two/sbin/': '', 'two/opt/': '', 'three/tools/': '', 'three/lib/': '', 'four/cabin/': '', 'four/lib/': '' },
    ...{ 'five/binaries/': '', 'five/lib/': '' },
  })
  expect(of(top, ['one/bin', 'two/sbin', 'three/tools', 'four/cabin', 'five/binaries', 'gone/bin', 'one/bin'])).toEqual(
    [...['one/bin', 'one/lib', 'one/share', 'two/sbin', 'two/opt', 'three/tools', 'four/cabin', 'five/binaries']],
  )
})

it('a link is visible as named, and by its real path', () => {
  const top = makeFiles({ 'store/bin/': '', 'store/lib/': '', 'bin/': '', link: '-> store/bin' })
  expect(of(top, ['link'])).toEqual(['link', 'store/bin', 'store/lib'])
})

it('beside the programs of the user there is nothing of theirs: the home folder is not the place of a tool', () => {
  const top = makeFiles({ 'me/bin/': '', 'me/lib/': '', 'me/.local/bin/': '', 'me/.local/share/': '', 'work/bin/': '' })
  expect(of(top, ['me/bin', 'me/.local/bin'], {}, ['me', 'work'])).toEqual(['me/bin', 'me/.local/bin'])
  expect(of(top, ['/'])).toEqual([])
  expect(of(top, ['me', '/', 'work'], { GOPATH: top }, ['me', 'work'])).toEqual([])
})

it('folders that variables name are visible, several of one list, and only absolute ones', () => {
  const top = makeFiles({ 'go/a/': '', 'go/b/': '', 'jdk/': '', 'cargo/': '' })
  const [a, b] = [join(top, 'go/a'), join(top, 'go/b')]
  const more = { GOPATH: `${a}:${b}`, JAVA_HOME: join(top, 'jdk'), CARGO_HOME: '.', RUSTUP_HOME: '', OTHER: top }
  expect(of(top, [], more).sort()).toEqual(['go/a', 'go/b', 'jdk'])
})

it('files with certificates that variables name are visible, and not what lies beside them', () => {
  const top = makeFiles({ 'certs/ca.crt': 'x', 'certs/other': 'x', 'pyenv/versions/': '' })
  const more = { SSL_CERT_FILE: join(top, 'certs/ca.crt'), PYENV_ROOT: join(top, 'pyenv') }
  expect(of(top, [], more).sort()).toEqual(['certs/ca.crt', 'pyenv'])
})

it('what the system shows in any case is not named again', () => {
  expect(of('/nowhere', ['/usr/bin', '/bin'], { JAVA_HOME: '/usr/lib' })).toEqual([])
})

it('the folder of node is visible, also where the search path has only a link to it', () => {
  const top = makeFiles({ 'store/bin/node': '', 'store/lib/': '', 'bin/node': '-> ../store/bin/node' })
  chmodSync(join(top, 'store/bin/node'), 0o755)
  expect(of(top, ['bin'])).toEqual(['bin', 'store/bin', 'store/lib'])
})
