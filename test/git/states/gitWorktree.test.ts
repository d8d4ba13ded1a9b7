import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createGitRunner } from '../../../src/git/own/ownGit.ts'
import {
  addWorktree,
  isWorktreeOf,
  removeWorktree,
  saveWorktreePatch,
  worktreePatch,
  worktreePlaces,
} from '../../../src/git/states/gitWorktree.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'
import { commitAll } from '../../helpers/git.ts'
import { sampled } from '../../helpers/sampled.ts'

const runGit = createGitRunner(process.env['PATH'] ?? '')

async function worktree() {
  const base = makeFiles({ 'project/a.txt': 'a\n' })
  const root = join(base, 'project')
  const git = commitAll(root)
  const path = await addWorktree({ root, name: 'x', owner: 'me' }, runGit)
  return { base, root, path, git, canary: join(base, 'canary') }
}

const sh = (cwd: string, script: string, word = '') => void execFileSync('sh', ['-ec', script, 'sh', word], { cwd })

it('compares files whose names are not UTF-8, as git does', async () => {
  const { root, git } = await worktree()
  const write = (top: string, name: string, text: string) => writeFileSync(Buffer.from(join(top, name), 'latin1'), text)
  for (const name of ['caf\xe9.txt', '\xe9t\xe9']) write(root, name, 'old\n')
  git('add', '--all', '--', ':!.kode-worktrees')
  git('commit', '-qm', 'two')
  const path = await addWorktree({ root, name: 'y', owner: 'me' }, runGit)
  expect(await worktreePatch(path, runGit)).toBeUndefined()
  write(path, 'caf\xe9.txt', 'new\n')
  write(path, 'na\xefve.txt', 'made\n')
  const patch = Buffer.from((await worktreePatch(path, runGit)) ?? [])
  expect(patch.toString().match(/^diff .*/gm)).toEqual([
    'diff --git "a/caf\\351.txt" "b/caf\\351.txt"',
    'diff --git "a/na\\357ve.txt" "b/na\\357ve.txt"',
  ])
  execFileSync('git', ['apply'], { cwd: root, input: patch })
  expect(readFileSync(Buffer.from(join(root, 'caf\xe9.txt'), 'latin1'), 'utf8')).toBe('new\n')
})

describe('a worktree that commands have modified', () => {
  // `$1` is a program that nobody may start.
  const SWAPS = [
    [
      'a repository of its own, with a filter',
      'git init -q; git config filter.x.clean "$1"; echo "* filter=x" > .gitattributes',
    ],
    ['one with a file system monitor', 'git init -q; git config core.fsmonitor "$1"'],
    ['a file that names another', 'echo gitdir: /etc > .git'],
  ] as const
  it.each(sampled(SWAPS, 1))(
    'is compared and removed by its project alone, whatever its `.git` is now: %s',
    async (_name, swap) => {
      const { path, git, canary } = await worktree()
      sh(path, `rm .git; ${swap}; echo b > a.txt`, `env > ${canary}; cat`)
      expect(Buffer.from((await worktreePatch(path, runGit)) ?? []).toString()).toContain('-a\n+b\n')
      await removeWorktree(path)
      expect([existsSync(path), existsSync(canary)]).toEqual([false, false])
      expect(git('worktree', 'list').split('\n')).toHaveLength(1)
    },
  )

  it('is left alone if a link replaced it: nothing elsewhere is read or removed', async () => {
    const { base, path } = await worktree()
    sh(base, 'mkdir other; touch other/kept; mv "$1" moved; ln -s "$PWD/other" "$1"', path)
    await expect(worktreePatch(path, runGit)).rejects.toThrow('is no longer a folder')
    await expect(removeWorktree(path)).rejects.toThrow('is no longer a folder')
    expect(existsSync(join(base, 'other/kept'))).toBe(true)
  })
})

describe('a worktree that is asked for', () => {
  it.each([
    ['outside of git', 'rm -r .git', /^\S+ is not a git repository\.$/],
    ['in a part of a repository', 'mv .git ..', / not the top folder /],
    ['before the first commit', 'rm .git/refs/heads/main', /has no commit yet\.$/],
    ['where something is', 'touch .kode-worktrees/y', /y is there already\.$/],
    ['behind a link', 'mv .kode-worktrees away; ln -s / .kode-worktrees', /\.kode-worktrees is not a folder\.$/],
  ])('%s is refused', async (_, prepare, message) => {
    const { root, path } = await worktree()
    await removeWorktree(path)
    sh(root, prepare)
    await expect(addWorktree({ root, name: 'y', owner: 'me' }, runGit)).rejects.toThrow(message)
  })

  it('gets a record of its own where git has one of that name, and is known by its owner', async () => {
    const { root, path, git } = await worktree()
    git('worktree', 'move', '-f', '-f', path, join(root, 'away'))
    const again = await addWorktree({ root, name: 'x', owner: 'you' }, runGit)
    const [record, first] = ['x1', 'x'].map((name) => join(root, '.git/worktrees', name))
    const { own, shared } = worktreePlaces(again)
    expect(own).toEqual([again, record])
    expect(shared).toEqual(
      ['.kode-worktrees', '.kode-worktrees/.gitignore', '.git/worktrees'].map((at) => join(root, at)),
    )
    expect([isWorktreeOf(again, 'you'), isWorktreeOf(again, 'me')]).toEqual([true, false])
    await removeWorktree(again)
    expect([existsSync(record ?? ''), existsSync(first ?? '')]).toEqual([false, true])
  })
})

it('a patch is kept among the artifacts, under a name that is free, without secrets', async () => {
  const { path } = await worktree()
  const written: string[] = []
  const places = {
    ...{ artifacts: '/out', redact: (text: string) => text.replaceAll('KEY', '***') },
    artifactFiles: {
      stat: async (at: string) => (at === '/out/worktree-x.patch' ? ({} as never) : undefined),
      write: async (at: string, content: string | Uint8Array) => {
        written.push(at, String(Buffer.from(content)))
        return {} as never
      },
    },
  }
  expect(await saveWorktreePatch(path, runGit, places)).toBeUndefined()
  writeFileSync(join(path, 'a.txt'), 'a KEY\n')
  const saved = await saveWorktreePatch(path, runGit, places)
  expect(written).toEqual(['/out/worktree-x-2.patch', expect.stringContaining('+a ***\n')])
  expect(saved).toMatchObject({ path: written[0], bytes: written[1]?.length })
})
