import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  checkoutRoots,
  hiddenPlaces,
  type MountOptions,
  type MountPlan,
  planMounts,
  protectedPlaces,
} from '../../../src/sandbox/mounts/planMounts.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'

const GIT = { '.git/HEAD': '', '.git/objects/': '' }
const survey = { repositories: [], secrets: [] }

/** A plan for the folder `work` of this tree, with its home folder `home`. `last` gives the mount that decides on a place. */
function plan(files: Readonly<Record<string, string>>, change: (top: string) => Partial<MountOptions> = () => ({})) {
  const top = makeFiles({ 'work/a': '', 'home/': '', ...files })
  const scratch = makeFiles()
  const made: MountPlan = planMounts({
    ...{ workspaces: [join(top, 'work')], home: join(top, 'home'), survey, scratch, writable: [], readable: [] },
    ...{ tools: [], denied: [], readOnly: [], hidden: [], isOpened: () => false, ...change(top) },
  })
  const at = (name: string) => (name.startsWith('/') ? name : join(top, name))
  const last = (name: string) => {
    const [mount] = made.mounts.filter(({ target }) => target === at(name)).slice(-1)
    if (mount === undefined) return 'nothing'
    if (mount.kind !== 'readOnly') return mount.kind
    if (mount.source === mount.target) return 'readOnly'
    const stat = statSync(mount.source)
    return mount.source === '/dev/null' || (stat.mode & 0o777) === 0
      ? 'closed'
      : stat.isDirectory()
        ? 'folder of the run'
        : readFileSync(mount.source, 'utf8')
  }
  const place = (name: string) => made.mounts.findIndex(({ target }) => target === at(name))
  return { ...made, top, scratch, last, place }
}

describe('what children see', () => {
  it('is the system, places of the run for what is temporary, and the checkout', () => {
    const { mounts, scratch, top, last, environment } = plan({})
    const writable = mounts.filter(({ kind }) => kind === 'writable')
    expect(writable).toEqual([
      { kind: 'writable', source: join(scratch, 'tmp'), target: '/tmp' },
      { kind: 'writable', source: join(scratch, 'var-tmp'), target: '/var/tmp' },
      { kind: 'writable', source: join(scratch, 'home'), target: join(top, 'home') },
    ])
    expect([last('/usr'), last('work'), last('other')]).toEqual(['readOnly', 'checkout', 'nothing'])
    expect(environment).toEqual({ GIT_DISCOVERY_ACROSS_FILESYSTEM: '1' })
  })

  it('has no home folder where there is none, and none of its tools', () => {
    const { mounts, scratch } = plan({ 'home/.cargo/': '' }, () => ({ home: undefined }))
    expect(mounts.filter((mount) => 'source' in mount && mount.source === join(scratch, 'home'))).toEqual([])
    expect(mounts.filter(({ target }) => target.endsWith('.cargo'))).toEqual([])
  })

  it('has tools and readable places, the outer ones first, and writable ones made where they are missing', () => {
    const files = { 'tools/bin/x': '', 'data/deep/x': '', 'cache/x': '' }
    const { last, place, top } = plan(files, (folder) => ({
      ...{ tools: [join(folder, 'tools/bin')], readable: [join(folder, 'data/deep'), join(folder, 'data')] },
      writable: [join(folder, 'cache/new/deep')],
    }))
    expect(['tools/bin', 'data', 'data/deep', 'cache/new/deep'].map(last)).toEqual([
      ...['readOnly', 'readOnly', 'readOnly', 'writable'],
    ])
    expect(place('data')).toBeLessThan(place('data/deep'))
    expect(existsSync(join(top, 'cache/new/deep'))).toBe(true)
  })

  it('cannot have a writable place that is no folder: the message names it', () => {
    expect(() => plan({ 'a file': '' }, (top) => ({ writable: [join(top, 'a file')] }))).toThrow(
      expect.objectContaining({
        reason: 'config',
        message: expect.stringMatching(/^sandbox\.writable: \/.*\/a file cannot be created: EEXIST/),
        cause: expect.anything(),
      }),
    )
  })

  it('has each folder above a place, made before it, but none where something shows its own', () => {
    const { mounts, place, top } = plan({ 'data/deep/x': '', 'work/deep/er/.env': '' }, (folder) => ({
      readable: [join(folder, 'data/deep')],
      survey: { repositories: [], secrets: [join(folder, 'work/deep/er/.env')] },
    }))
    const folders = mounts.filter(({ kind }) => kind === 'folder').map(({ target }) => target)
    expect(folders).toContain(join(top, 'data'))
    expect(new Set(folders).size).toBe(folders.length)
    expect(place('data')).toBeLessThan(place('data/deep'))
    expect(
      folders.filter(
        (path) => path === '/' || /^\/(?:usr|etc)(?:\/|$)/.test(path) || path.startsWith(join(top, 'work')),
      ),
    ).toEqual([])
    const late = mounts.findIndex(({ target }) => target === folders[0])
    expect(mounts.findIndex(({ target }) => target.startsWith(`${folders[0]}/`))).toBeGreaterThan(late)
  })

  it('has its own folder of the run empty, where that would show', () => {
    const { scratch, last } = plan({})
    expect(last(scratch)).toBe('nothing')
    const top = makeFiles({ 'work/run/': '' })
    const inside = plan({}, () => ({ workspaces: [join(top, 'work')], scratch: join(top, 'work/run') }))
    expect(inside.mounts.at(-1)).toEqual({ kind: 'empty', target: join(top, 'work/run') })
    const shown = plan({}, () => ({ readable: [top], scratch: join(top, 'work/run') }))
    expect(shown.mounts.at(-1)).toEqual({ kind: 'empty', target: join(top, 'work/run') })
  })
})

