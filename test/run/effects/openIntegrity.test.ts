import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openIntegrity } from '../../../src/run/effects/openIntegrity.ts'
import { gitAt } from '../../helpers/git.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

type Watched = { readonly path?: string; readonly state?: string; readonly commandFiles?: readonly string[] }

function watchedRepository({ path = '', state = 'enforced', commandFiles = [] }: Watched = {}) {
  const top = makeFolder()
  const git = gitAt(top)
  git('init', '-q')
  git('commit', '-qm', 'one', '--allow-empty')
  appendFileSync(join(top, '.git/info/exclude'), 'build\n')
  const integrity = openIntegrity({
    ...{ workspaces: [top], top, home: '/nowhere', readOnly: [], isOpened: () => false, commandFiles, path },
    survey: { repositories: [], secrets: [] },
    sandbox: { state, network: { mode: 'none', state: 'advisory', others: 1 } } as never,
  })
  const changed = (unaccounted: string[] = []) =>
    integrity.report({ changes: [], unaccounted, processesLeft: 0 }).unaccounted_files
  return { top, git, changed, integrity }
}

// A commit in a large checkout starts `git gc` in the background, and it may work while a run does.
it('that git tidies up its own files while a run works is no change that a call must account for', () => {
  const { git, changed } = watchedRepository()
  git('gc', '-q')
  expect(changed()).toEqual([])
})

it('a change of what controls git is one, beside the list of refs and in a place of its name', () => {
  const { top, git, changed } = watchedRepository()
  git('gc', '-q')
  appendFileSync(join(top, '.git/info/exclude'), 'src\n')
  mkdirSync(join(top, '.husky/info'), { recursive: true })
  writeFileSync(join(top, '.husky/info/refs'), 'x')
  expect(changed()).toEqual(expect.arrayContaining([join(top, '.git/info/exclude'), join(top, '.husky/info/refs')]))
})

it('a branch that has the name of the list of refs is none of git’s own files', () => {
  const { top, changed } = watchedRepository()
  const branches = ['.git/refs/heads/info/refs', '.git/modules/a/refs/heads/info/refs'].map((name) => join(top, name))
  const lists = ['.git/info/refs', '.git/modules/a/info/refs', '.git/modules/a/b/info/refs'].map((name) =>
    join(top, name),
  )
  const others = ['.git/info/refs.bak', '.git/modules/info/refs/x'].map((name) => join(top, name))
  expect(changed([...branches, ...lists, ...others])).toEqual([...branches, ...others].sort())
})

describe('a change is accounted for', () => {
  const husky = '.husky/pre-commit'
  const makeHusky = (top: string) => {
    mkdirSync(join(top, '.husky'))
    writeFileSync(join(top, husky), 'x')
  }
  const callOf = (...subjects: readonly object[]) => ({ subjects }) as never
  const pathOf = (top: string, name: string, change: object = {}) => ({
    ...{ kind: 'path', access: 'write', source: 'tool', path: { lexical: join(top, name), resolved: join(top, name) } },
    ...change,
  })

  it.each<[string, (top: string) => readonly object[], boolean]>([
    ['by a call that names the file', (top) => [{ kind: 'command' }, pathOf(top, husky)], true],
    ['by a call that names its folder', (top) => [pathOf(top, '.husky')], true],
    ['by a redirect of a line', (top) => [pathOf(top, husky, { source: 'redirect' })], true],
    [
      'by one of two names of a file',
      (top) => [pathOf(top, 'other', { path: { lexical: join(top, 'a'), resolved: join(top, '.husky') } })],
      true,
    ],
    [
      'by one of two names of a file, the other way round',
      (top) => [pathOf(top, 'other', { path: { resolved: join(top, 'a'), lexical: join(top, '.husky') } })],
      true,
    ],
    ['by no call', () => [], false],
    ['by no call that reads it', (top) => [pathOf(top, husky, { access: 'read' })], false],
    // What a command does with its operands is in the account of changes.
    ['by no operand', (top) => [pathOf(top, husky, { source: 'operand' })], false],
    ['by no call that names a neighbor', (top) => [pathOf(top, '.husky2')], false],
    ['by no command', () => [{ kind: 'command', access: 'write', path: { lexical: '/', resolved: '/' } }], false],
  ])('%s', (_, subjectsOf, isAccounted) => {
    const { top, changed, integrity } = watchedRepository()
    integrity.note(callOf(...subjectsOf(top)))
    makeHusky(top)
    expect(changed().some((path) => path.startsWith(join(top, '.husky')))).toBe(!isAccounted)
  })

  it('for a folder that came or went with a file that a call names, but for nothing else in it or in its place', () => {
    const { top, changed, integrity } = watchedRepository()
    integrity.note(callOf(pathOf(top, husky)))
    makeHusky(top)
    writeFileSync(join(top, '.husky/other'), 'x')
    expect(changed()).toEqual([join(top, '.husky/other')])
    rmSync(join(top, '.husky'), { recursive: true })
    symlinkSync('/elsewhere', join(top, '.husky'))
    expect(changed()).toEqual([join(top, '.husky')])
  })

  it('by the account of changes, whose paths are relative', () => {
    const { top, integrity } = watchedRepository()
    makeHusky(top)
    const changes = [
      { path: husky, status: 'added', added: 1, removed: 0 },
      { path: '.husky', status: 'added', added: 0, removed: 0 },
    ] as const
    expect(integrity.report({ changes, unaccounted: [], processesLeft: 0 }).unaccounted_files).toEqual([])
  })
})

it('a repository that was made in the checkout must be accounted for', () => {
  const { top, changed, integrity } = watchedRepository()
  execFileSync('git', ['init', '-q', join(top, 'vendor/lib')])
  expect(changed()).toContain(join(top, 'vendor/lib/.git'))
  // Also where a call named a file in its git directory, as a new folder of such a file would be.
  const place = join(top, 'vendor/lib/.git/config')
  const subject = { kind: 'path', access: 'write', source: 'tool', path: { lexical: place, resolved: place } }
  integrity.note({ subjects: [subject] } as never)
  expect(changed()).toContain(join(top, 'vendor/lib/.git'))
})

it('the report says what was enforced, each path once and in order, and what was left', () => {
  const folder = makeFolder()
  const file = join(folder, 'GITHUB_ENV')
  writeFileSync(file, '')
  const { integrity } = watchedRepository({ commandFiles: [file] })
  const report = () => integrity.report({ changes: [], unaccounted: ['/b', '/a', '/b'], processesLeft: 2 })
  expect(report()).toEqual({
    ...{ type: 'system', subtype: 'integrity', unaccounted_files: ['/a', '/b'], command_files_touched: [] },
    ...{ processes_left: 2, sandbox: 'enforced', network: { mode: 'none', state: 'advisory' } },
  })
  writeFileSync(file, 'A=1')
  expect(report().command_files_touched).toEqual([file])
})

it('without a sandbox, folders of programs are watched too', { tags: 'long' }, () => {
  const bin = makeFolder()
  const [off, enforced] = [watchedRepository({ path: bin, state: 'off' }), watchedRepository({ path: bin })]
  writeFileSync(join(bin, 'git'), '')
  expect(off.changed().some((path) => path.startsWith(bin))).toBe(true)
  expect(enforced.changed()).toEqual([])
})
