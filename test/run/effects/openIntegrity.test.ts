import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openIntegrity } from '../../../src/run/effects/openIntegrity.ts'

function watchedRepository() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-integrity-')))
  onTestFinished(() => rmSync(top, { recursive: true }))
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', top, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args])
  git('init', '-q')
  git('commit', '-qm', 'one', '--allow-empty')
  appendFileSync(join(top, '.git/info/exclude'), 'build\n')
  const integrity = openIntegrity({
    ...{ workspaces: [top], top, home: '/nowhere', readOnly: [], isOpened: () => false, commandFiles: [], path: '' },
    survey: { repositories: [], secrets: [] },
    sandbox: { state: 'enforced', network: { mode: 'none', state: 'enforced' } } as never,
  })
  const changed = (unaccounted: string[] = []) =>
    integrity.report({ changes: [], unaccounted, processesLeft: 0 }).unaccounted_files
  return { top, git, changed }
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
  expect(changed([...branches, join(top, '.git/modules/a/b/info/refs')])).toEqual([...branches].sort())
})
