import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { childEnvironment } from '../../../src/sandbox/environment/childEnvironment.ts'
import { commitIdentity } from '../../../src/sandbox/environment/commitIdentity.ts'
import { makeFiles, writeFiles } from '../../helpers/effects/makeFiles.ts'

function make(name: string, global = '', local = '') {
  const top = makeFiles({
    [`${name}/home/.gitconfig`]: global,
    [`${name}/checkout/.git/HEAD`]: 'ref: refs/heads/main\n',
  })
  const [home, workspace] = ['home', 'checkout'].map((folder) => join(top, name, folder)) as [string, string]
  writeFiles(workspace, { '.git/config': local, '.git/objects/': '', '.git/refs/': '' })
  return { home, workspaces: [workspace] }
}

const NONE = 'kode-run <kode-run@users.noreply.github.com>'
const octo = (number: string, host: string) => `octo <${number}octo@users.noreply.${host}>`

it.each<[string, string, string, string, string]>([
  ['the actor of the event', 'octo', '5', '', octo('5+', 'github.com')],
  ['an app', 'renovate[bot]', '', '', 'renovate[bot] <renovate[bot]@users.noreply.github.com>'],
  ['an actor of another server', 'octo', '', 'https://git.example.com', octo('', 'git.example.com')],
  ['an actor of a server without TLS', 'octo', '55', 'http://git.example.com/x', octo('55+', 'git.example.com')],
  ['an actor whose server is none', 'octo', '', 'nothttp://git.example.com', octo('', 'github.com')],
  ...['x5', '5x', '5 5'].map((id): [string, string, string, string, string] => [
    ...(['an actor whose id is none', 'octo', id, '', octo('', 'github.com')] as const),
  ]),
  ['nobody with an id', 'a b', '5', '', NONE],
  ['nobody', '', '', '', NONE],
  ['a name that is none', 'a <b>\nc', '', '', NONE],
])('is %s', (_what, actor, id, server, expected) => {
  const given = Object.entries({ GITHUB_ACTOR: actor, GITHUB_ACTOR_ID: id, GITHUB_SERVER_URL: server })
  const environment = Object.fromEntries(given.filter(([, value]) => value !== ''))
  const { name, email } = commitIdentity({ environment, ...make('none') }) ?? {}
  expect(`${name} <${email}>`).toBe(expected)
})

it.each([
  ['the user', '[user]\n\tname = A\n\temail = a@example.com\n', ''],
  ['the repository', '', '[core]\n\tbare = false\n[User] name = A\n  Email=a@example.com\n'],
  ['the user, without white space', '[user]\nname=A\nemail=a@example.com', ''],
  ['the user, with much of it', '  [ user ]\n\t name  = A\n\t email  = a@example.com\n', ''],
  ['both together', '[user]\n\temail = a@example.com\n', '[user]\nname = A\n'],
])('leaves it to git if its settings define one: %s', (what, global, local) => {
  expect(commitIdentity({ environment: {}, ...make(what, global, local) })).toBeUndefined()
})

it.each([
  ['other sections', '[alias]\n\tname = A\n[url "x"]\n\temail = b\n[user]\n\tname = A\n'],
  ['sections that are named alike', '[xuser]\n\tname = A\n\temail = b\n[userx]\n\tname = A\n\temail = b\n'],
  ['a value that looks like a section', '[alias]\n\tx = [user]\n\tname = A\n\temail = b\n'],
  ['other names', '[user]\n\tnickname = A\n\tmyemail = b\n'],
  ['an email in another name', '[user]\n\tname = A\n\tmyemail = b\n'],
])('ignores %s', (what, global) => {
  expect(commitIdentity({ environment: {}, ...make(what, global) })).toMatchObject({ name: 'kode-run' })
})

const BY_A = '[user]\n\tname = "A B"\n\temail = a@b\n'
it.each([
  ['the repository, for submodules that name nobody', '', BY_A, '', 'A B'],
  ['nobody, if submodules do', '', BY_A, '[user]\n\tname = M\n\temail = m@b\n', undefined],
  ['nobody, if the user does', BY_A, '', '', undefined],
])('is with submodules %s', (what, global, local, module, name) => {
  const place = make(what, global, local)
  writeFiles(join(place.workspaces[0] ?? '', '.git/modules/lib'), { HEAD: 'ref: refs/heads/main\n', config: module })
  expect(commitIdentity({ environment: {}, ...place })?.name).toBe(name)
})

it('is the author of a commit', () => {
  const place = make('commit')
  const [workspace = ''] = place.workspaces
  const identity = commitIdentity({ environment: { GITHUB_ACTOR: 'octo' }, ...place })
  const settings = { pass: [], set: {}, secrets: [] }
  const options = { settings, workspace, secrets: [], credentials: [], identity }
  const { environment: env } = childEnvironment({ PATH: process.env['PATH'], HOME: place.home }, options)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: workspace, env, encoding: 'utf8' })
  git('commit', '-q', '--allow-empty', '-m', 'one')
  expect(git('log', '-1', '--format=%an <%ae> %cn')).toBe('octo <octo@users.noreply.github.com> octo\n')
})
