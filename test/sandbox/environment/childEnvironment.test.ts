import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EnvSettings } from '../../../src/contracts/settings.ts'
import { runCommand } from '../../../src/lib/process/runCommand.ts'
import { wordsIn } from '../../../src/lib/text/words.ts'
import { type ChildEnvironmentOptions, childEnvironment } from '../../../src/sandbox/environment/childEnvironment.ts'
import { childPath, findProgram } from '../../../src/sandbox/environment/childPath.ts'
import { makeFiles, writeFiles } from '../../helpers/effects/makeFiles.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { sampled } from '../../helpers/sampled.ts'
import { table } from '../../helpers/table.ts'

const workspace = makeFolder('environment-')

function build(
  parent: Record<string, string | undefined>,
  settings: Partial<EnvSettings> = {},
  known: Partial<ChildEnvironmentOptions> = {},
) {
  const all = { pass: [], set: {}, secrets: [], ...settings }
  return childEnvironment(parent, { settings: all, workspace, secrets: [], credentials: [], ...known })
}

const PATH = '/usr/bin:/bin'
const CREDENTIAL = 'sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyz'

it.each([
  ...wordsIn('HOME LC_ALL TZ RUNNER_TRACKING_ID GITHUB_REF_NAME GITHUB_SHA NODE_ENV JAVA_HOME VIRTUAL_ENV PYTHONPATH'),
  ...wordsIn('CARGO_HOME PYENV_ROOT'),
  // What a company needs: its certificates and mirrors.
  ...wordsIn('SSL_CERT_FILE NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE PIP_INDEX_URL npm_config_registry GOPROXY'),
])('children get %s', (name) => {
  expect(build({ [name]: 'https://mirror.example/a' }).environment[name]).toBe('https://mirror.example/a')
})

describe('childEnvironment: not passed', () => {
  it.each([
    ...wordsIn('ANTHROPIC_API_KEY GITHUB_TOKEN GITHUB_ENV GITHUB_STEP_SUMMARY ACTIONS_RUNTIME_TOKEN NODE_OPTIONS'),
    ...wordsIn('ACTIONS_ID_TOKEN_REQUEST_URL LD_PRELOAD LD_LIBRARY_PATH BASH_ENV ENV PERL5OPT RUBYOPT MANPAGER EDITOR'),
    ...wordsIn('npm_config_script_shell npm_config__authToken GIT_DIR GIT_EXTERNAL_DIFF HTTPS_PROXY SSH_AUTH_SOCK'),
    ...wordsIn('SOMETHING_ELSE RUNNER_WORKSPACE GITHUB_REPOSITORY_OWNER'),
  ])('%s', (name) => {
    const { environment, warnings } = build({ [name]: 'value of no meaning' })
    expect(environment).not.toHaveProperty(name)
    expect(warnings).toEqual([])
  })

  it.each(['PIP_INDEX_URL', 'npm_config_registry', 'GOPROXY'])('%s with a password in its address', (name) => {
    const { environment, dropped } = build({ [name]: 'https://me:Zq7Kp2vN4xW9tR1bY6mD3@mirror.example/simple' })
    expect(environment).not.toHaveProperty(name)
    expect(dropped).toContain(name)
  })

  it('a secret in a variable with a harmless name', () => {
    expect(build({ TERM: CREDENTIAL }).environment['TERM']).toBe('dumb')
  })
})

