import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { checkoutRoots, hiddenPlaces, planMounts, protectedPlaces } from '../../../src/sandbox/mounts/planMounts.ts'
import { secretMounts } from '../../../src/sandbox/mounts/secretMounts.ts'
import { isSystem } from '../../../src/sandbox/mounts/systemMounts.ts'
import { type Files, makeFiles } from '../../helpers/effects/makeFiles.ts'
import { gitAt } from '../../helpers/git.ts'

type Names = readonly string[]
type Scene = Readonly<Partial<Record<(typeof LISTS)[number] | 'executable' | 'closed' | 'shown' | 'absent', Names>>> & {
  readonly files?: Files
  readonly tracked?: Readonly<Record<string, Names>>
  readonly home?: string | null
  readonly scratch?: string
}
const LISTS = [
  ...(['workspaces', 'repositories', 'secrets', 'writable', 'readable', 'tools', 'denied'] as const),
  ...(['readOnly', 'hidden'] as const),
]

/** Makes the files of a scene, and the plan for it. */
function play({ files, tracked = {}, executable = [], home = 'home', scratch, ...scene }: Scene) {
  const top = makeFiles({ 'work/a': '', 'home/': '', ...files })
  const at = (name: string) => (name.startsWith('/') ? name : `${top}/${name}`)
  for (const name of executable) chmodSync(at(name), 0o755)
  for (const [repository, names] of Object.entries(tracked)) {
    gitAt(at(repository))('init', '-q')
    if (names.length > 0) gitAt(at(repository))('add', '-f', ...names)
  }
  const lists = Object.fromEntries(LISTS.map((name) => [name, (scene[name] ?? []).map(at)])) as Record<
    (typeof LISTS)[number],
    string[]
  >
  const { repositories, secrets, workspaces, ...options } = lists
  const own = scratch === undefined ? makeFiles() : at(scratch)
  const plan = planMounts({
    ...{ ...options, survey: { repositories, secrets }, home: home === null ? undefined : at(home), scratch: own },
    ...{ workspaces: workspaces.length > 0 ? workspaces : [at('work')], isOpened: () => false },
  })
  const short = (text: string) =>
    text
      .replaceAll(own, 'RUN')
      .replaceAll(top, 'TOP')
      .replace(/sources-\w+/g, 'sources')
      .replace(/(sources\/git)\/\d+/g, '$1')
  const last = (name: string) => plan.mounts.findLast(({ target }) => target === at(name))
  return { ...plan, at, short, last }
}

type Mount = ReturnType<typeof planMounts>['mounts'][number]

const isClosed = (mount: Mount | undefined) =>
  mount?.kind === 'readOnly' && (mount.source === '/dev/null' || (statSync(mount.source).mode & 0o777) === 0)

/** What stands in the place of something: a copy with its content, settings for git, or what cannot be opened. */
function contentOf(path: string): string[] {
  const stat = statSync(path)
  if (isClosed({ kind: 'readOnly', source: path, target: '' })) return ['closed']
  if (stat.isDirectory()) return readdirSync(path).flatMap((name) => [`${name}:`, ...contentOf(join(path, name))])
  const text = readFileSync(path, 'utf8').replace('[include]\n\tpath = /etc/gitconfig\n', '')
  const lines = text.replaceAll('\0', '').trimEnd().split('\n')
  if (stat.mode & 0o222) return lines
  return [`${stat.size} bytes${stat.mode & 0o111 ? ', executable' : ''}`, ...lines]
}

function tell(mount: Mount): string[] {
  const own = 'source' in mount && mount.kind === 'readOnly' && mount.source !== mount.target
  const from = 'source' in mount && mount.source !== mount.target ? ` from ${mount.source}` : ''
  return [`${mount.kind} ${mount.target}${from}`, ...(own ? contentOf(mount.source).map((line) => `    ${line}`) : [])]
}

