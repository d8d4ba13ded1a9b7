import { join } from 'node:path'
import { expect, it } from 'vitest'
import { gitLogins } from '../../../src/sandbox/environment/gitLogins.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'
import { gitAt } from '../../helpers/git.ts'

/** As `actions/checkout` leaves it since its sixth version: the token in a file beside the checkout. */
function checkout() {
  const basic = Buffer.from('x-access-token:ghs_SECRET-OF-CHECKOUT').toString('base64')
  const base = makeFiles({
    'project/a': '',
    'temp/credentials': `[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic ${basic}\n`,
    'home/.gitconfig': '[include]\n\tpath = "~/work.config"\n[user]\n\tname = git@example.com\n',
    'home/work.config': '[url "https://a-user:p%40ss-word@git.example/"]\n\tinsteadOf = corp:\n',
  })
  const project = join(base, 'project')
  const git = gitAt(project)
  git('init', '-q')
  git('config', `includeIf.gitdir:${project}/.git.path`, join(base, 'temp/credentials'))
  return { project, home: join(base, 'home'), git, basic }
}

it('finds the credentials in git configurations', () => {
  const { project, home, git, basic } = checkout()
  git('remote', 'add', 'origin', 'https://ghp_A-LONG-TOKEN-IN-A-URL@github.com/a/b')
  git('remote', 'add', 'ssh', 'ssh://git@github.com/a/b')
  git('remote', 'add', 'old', 'https://an-oauth-token-as-user:x-oauth-basic@github.com/a/b')
  git('config', 'http.extraheader', 'Authorization: Bearer the-bearer-token')
  const values = gitLogins([project], home).map(({ value }) => value)
  const tokens = ['ghs_SECRET-OF-CHECKOUT', basic, 'ghp_A-LONG-TOKEN-IN-A-URL', 'the-bearer-token', 'p@ss-word']
  tokens.push('an-oauth-token-as-user', 'x-oauth-basic')
  expect(values.toSorted()).toEqual(tokens.toSorted())
})

it.each([
  ['a header without a scheme', 'extraheader = PRIVATE-TOKEN: glpat-1', ['glpat-1']],
  ['a header without white space', 'extraheader=Authorization:Bearer tok-1', ['tok-1']],
  ['a header with much of it', 'extraHeader  =  "Authorization:  Bearer  tok-2"', ['tok-2']],
  ['a header on the line of its section', '[http] extraheader = Authorization: Bearer tok-3', ['tok-3']],
  ['a header in a comment', '# extraheader = Authorization: Bearer tok-4', ['tok-4']],
  ['a header that is none', 'noextraheader = Authorization: Bearer tok-5', []],
  ['a password that is not encoded as in a URL', 'url = https://me:100%pure@git.example/a', ['100%pure']],
  ['a user of sixteen characters, as tokens are', 'url = https://0123456789abcdef@git.example/a', ['0123456789abcdef']],
  ['a user of fifteen', 'url = https://0123456789abcde@git.example/a', []],
])('of %s, the secret alone', (_what, line, values) => {
  const project = makeFiles({ '.git/config': `[http]\n\t${line}\n` })
  expect(gitLogins([project], undefined)).toEqual(values.map((value) => ({ name: 'GIT_LOGIN', value })))
})

it('finds nothing without configurations', () => {
  expect(gitLogins([makeFiles()], undefined)).toEqual([])
})