it('each of several workspaces counts', () => {
  const top = makeFiles({
    'one/x': '',
    'two/.git/config': '[remote "o"]\n\turl = https://me:CANARY@a.b/x\n',
    'two/.git/HEAD': '',
  })
  const [one, two] = [join(top, 'one'), join(top, 'two')]
  const { mounts, named } = plan({}, () => ({ workspaces: [one, two], hidden: [join(two, 'later')] }))
  expect(mounts.filter(({ kind }) => kind === 'checkout').map(({ target }) => target)).toEqual([one, two])
  expect(named).toEqual([join(two, '.git/config')])
  expect(mounts.filter(({ target }) => target === join(two, 'later'))).toHaveLength(1)
})

describe('what children do not see', () => {
  it('is a login among what is shown of the home folder, unless the policy shows it', () => {
    const files = { 'home/.cargo/credentials.toml': '', 'home/.ssh/id_rsa': '', 'home/go/x': '' }
    expect(plan(files).last('home/.cargo/credentials.toml')).toBe('closed')
    expect(plan(files).last('home/.ssh')).toBe('nothing')
    const opened = plan(files, (top) => ({ readable: [join(top, 'home/.cargo/credentials.toml')] }))
    expect(opened.last('home/.cargo/credentials.toml')).toBe('readOnly')
    const all = plan(files, (top) => ({ readable: [join(top, 'home')] }))
    expect([all.last('home/.ssh'), all.last('home/.cargo/credentials.toml')]).toEqual(['closed', 'closed'])
  })

  it('is what rules deny, as far as it would show, by its real path', () => {
    const files = { 'data/secret/x': '', 'hidden/y': '', 'data/link': '-> secret/x' }
    const { last } = plan(files, (top) => ({
      readable: [join(top, 'data')],
      denied: ['data/secret', 'data/link', 'hidden/y', 'gone'].map((name) => join(top, name)),
    }))
    expect(['data/secret', 'data/secret/x', 'data/link', 'hidden/y', 'gone'].map(last)).toEqual([
      ...['closed', 'closed', 'nothing', 'nothing', 'nothing'],
    ])
  })

  it('is a record of the run, also one that comes later in the workspace', () => {
    const files = { 'work/run.jsonl': '', 'work/runs/x': '', 'records/x': '', 'work/link': '-> run.jsonl' }
    const hidden = ['work/run.jsonl', 'work/runs', 'records/', 'work/link', 'work/later', 'work/folder/', 'elsewhere']
    const { last } = plan(files, (top) => ({ hidden: hidden.map((name) => `${top}/${name}`) }))
    expect(['work/run.jsonl', 'work/runs', 'records', 'work/link'].map(last)).toEqual([
      ...['closed', 'empty', 'empty', 'nothing'],
    ])
    expect(['work/later', 'work/folder', 'elsewhere'].map(last)).toEqual(['closed', 'empty', 'nothing'])
  })

  it('is a secret in the workspace, which is known by its name', () => {
    const { last, named, top } = plan({ 'work/.env': 'A=1' }, (folder) => ({
      survey: { repositories: [], secrets: [join(folder, 'work/.env')] },
    }))
    expect([last('work/.env'), named]).toEqual(['closed', [join(top, 'work/.env')]])
  })

  it('is a login in a configuration of git: a copy without it stands in its place', () => {
    const login = '[remote "o"]\n\turl = https://me:CANARY@example.com/x\n'
    const plain = login.replace('me:CANARY@', '')
    const files = {
      ...{ 'work/.git/HEAD': '', 'work/.git/config': login, 'work/lib/.git/HEAD': '', 'work/lib/.git/config': plain },
      ...{ 'home/.gitconfig': `${login}[include]\n\tpath = ../elsewhere/config\n`, 'elsewhere/config': login },
    }
    const { last, named, top } = plan(files, (folder) => ({
      survey: { repositories: [join(folder, 'work/lib')], secrets: [] },
    }))
    expect([last('work/.git/config'), last('work/lib/.git/config'), last('elsewhere/config')]).toEqual([
      plain,
      'nothing',
      plain,
    ])
    expect(last('home/.gitconfig')).toBe(`${plain}[include]\n\tpath = ../elsewhere/config\n`)
    expect(named).toEqual([join(top, 'work/.git/config')])
  })

  it('is git’s own settings outside of what is shown: these are there as they are', () => {
    const plain = '[user]\n\tname = A\n'
    const files = { 'home/.gitconfig': '[include]\n\tpath = ../elsewhere/config\n', 'elsewhere/config': plain }
    expect(plan(files).last('elsewhere/config')).toBe(plain)
  })

  it('is covered after what is shown, and what the policy keeps is read-only', () => {
    const { last, place } = plan({ 'work/policy.yml': '', 'work/gone': '-> nowhere' }, (top) => ({
      readOnly: [join(top, 'work/policy.yml'), join(top, 'work/gone')],
    }))
    expect([last('work/policy.yml'), last('work/gone')]).toEqual(['readOnly', 'nothing'])
    expect(place('work')).toBeLessThan(place('work/policy.yml'))
  })
})

