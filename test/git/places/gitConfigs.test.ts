import { join } from 'node:path'
import { expect, it } from 'vitest'
import { gitConfigs, userConfigs } from '../../../src/git/places/gitConfigs.ts'
import { makeFiles, writeFiles } from '../../helpers/effects/makeFiles.ts'

const found = (top: string, names: readonly string[], home?: string) =>
  gitConfigs(
    names.map((name) => join(top, name)),
    home === undefined ? undefined : join(top, home),
  ).map(({ path }) => path.slice(top.length + 1))

it.each([
  ['a path', '[include]\n\tpath = other\n'],
  ['a path in capitals', '[INCLUDE]\n\tPath=other\n'],
  ['a path in quotes', '[include]\npath = "other"\n'],
  ['a path on the line of its section', '[include] path = other\n'],
  ['a path with white space around it', '  [ include ]\n\t path  =  other  \r\n'],
  ['a path after a value in brackets', '[include]\n\tname = [core]\n\tpath = other\n'],
  ['a path before a comment', '[include]\n\tpath = other # where the token is\n'],
  ['a path in quotes before a comment', '[include]\n\tpath = "other"; where the token is\n'],
  ['a path with a sign that needs no backslash', '[include]\n\tpath = "oth\\er"\n'],
  ['a path in parts', '[include]\n\tpath = o"the"\\r\n'],
  ['a path under a condition', '[includeIf "gitdir:/nowhere/"]\n\tpath = other\n'],
  ['a path in the old spelling', '[includeIf.gitdir:x]\n\tpath = other\n'],
  ['a path after another section', '[core]\n\tbare = false\n[include]\n\tname = x\n\tpath = other\n'],
  ['an absolute path', '[include]\n\tpath = TOP/other\n'],
  ['a path from home', '[include]\n\tpath = ~/../other\n'],
])('a configuration includes what it names: %s', (_, text) => {
  const top = makeFiles({ other: 'of the other', 'home/': '' })
  const own = text.includes('TOP') || text.includes('~') ? makeFiles() : top
  const config = { path: join(own, 'config'), text: text.replace('TOP', top) }
  writeFiles(own, { config: config.text })
  const other = { path: join(top, 'other'), text: 'of the other' }
  expect(gitConfigs([config.path], join(top, 'home'))).toEqual([config, other])
})

it.each([
  ['a path without a section', 'path = other\n'],
  ['a path of a section that ends alike', '[noinclude]\n\tpath = other\n'],
  ['a path of another section', '[includes]\n\tpath = other\n'],
  ['a path after another section', '[include]\n\tname = x\n[core]\n\tpath = other\n'],
  ['another key', '[include]\n\txpath = other\n\tpaths = other\n'],
  ['a comment', '[include]\n\tpath = # other\n\t# path = other\n'],
  ['no path', '[include]\n\tpath =\n'],
  ['a home folder that is not known', '[include]\n\tpath = ~/other\n'],
  ['a home folder of somebody', '[include]\n\tpath = x~/other\n'],
])('and nothing else: %s', (_, text) => {
  const files = { config: text, other: '', 'undefined/other': '', 'home/other': '', 'xhome/other': '' }
  const home = text.includes('x~') ? 'home' : undefined
  expect(found(makeFiles(files), ['config'], home)).toEqual(['config'])
})

it('each is read once, by its real path, however deep, and only files', () => {
  const include = (path: string) => `[include]\n\tpath = ${path}\n`
  const top = makeFiles({
    ...{ a: include('b'), b: `${include('c')}${include('a')}`, c: include('d'), d: include('e'), e: '' },
    ...{ link: '-> a', folder: '', 'folder2/': '', 'deep/': '' },
  })
  expect(found(top, ['a', 'link', 'folder2', 'gone'])).toEqual([...'abcde'])
  expect(found(top, ['link'])).toEqual([...'abcde'])
  expect(found(makeFiles({ 'x\\y': '', config: include('"x\\\\y"') }), ['config'])).toEqual(['config', 'x\\y'])
})

it('those of a user are in the home folder, those of the machine in /etc', () => {
  expect(userConfigs('/home/me')).toEqual(['/home/me/.gitconfig', '/home/me/.config/git/config', '/etc/gitconfig'])
  expect(userConfigs(undefined)).toEqual(['/etc/gitconfig'])
})