describe('childEnvironment: set by the policy', () => {
  it.each([
    ['a short secret by itself', 'abc', 'abc', false],
    ['a short secret with white space around it', 'abc', ' abc\n', false],
    ['a word that only begins like a short secret', 'abc', 'abcde', true],
    ['a text around a secret of eight characters', 'abcdefgh', 'x-abcdefgh-y', false],
  ])('%s is passed or not', (_what, secret, value, isPassed) => {
    const { environment } = build({ HARMLESS: value }, { pass: ['HARMLESS'] }, { secrets: [secret] })
    expect('HARMLESS' in environment).toBe(isPassed)
  })

  it('passes and sets the listed variables', () => {
    const { environment, warnings } = build(
      { NODE_OPTIONS: '--max-old-space-size=512', A: '1', DEPLOY_TOKEN: CREDENTIAL, NONE: undefined },
      { pass: ['NODE_OPTIONS', 'A', 'MISSING', 'NONE'], set: { B: '2' }, secrets: ['DEPLOY_TOKEN'] },
    )
    const expected = { NODE_OPTIONS: '--max-old-space-size=512', A: '1', B: '2', NO_COLOR: '1' }
    expect(environment).toMatchObject({ ...expected, DEPLOY_TOKEN: CREDENTIAL })
    for (const name of ['MISSING', 'NONE']) expect(environment).not.toHaveProperty(name)
    expect(warnings).toEqual([])
  })

  it('passes variables that match a pattern of stars, except secrets and those of the runner', () => {
    const parent = { MY_VALUE: '1', MY_TOKEN: 'x-y-z-1-2-3', OTHER: '2', GITHUB_ENV: '/x', MYxA: '2' }
    const { environment, warnings } = build(parent, { pass: ['MY_*', 'GITHUB_*', 'MY.A*', 'MY?A*'] })
    expect(environment).toHaveProperty('MY_VALUE', '1')
    for (const name of ['MY_TOKEN', 'OTHER', 'GITHUB_ENV', 'MYxA']) expect(environment).not.toHaveProperty(name)
    expect(warnings).toEqual([])
  })

  it('names dropped variables, except those that every shell sets', () => {
    const { dropped } = build({ ZED: '1', HOME: '/h', ABLE: '2', MY_TOKEN: 'x', PWD: '/', SHLVL: '1', _: 'x' })
    expect(dropped).toEqual(['ABLE', 'MY_TOKEN', 'ZED'])
  })

  it.each<[string, Record<string, string>, Partial<EnvSettings>, RegExp]>([
    ['a name that looks like a secret', { DEPLOY_TOKEN: 'x-y-z-1-2-3' }, { pass: ['DEPLOY_TOKEN'] }, /looks like/],
    ['a value that looks like one', { HARMLESS: CREDENTIAL }, { pass: ['HARMLESS'] }, /looks like/],
    ['a URL with a password', { DB: 'postgres://me:hunter22@db/x' }, { pass: ['DB'] }, /looks like/],
    ['a known secret', { HARMLESS: 'correct horse' }, { pass: ['HARMLESS'] }, /known secret/],
    ['a text around a known secret', { HARMLESS: '<correct horse>' }, { pass: ['HARMLESS'] }, /known secret/],
    ['a known secret that is set', {}, { set: { HARMLESS: 'correct horse' } }, /known secret/],
    ['a command file of the runner', { GITHUB_ENV: '/x' }, { pass: ['GITHUB_ENV'] }, /runner/],
    ['a command file even as a secret', { GITHUB_ENV: '/x' }, { secrets: ['GITHUB_ENV'] }, /runner/],
    ['the run’s own key, whoever names it', { MY_KEY: 'our own key' }, { secrets: ['MY_KEY'] }, /run itself/],
  ])('keeps %s out and says so', (_what, parent, settings, message) => {
    const known = { secrets: ['correct horse'], credentials: ['our own key'] }
    const { environment, warnings } = build(parent, settings, known)
    const [name = ''] = [...Object.keys(parent), ...Object.keys(settings.set ?? {})]
    expect(environment).not.toHaveProperty(name)
    expect(warnings).toEqual([expect.stringMatching(message)])
    expect(warnings[0]).toContain(name)
  })
})

