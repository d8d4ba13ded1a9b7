import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readCheckout } from '../../../src/git/repository/readCheckout.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

it.each([
  ['https://github.com/octo/shop.git', 'github.com/octo/shop'],
  ['https://user:secret@github.com/octo/shop/', 'github.com/octo/shop'],
  ['git+ssh://git@github.com/octo/shop.git/', 'github.com/octo/shop'],
  ['git@github.com:octo/shop.git', 'github.com/octo/shop'],
  ['github.com:octo/shop', 'github.com/octo/shop'],
  ['HTTPS://github.com/octo/shop', 'github.com/octo/shop'],
  ['/srv/git/shop.git', '/srv/git/shop'],
])('the origin %s is %s, without credentials', async (url, expected) => {
  const folder = makeFolder()
  mkdirSync(join(folder, '.git'))
  writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n')
  const other = '[remote "fork"]\n\turl = https://example.com/fork\n'
  writeFileSync(join(folder, '.git/config'), `${other}[remote "origin"]\n\tfetch = x\n\turl = ${url} \n${other}`)
  expect(readCheckout(folder)).toEqual({ commit: null, branch: 'main', top: folder, origin: expected })
  writeFileSync(join(folder, '.git/config'), `[remote "origin"]\n\tfetch = x\n${other}`)
  expect(readCheckout(folder)).toMatchObject({ origin: null })
})

it('nothing is checked out outside of git', async () => {
  const top = makeFolder()
  expect(readCheckout(top)).toEqual({ commit: null, branch: null, top, origin: null })
})
