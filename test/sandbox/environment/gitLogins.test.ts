import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { gitConfigs } from '../../../src/git/places/gitConfigs.ts'
import { gitLogins } from '../../../src/sandbox/environment/gitLogins.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

const root = makeFolder('git-logins-', afterAll)

/** As `actions/checkout` leaves it since its sixth version: the token in a file beside the checkout. */
function checkout() {
  const base = mkdtempSync(join(root, 'runner-'))
  const [project, home, temp] = ['project', 'home', 'temp'].map((name) => join(base, name)) as [string, string, string]
  for (const folder of [home, temp]) mkdirSync(folder)
  execFileSync('git', ['init', '-q', project])
  const credentials = join(temp, 'git-credentials-1f2e.config')
  const basic = Buffer.from('x-access-token:ghs_SECRET-OF-CHECKOUT').toString('base64')
  writeFileSync(credentials, `[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic ${basic}\n`)
  const include = `includeIf.gitdir:${project}/.git.path`
  execFileSync('git', ['-C', project, 'config', include, credentials])
  writeFileSync(join(home, '.gitconfig'), '[include]\n\tpath = "~/work.config"\n[user]\n\tname = git@example.com\n')
  writeFileSync(join(home, 'work.config'), '[url "https://a-user:p%40ss-word@git.example/"]\n\tinsteadOf = corp:\n')
  return { project, home, credentials, basic }
}

describe('gitLogins', () => {
  it('finds the credentials in git configurations', () => {
    const { project, home, basic } = checkout()
    execFileSync('git', ['-C', project, 'remote', 'add', 'origin', 'https://ghp_A-LONG-TOKEN-IN-A-URL@github.com/a/b'])
    execFileSync('git', ['-C', project, 'remote', 'add', 'ssh', 'ssh://git@github.com/a/b'])
    const old = 'https://an-oauth-token-as-user:x-oauth-basic@github.com/a/b'
    execFileSync('git', ['-C', project, 'remote', 'add', 'old', old])
    execFileSync('git', ['-C', project, 'config', 'http.extraheader', 'Authorization: Bearer the-bearer-token'])
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
    [
      'a user of sixteen characters, as tokens are',
      'url = https://0123456789abcdef@git.example/a',
      ['0123456789abcdef'],
    ],
    ['a user of fifteen', 'url = https://0123456789abcde@git.example/a', []],
  ])('of %s, the secret alone', (_what, line, values) => {
    const project = mkdtempSync(join(root, 'project-'))
    mkdirSync(join(project, '.git'))
    writeFileSync(join(project, '.git/config'), `[http]\n\t${line}\n`)
    expect(gitLogins([project], undefined)).toEqual(values.map((value) => ({ name: 'GIT_LOGIN', value })))
  })

  it('finds nothing without configurations', () => {
    expect(gitLogins([root], undefined)).toEqual([])
  })
})

describe('gitConfigs', () => {
  it('follows what a configuration includes, once', () => {
    const { project, home, credentials } = checkout()
    writeFileSync(join(home, 'work.config'), '[include]\n\tpath = .gitconfig\n')
    const paths = gitConfigs([join(project, '.git/config'), join(home, '.gitconfig'), '/no/such'], home)
    const expected = [join(project, '.git/config'), join(home, '.gitconfig'), credentials, join(home, 'work.config')]
    expect(paths.map(({ path }) => path)).toEqual(expected)
  })
})