describe('childEnvironment: git', () => {
  it('overrides a repository that configures a program', () => {
    const top = makeFiles({ 'repository/file': 'text' })
    const script = '#!/bin/sh\necho ran >> "$(dirname "$0")/ran"\n'
    for (const name of ['evil', 'pre-commit']) writeFileSync(join(top, name), script, { mode: 0o755 })
    const run = (env: Record<string, string>, ...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
        ...{ cwd: join(top, 'repository'), env, encoding: 'utf8', stdio: 'pipe' },
      })
    run({ PATH }, 'init', '-q')
    run({ PATH }, 'config', 'core.fsmonitor', join(top, 'evil'))
    run({ PATH }, 'config', 'core.hooksPath', top)
    const { environment } = build({ PATH })
    run(environment, 'add', 'file')
    run(environment, 'commit', '-m', 'one')
    expect(run(environment, 'status', '--porcelain')).toBe('')
    expect(existsSync(join(top, 'ran'))).toBe(false)
    run({ PATH }, 'status')
    expect(readFileSync(join(top, 'ran'), 'utf8')).toContain('ran')
  })

  const moves = table`
    a cherry-pick         | git commit -qam evil && git switch -q main && git cherry-pick o
    a rebase              | git commit -qam evil && git rebase --onto main HEAD~1
    a switch with changes | git switch -m main
    a revert
      | git commit -qam evil && git revert -n HEAD && git commit -qm back && git switch -q main && git revert o
  `
  it.each(sampled(moves, 1))('prevents %s from treating a change as a rename', (_what, script) => {
    const repository = realpathSync(mkdtempSync(join(workspace, 'renames-')))
    const { environment } = build({ PATH, HOME: workspace })
    const run = (env: Record<string, string>): string => {
      rmSync(repository, { recursive: true, force: true })
      mkdirSync(repository)
      const all = `git init -q -b main . && git config user.name a && git config user.email a@b && seq 20 > guarded && git add . &&
        git commit -qm one && git switch -q --orphan o && mkdir src && git show main:guarded > src/copy && git add src &&
        git commit -qm base && sed -i s/19/evil/ src/copy && { ${script}; } >&2; cat guarded`
      return execFileSync('bash', ['-c', all], { env, cwd: repository, stdio: 'pipe' }).toString()
    }
    expect(run(environment)).not.toContain('evil')
    expect(run({ PATH, HOME: workspace })).toContain('evil')
  })

  it.skipIf(process.getuid?.() !== 0)(
    'lets git work in a checkout of another user: a volume, docker run -v (needs root)',
    () => {
      const folder = makeFolder()
      execFileSync('git', ['init', '-q', folder])
      execFileSync('chown', ['-R', '12345:12345', folder])
      const parent = { PATH, HOME: '/nowhere' }
      const status = (env: Record<string, string>) =>
        spawnSync('git', ['status', '--short'], { cwd: folder, env, encoding: 'utf8' })
      expect(status(parent).stderr).toContain('dubious ownership')
      const { environment } = build(parent, {}, { workspace: folder })
      expect(status(environment)).toMatchObject({ status: 0, stderr: '' })
    },
  )

  it('keeps the policy’s own settings, but for those that could name a program', () => {
    const own = { GIT_CONFIG_KEY_0: 'core.fsmonitor', GIT_CONFIG_VALUE_0: 'true' }
    const more = { GIT_CONFIG_KEY_1: 'user.name', GIT_CONFIG_VALUE_1: 'A' }
    const { environment } = build({ PATH }, { set: { GIT_CONFIG_COUNT: '2', ...own, ...more } })
    const settingOf = (name: string) => execFileSync('git', ['config', name], { env: environment, cwd: '/' }).toString()
    expect([settingOf('core.fsmonitor'), settingOf('user.name')]).toEqual(['false\n', 'A\n'])
  })

  it.each([
    ['', 0],
    ['0', 0],
    ['12', 12],
    ['999', 999],
    // Git would fail at these: there are no such settings.
    ['1000', 0],
    ['x1', 0],
    ['1x', 0],
  ])('puts its settings after those that the policy counts as %j', (count, first) => {
    const { environment } = build({}, { set: { GIT_CONFIG_COUNT: count } })
    expect(environment[`GIT_CONFIG_KEY_${first}`]).toBe('safe.bareRepository')
    expect(environment['GIT_CONFIG_COUNT']).toBe(String(first + 9))
    expect(environment[`GIT_CONFIG_VALUE_${first + 8}`]).toBe(workspace)
  })
})

describe('childEnvironment: no prompts', () => {
  const waits = table`
    a commit without a message      | git init -q . && git -c user.name=a -c user.email=a@b.c commit --allow-empty; true
    a rebase                        | git rebase -i HEAD; true
    a pager                         | seq 100000 > many && git diff --no-index /dev/null many; git log; true
    a read from stdin               | read -r line; cat; true
    npm init                        | npm init; true
    a clone that needs a password   | git clone -q http://127.0.0.1:9/x; true
  `
  it.each(sampled(waits, 2))('%s ends by itself', async (_what, script = '') => {
    const cwd = mkdtempSync(join(workspace, 'unattended-'))
    const { environment } = build({ PATH: process.env['PATH'], HOME: workspace })
    const request = { file: 'bash', args: ['-c', script], cwd, timeoutMs: 20_000, signal: new AbortController().signal }
    expect(await runCommand({ ...request, env: environment })).toMatchObject({ exitCode: 0, isTimedOut: false })
  })
})

describe('childPath', () => {
  it('is the search path of the parent', () => {
    expect(build({ PATH: '/no/such/bin:/usr/bin' }).environment['PATH']).toBe('/no/such/bin:/usr/bin')
  })

  it('has no relative entries and none in the workspace', () => {
    writeFiles(workspace, { 'bin/': '' })
    const outside = makeFiles({ link: `-> ${workspace}/bin` })
    const path = ['', '.', 'bin', '/usr/bin', join(workspace, 'bin'), join(outside, 'link'), '/bin', '/usr/bin']
    expect(childPath([...path, `/tmp/../${workspace}`].join(':'), workspace)).toBe('/usr/bin:/bin')
  })

  it.each([undefined, '', '.', 'a:b'])('is the usual one instead of %j', (path) => {
    expect(childPath(path, workspace).split(':')).toContain('/usr/bin')
  })

  it('finds programs, and only those', () => {
    const folder = makeFiles({ plain: 'text', 'folder/': '' })
    expect(findProgram('sh', '/no/such:/bin')).toBe('/bin/sh')
    expect(['plain', 'folder'].map((name) => findProgram(name, folder))).toEqual([undefined, undefined])
  })
})