describe('what children see', () => {
  const scenes: Readonly<Record<string, Scene>> = parse(readFileSync(new URL('plans.yml', import.meta.url), 'utf8'))

  // Read a change as what a command then sees, or no longer sees.
  it('is this, in mount order', async () => {
    const told = Object.entries(scenes).map(([name, scene]) => {
      const { mounts, environment, named, at, short } = play(scene)
      const inside = mounts.filter(({ kind, target }) =>
        kind === 'folder' ? target.startsWith(at('')) : !isSystem(target),
      )
      const lines = inside.flatMap(tell).map((line) => (line.trim() === '' ? '' : `  ${line}`))
      const more = [`  named: ${named.join(' ')}`, `  variables: ${JSON.stringify(environment)}`]
      return short([`## ${name}`, ...lines, ...more].join('\n'))
    })
    await expect(told.join('\n\n')).toMatchFileSnapshot('golden/plans.txt')
  })

  it.each(Object.entries(scenes))('keeps what must be closed, shown or absent: %s', (_, scene) => {
    const { closed = [], shown = [], absent = [] } = scene
    const { last, mounts } = play(scene)
    expect(closed.filter((name) => !isClosed(last(name)))).toEqual([])
    expect(absent.filter((name) => last(name) !== undefined)).toEqual([])
    const isShown = (mount: Mount | undefined) => mount?.kind === 'readOnly' && mount.source === mount.target
    expect(shown.filter((name) => !isShown(last(name)))).toEqual([])
    const copies = mounts.flatMap((mount) => (isSystem(mount.target) ? [] : tell(mount)))
    expect(copies.join('\n')).not.toContain('CANARY')
  })

  it('cannot have a writable place that is no folder: the message names it', () => {
    expect(() => play({ files: { file: '' }, writable: ['file'] })).toThrow(
      expect.objectContaining({
        ...{ reason: 'config', cause: expect.anything() },
        message: expect.stringMatching(/^sandbox\.writable: \/.*\/file cannot be created: EEXIST/),
      }),
    )
  })
})

const survey = { repositories: [], secrets: [] }
const GIT = { '.git/HEAD': '', '.git/objects/': '' }

it('the folders whose changes are judged are workspaces and their repositories, none inside another', () => {
  const top = makeFiles({ 'part/': '', ...GIT, 'other/x': '' })
  const roots = (...names: string[]) => checkoutRoots({ workspaces: names.map((name) => join(top, name)), survey })
  expect(roots('part')).toEqual([join(top, 'part'), join(top, '.git')])
  expect([roots('.'), roots('.', 'part', 'part')]).toEqual([[top], [top]])
})

it('protected places are those of each workspace and of each repository in it, but for what the policy opens', () => {
  const top = makeFiles({ ...GIT, 'lib/.git/HEAD': '' })
  const options = { workspaces: [top], survey: { repositories: [join(top, 'lib')], secrets: [] } }
  const places = protectedPlaces({ ...options, isOpened: (path) => path.endsWith('/.npmrc') })
  const expected = ['.husky/', '.git/hooks/', 'lib/.git/hooks/', 'lib/.git/config'].map((name) => `${top}/${name}`)
  expect(places).toEqual(expect.arrayContaining(expected))
  expect(places.filter((path) => path.endsWith('/.npmrc'))).toEqual([])
})

it('hidden places that commands could write are the records in workspaces, and the secrets', () => {
  const lists = { home: undefined, writable: [], readable: [], tools: [], denied: [], readOnly: [] }
  const places = {
    workspaces: ['/checkout'],
    hidden: ['/checkout/r', '/more/r'],
    survey: { ...survey, secrets: ['/checkout/.env'] },
  }
  expect(hiddenPlaces({ ...lists, ...places, isOpened: () => false })).toEqual(['/checkout/r', '/checkout/.env'])
})

it('git obeys what it is told of hidden files', () => {
  const top = makeFiles({ '.env': 'A=1\n', id_rsa: '' })
  const scratch = makeFiles({ 'masks/': '' })
  const told = join(scratch, 'hidden-git')
  const env = { PATH: process.env['PATH'], HOME: scratch, GIT_CONFIG_SYSTEM: join(told, 'config') }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: top, encoding: 'utf8', env })
  git('init', '-q')
  git('add', '.env')
  secretMounts({
    workspaces: [top],
    secrets: ['.env', 'id_rsa'].map((name) => join(top, name)),
    repositories: [],
    scratch,
  })
  const config = readFileSync(join(told, 'config'), 'utf8')
  expect(config.startsWith('[include]\n\tpath = /etc/gitconfig\n')).toBe(existsSync('/etc/gitconfig'))
  // What the sandbox mounts below /run is read where it was made.
  for (const name of readdirSync(told)) {
    const text = readFileSync(join(told, name), 'utf8')
    writeFileSync(join(told, name), text.replaceAll('/run/kode-run/git', told))
  }
  writeFileSync(join(top, '.env'), '\0\0\0\0')
  utimesSync(join(top, '.env'), 1, 1)
  expect(git('status', '--porcelain')).toBe('A  .env\n')
  git('add', '-A')
  expect(git('ls-files')).toBe('.env\n')
  expect(git('cat-file', 'blob', ':.env')).toBe('A=1\n')
})
