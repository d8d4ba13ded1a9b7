import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { childEnvironment } from '../../../src/sandbox/environment/childEnvironment.ts'
import { commitIdentity } from '../../../src/sandbox/environment/commitIdentity.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

const root = makeFolder('identity-', afterAll)

function make(name: string, global = '', local = '') {
  const home = join(root, name, 'home')
  const workspace = join(root, name, 'checkout')
  mkdirSync(home, { recursive: true })
  execFileSync('git', ['init', '-q', workspace])
  if (global !== '') writeFileSync(join(home, '.gitconfig'), global)
  if (local !== '') writeFileSync(join(workspace, '.git/config'), local)
  return { home, workspaces: [workspace] }
}

describe('commitIdentity', () => {
  it.each([
    [
      'the actor of the event',
      { GITHUB_ACTOR: 'octo', GITHUB_ACTOR_ID: '5' },
      'octo',
      '5+octo@users.noreply.github.com',
    ],
    ['an app', { GITHUB_ACTOR: 'renovate[bot]' }, 'renovate[bot]', 'renovate[bot]@users.noreply.github.com'],
    [
      'an actor of another server',
      { GITHUB_ACTOR: 'octo', GITHUB_SERVER_URL: 'https://git.example.com' },
      'octo',
      'octo@users.noreply.git.example.com',
    ],
    [
      'an actor of a server without TLS',
      { GITHUB_ACTOR: 'octo', GITHUB_ACTOR_ID: '55', GITHUB_SERVER_URL: 'http://git.example.com/x' },
      'octo',
      '55+octo@users.noreply.git.example.com',
    ],
    [
      'an actor whose server is none',
      { GITHUB_ACTOR: 'octo', GITHUB_SERVER_URL: 'nothttp://git.example.com' },
      'octo',
      'octo@users.noreply.github.com',
    ],
    ...['x5', '5x', '5 5'].map((id): [string, Record<string, string>, string, string] => [
      `an actor whose id is none: ${id}`,
      { GITHUB_ACTOR: 'octo', GITHUB_ACTOR_ID: id },
      'octo',
      'octo@users.noreply.github.com',
    ]),
    [
      'nobody with an id',
      { GITHUB_ACTOR: 'a b', GITHUB_ACTOR_ID: '5' },
      'kode-run',
      'kode-run@users.noreply.github.com',
    ],
    ['nobody', {}, 'kode-run', 'kode-run@users.noreply.github.com'],
    ['a name that is none', { GITHUB_ACTOR: 'a <b>\nc' }, 'kode-run', 'kode-run@users.noreply.github.com'],
  ])('is %s', (_what, environment, name, email) => {
    expect(commitIdentity({ environment, ...make('none') })).toEqual({ name, email })
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

  it.each([
    [
      'the repository, for submodules that name nobody',
      '',
      '[user]\n\tname = "A B"\n\temail = a@example.com\n',
      '',
      'A B',
    ],
    [
      'nobody, if submodules do',
      '',
      '[user]\n\tname = A\n\temail = a@b\n',
      '[user]\n\tname = M\n\temail = m@b\n',
      undefined,
    ],
    ['nobody, if the user does', '[user]\n\tname = A\n\temail = a@b\n', '', '', undefined],
  ])('is with submodules %s', (what, global, local, module, name) => {
    const place = make(what, global, local)
    const folder = join(place.workspaces[0] ?? '', '.git/modules/lib')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n')
    writeFileSync(join(folder, 'config'), module)
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
})
