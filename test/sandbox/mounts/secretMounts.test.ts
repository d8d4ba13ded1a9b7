import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeMasks } from '../../../src/sandbox/mounts/masks.ts'
import { secretMounts } from '../../../src/sandbox/mounts/secretMounts.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'

type Place = { readonly tracked?: readonly string[]; readonly repository?: string; readonly workspace?: string }

/** Hides these secrets of a checkout; says of each how it is hidden, and what git is told. */
function hide(files: Readonly<Record<string, string>>, secrets: readonly string[], place: Place = {}) {
  const { tracked = [], repository, workspace = '.' } = place
  const top = makeFiles(files)
  const scratch = makeFiles()
  makeMasks(scratch)
  const repositories = repository === undefined ? [] : [join(top, repository)]
  for (const folder of [top, ...repositories]) execFileSync('git', ['init', '-q', folder])
  if (tracked.length > 0) execFileSync('git', ['add', '-f', ...tracked], { cwd: join(top, repository ?? '.') })
  const { mounts, environment } = secretMounts({
    workspaces: [makeFiles(), join(top, workspace)],
    secrets: secrets.map((name) => join(top, name)),
    repositories,
    scratch,
  })
  const hidden = mounts.flatMap((mount) => {
    if (mount.kind !== 'readOnly' || mount.target.startsWith('/run/')) return []
    const stat = statSync(mount.source)
    const how = stat.isDirectory()
      ? 'no folder'
      : mount.source === '/dev/null'
        ? 'no file'
        : `${stat.size} bytes of nothing`
    return [`${mount.target.slice(top.length + 1)}: ${how}`]
  })
  const told = join(scratch, 'hidden-git')
  const read = (name: string) =>
    existsSync(join(told, name)) ? readFileSync(join(told, name), 'utf8').replaceAll(top, 'TOP') : undefined
  return { hidden, environment, read, mounts }
}

it('what git does not track cannot be opened, and git is told to pass over it', () => {
  const seen = hide({ '.env': 'A=1', 'keys/a': '', 'keys/b': '' }, ['.env', 'keys'])
  expect(seen.hidden).toEqual(['.env: no file', 'keys: no folder'])
  expect(seen.read('excludes-0')).toBe('/.env\n/keys\n')
  expect(seen.environment).toEqual({ GIT_CONFIG_SYSTEM: '/run/kode-run/git/config' })
})

it('what git tracks is blank, and git is told to take its content from the index', () => {
  const seen = hide({ '.env': 'A=1', 'other.env': 'AB=12' }, ['.env', 'other.env'], { tracked: ['.env'] })
  expect(seen.hidden).toEqual(['other.env: no file', '.env: 3 bytes of nothing'])
  expect(seen.read('attributes-0')).toBe('"/.env" filter=kode-run-hidden\n')
  expect(seen.read('excludes-0')).toBe('/other.env\n')
})

it('a folder is hidden as a whole, unless git tracks some of it', () => {
  const files = { 'keys/a': '1', 'keys/b/c': '12', 'keys/b/d': '', 'keys/e/f': '', 'keys/link': '-> a' }
  expect(hide(files, ['keys'], { tracked: ['keys/a', 'keys/b/c'] }).hidden).toEqual([
    ...['keys/b/d: no file', 'keys/e: no folder', 'keys/a: 1 bytes of nothing', 'keys/b/c: 2 bytes of nothing'],
  ])
  expect(hide({ ...files, x: '' }, ['keys'], { tracked: ['x'] }).hidden).toEqual(['keys: no folder'])
})

it('a link hides what it leads to in the workspace; elsewhere that is not visible', () => {
  const outside = makeFiles({ secret: '' })
  const files = { 'real/x': '', a: '-> real/x', b: `-> ${outside}/secret`, c: '-> gone', d: '-> .' }
  expect(hide(files, ['a', 'b', 'c', 'd', 'gone']).hidden).toEqual(['real/x: no file'])
  expect(hide(files, ['a', 'real/x']).hidden).toEqual(['real/x: no file'])
})