describe('the folders whose changes are judged', () => {
  it('are the workspaces and the repositories of their worktrees, none inside another', () => {
    const top = makeFiles({ 'part/': '', ...GIT, 'other/x': '' })
    const roots = (...workspaces: string[]) =>
      checkoutRoots({ workspaces: workspaces.map((name) => join(top, name)), survey }).map((path) =>
        path.slice(top.length),
      )
    expect(roots('part')).toEqual(['/part', '/.git'])
    expect(roots('.')).toEqual([''])
    expect(roots('.', 'part', 'part')).toEqual([''])
  })
})

it('protected places are those of each workspace and of each repository in it, but for what the policy opens', () => {
  const top = makeFiles({ ...GIT, 'lib/.git/HEAD': '' })
  const options = { workspaces: [top], survey: { repositories: [join(top, 'lib')], secrets: [] } }
  const places = protectedPlaces({ ...options, isOpened: (path) => path.endsWith('/.npmrc') })
  expect(places).toEqual(
    expect.arrayContaining([
      `${top}/.husky/`,
      `${top}/.git/hooks/`,
      `${top}/lib/.git/hooks/`,
      `${top}/lib/.git/config`,
    ]),
  )
  expect(places.filter((path) => path.endsWith('/.npmrc'))).toEqual([])
})

it('hidden places that commands could write are the records in workspaces, and the secrets', () => {
  const top = makeFiles({ 'work/': '' })
  mkdirSync(join(top, 'more'))
  writeFileSync(join(top, 'work/.env'), '')
  symlinkSync('x', join(top, 'work/l'))
  const options = {
    ...{ home: undefined, writable: [], readable: [], tools: [], denied: [], readOnly: [] },
    isOpened: () => false,
  }
  const hidden = [join(top, 'work/r'), join(top, 'more/r')]
  const secrets = [join(top, 'work/.env')]
  expect(
    hiddenPlaces({ ...options, workspaces: [join(top, 'work')], hidden, survey: { repositories: [], secrets } }),
  ).toEqual([join(top, 'work/r'), join(top, 'work/.env')])
})
