import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createGitRunner } from '../../../src/git/own/ownGit.ts'
import { addWorktree, removeWorktree, worktreePatch } from '../../../src/git/states/gitWorktree.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'
import { commitAll, gitAt } from '../../helpers/git.ts'
import { sampled } from '../../helpers/sampled.ts'

const runGit = createGitRunner(process.env['PATH'] ?? '')

async function worktree() {
  const base = makeFiles({ 'project/a.txt': 'a\n' })
  const root = join(base, 'project')
  const git = commitAll(root)
  const path = await addWorktree({ root, name: 'x', owner: 'me' }, runGit)
  return { base, root, path, git, canary: join(base, 'canary') }
}

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
  type Swap = (git: ReturnType<typeof gitAt>, path: string, trap: string) => void
  const SWAPS: readonly (readonly [string, Swap])[] = [
    [
      'a repository of its own, with a filter',
      (git, path, trap) => {
        git('init', '-q')
        git('config', 'filter.x.clean', trap)
        writeFileSync(join(path, '.gitattributes'), '* filter=x\n')
      },
    ],
    [
      'one with a file system monitor',
      (git, _path, trap) => {
        git('init', '-q')
        git('config', 'core.fsmonitor', trap)
      },
    ],
    ['a file that names another', (_git, path) => writeFileSync(join(path, '.git'), 'gitdir: /etc\n')],
  ]
  it.each(sampled(SWAPS, 1))(
    'is compared and removed by its project alone, whatever its `.git` is now: %s',
    async (_name, swap) => {
      const { path, git, canary } = await worktree()
      rmSync(join(path, '.git'))
      swap(gitAt(path), path, `env > ${canary}; cat`)
      writeFileSync(join(path, 'a.txt'), 'b\n')
      expect(Buffer.from((await worktreePatch(path, runGit)) ?? []).toString()).toContain('-a\n+b\n')
      await removeWorktree(path)
      expect([existsSync(path), existsSync(canary)]).toEqual([false, false])
      expect(git('worktree', 'list').split('\n')).toHaveLength(1)
    },
  )

  it('is left alone if a link replaced it: nothing elsewhere is read or removed', async () => {
    const { base, path } = await worktree()
    const other = join(base, 'other')
    mkdirSync(other)
    writeFileSync(join(other, 'kept'), 'x')
    renameSync(path, join(base, 'moved'))
    symlinkSync(other, path)
    await expect(worktreePatch(path, runGit)).rejects.toThrow('is no longer a folder')
    await expect(removeWorktree(path)).rejects.toThrow('is no longer a folder')
    expect(existsSync(join(other, 'kept'))).toBe(true)
  })
})