it('a repository below the workspace is told of its own, by its own paths', () => {
  const seen = hide({ '.env': '', 'lib/.env': 'x', 'lib/id_rsa': '' }, ['.env', 'lib/.env', 'lib/id_rsa'], {
    ...{ tracked: ['.env'], repository: 'lib' },
  })
  expect(seen.hidden).toEqual(['.env: no file', 'lib/id_rsa: no file', 'lib/.env: 1 bytes of nothing'])
  expect([seen.read('excludes-0'), seen.read('excludes-1')]).toEqual(['/.env\n', '/id_rsa\n'])
  expect(seen.read('attributes-1')).toBe('"/.env" filter=kode-run-hidden\n')
  expect(seen.read('config')?.match(/\[includeIf .*\n\tpath = .*/g)).toEqual([
    '[includeIf "gitdir:TOP/.git"]\n\tpath = /run/kode-run/git/config-0',
    '[includeIf "gitdir:TOP/lib/.git"]\n\tpath = /run/kode-run/git/config-1',
  ])
})

it('files of several repositories keep their own sizes, and an inner repository has its own files', () => {
  const top = makeFiles({
    'a.env': '1',
    'b.env': '12',
    'lib/a.env': '123',
    'lib/b.env': '1234',
    'lib/c.env': '12345',
    'lib/in/a.env': '123456',
  })
  const scratch = makeFiles()
  makeMasks(scratch)
  const names = ['a.env', 'b.env', 'lib/a.env', 'lib/b.env', 'lib/c.env', 'lib/in/a.env']
  for (const [folder, ...files] of [
    ['.', 'a.env', 'b.env'],
    ['lib', 'a.env', 'b.env', 'c.env'],
    ['lib/in', 'a.env'],
  ]) {
    execFileSync('git', ['init', '-q', folder ?? ''], { cwd: top })
    execFileSync('git', ['add', '-f', ...files], { cwd: join(top, folder ?? '') })
  }
  const { mounts } = secretMounts({
    ...{ workspaces: [makeFiles(), top], repositories: [join(top, 'lib'), join(top, 'lib/in')], scratch },
    secrets: names.map((name) => join(top, name)),
  })
  const sizes = mounts.flatMap((mount) =>
    mount.kind === 'readOnly' && mount.target.startsWith(top)
      ? [[mount.target.slice(top.length + 1), statSync(mount.source).size]]
      : [],
  )
  expect(sizes).toEqual(names.map((name, index) => [name, index + 1]))
})

it('a workspace in a part of a repository has its paths from the top', () => {
  const seen = hide({ 'part/.env': 'x', 'part/a.env': '' }, ['part/.env', 'part/a.env'], {
    ...{ tracked: ['part/.env'], workspace: 'part' },
  })
  expect(seen.read('attributes-0')).toBe('"/part/.env" filter=kode-run-hidden\n')
  expect(seen.read('excludes-0')).toBe('/part/a.env\n')
})

it('without a repository there is nothing to tell', () => {
  const top = makeFiles({ '.env': '' })
  const scratch = makeFiles()
  makeMasks(scratch)
  const options = { workspaces: [top], secrets: [join(top, '.env')], repositories: [], scratch }
  expect(secretMounts(options)).toMatchObject({ environment: {}, mounts: [{ target: join(top, '.env') }] })
  expect(secretMounts({ ...options, secrets: [] })).toEqual({ environment: {}, mounts: [] })
})

it('signs that mean something in a pattern mean only themselves', () => {
  const name = 'a*b?[c]\\"d.env'
  const seen = hide({ [name]: 'x', [`e${name}`]: '' }, [name, `e${name}`], { tracked: [`:(literal)${name}`] })
  expect(seen.read('attributes-0')).toBe('"/a\\\\*b\\\\?\\\\[c]\\\\\\\\\\"d.env" filter=kode-run-hidden\n')
  expect(seen.read('excludes-0')).toBe('/ea\\*b\\?\\[c]\\\\"d.env\n')
})

it('git takes a hidden file for unchanged, adds none, and fails where the index has no content', () => {
  const seen = hide({ '.env': 'A=1' }, ['.env'], { tracked: ['.env'] })
  expect(seen.read('config-0')).toBe(
    [
      '[core]',
      '\tattributesFile = /run/kode-run/git/attributes-0',
      '\texcludesFile = /run/kode-run/git/excludes-0',
      '[filter "kode-run-hidden"]',
      ...['\tclean = git cat-file blob :%f', '\tsmudge = cat', '\trequired = true\n'],
    ].join('\n'),
  )
  const machine = existsSync('/etc/gitconfig') ? '[include]\n\tpath = /etc/gitconfig\n' : ''
  expect(seen.read('config')).toBe(`${machine}[includeIf "gitdir:TOP/.git"]\n\tpath = /run/kode-run/git/config-0\n`)
  const [mount] = seen.mounts.slice(-1)
  expect(mount).toMatchObject({
    kind: 'readOnly',
    source: expect.stringMatching(/\/hidden-git$/),
    target: '/run/kode-run/git',
  })
})

it('git obeys what it is told', () => {
  const top = makeFiles({ '.env': 'A=1\n', id_rsa: '' })
  const git = (...args: string[]) => execFileSync('git', args, { cwd: top, encoding: 'utf8', env })
  const scratch = makeFiles()
  let env: Record<string, string> = { PATH: process.env['PATH'] ?? '', HOME: scratch }
  git('init', '-q')
  git('add', '.env')
  makeMasks(scratch)
  const secrets = ['.env', 'id_rsa'].map((name) => join(top, name))
  secretMounts({ workspaces: [top], secrets, repositories: [], scratch })
  // What the sandbox mounts below /run is read where it was made.
  const told = join(scratch, 'hidden-git')
  for (const name of readdirSync(told)) {
    const text = readFileSync(join(told, name), 'utf8')
    writeFileSync(join(told, name), text.replaceAll('/run/kode-run/git', told))
  }
  env = { ...env, GIT_CONFIG_SYSTEM: join(told, 'config') }
  writeFileSync(join(top, '.env'), '\0\0\0\0')
  utimesSync(join(top, '.env'), 1, 1)
  expect(git('status', '--porcelain')).toBe('A  .env\n')
  git('add', '-A')
  expect(git('ls-files')).toBe('.env\n')
  expect(git('cat-file', 'blob', ':.env')).toBe('A=1\n')
})
