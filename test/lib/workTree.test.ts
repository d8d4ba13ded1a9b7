import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openWorkTree, type RunGit } from '../../src/lib/workTree.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function project(): { cwd: string; git: (...args: string[]) => string; runGit: RunGit } {
  const cwd = mkdtempSync(join(tmpdir(), 'tree-'))
  folders.push(cwd)
  const env = { PATH: process.env['PATH'], HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd,
      env,
      encoding: 'utf8',
    })
  const runGit: RunGit = async (args, extra) => {
    try {
      return execFileSync('git', [...args], { cwd, env: { ...env, ...extra }, encoding: 'utf8', stdio: 'pipe' })
    } catch {
      return undefined
    }
  }
  return { cwd, git, runGit }
}

describe('openWorkTree', () => {
  it('gives the patch from a dirty start, with new, changed, deleted and binary files', async () => {
    const { cwd, git, runGit } = project()
    git('init', '-q')
    writeFileSync(join(cwd, 'a.txt'), 'one\n')
    writeFileSync(join(cwd, 'gone.txt'), 'bye\n')
    writeFileSync(join(cwd, '.gitignore'), 'ignored\n')
    git('add', '.')
    git('commit', '-qm', 'start')
    writeFileSync(join(cwd, 'a.txt'), 'dirty\n')
    writeFileSync(join(cwd, 'untracked.txt'), 'was there\n')
    const tree = await openWorkTree(cwd, runGit)
    expect(tree.commit).toBe(git('rev-parse', 'HEAD').trim())
    await tree.snapshot()
    writeFileSync(join(cwd, 'a.txt'), 'dirty\nchanged\n')
    mkdirSync(join(cwd, 'new'))
    writeFileSync(join(cwd, 'new', 'file'), 'x\n')
    writeFileSync(join(cwd, 'blob.bin'), Buffer.from([0, 1, 2, 255]))
    writeFileSync(join(cwd, 'ignored'), 'no\n')
    rmSync(join(cwd, 'gone.txt'))
    const before = readdirSync(join(cwd, '.git'), { recursive: true }).length
    const { patch, changes, note } = await tree.diff()
    await tree.close()
    expect(note).toBeNull()
    expect(changes).toEqual([
      { path: 'a.txt', status: 'modified', added: 1, removed: 0 },
      { path: 'blob.bin', status: 'added', added: 0, removed: 0 },
      { path: 'gone.txt', status: 'deleted', added: 0, removed: 1 },
      { path: 'new/file', status: 'added', added: 1, removed: 0 },
    ])
    expect(readdirSync(join(cwd, '.git'), { recursive: true }).length).toBe(before)
    writeFileSync(join(cwd, 'a.txt'), 'dirty\n')
    writeFileSync(join(cwd, 'gone.txt'), 'bye\n')
    rmSync(join(cwd, 'new'), { recursive: true })
    rmSync(join(cwd, 'blob.bin'))
    execFileSync('git', ['apply', '-'], { cwd, input: patch ?? '' })
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('dirty\nchanged\n')
    expect(existsSync(join(cwd, 'new', 'file'))).toBe(true)
  })

  it('sees only the project where that is a folder of the repository', async () => {
    const { cwd, git, runGit } = project()
    git('init', '-q')
    mkdirSync(join(cwd, 'packages/a'), { recursive: true })
    writeFileSync(join(cwd, 'top.txt'), 'top\n')
    writeFileSync(join(cwd, 'packages/a/x.txt'), 'x\n')
    git('add', '.')
    git('commit', '-qm', 'start')
    const tree = await openWorkTree(join(cwd, 'packages/a'), runGit)
    await tree.snapshot()
    writeFileSync(join(cwd, 'top.txt'), 'other\n')
    writeFileSync(join(cwd, 'packages/a/x.txt'), 'y\n')
    const { changes } = await tree.diff()
    await tree.close()
    expect(changes).toEqual([{ path: 'packages/a/x.txt', status: 'modified', added: 1, removed: 1 }])
  })

  it('runs nothing that the repository configures', async () => {
    const { cwd, git, runGit } = project()
    git('init', '-q')
    writeFileSync(join(cwd, 'a.txt'), 'one\n')
    git('add', '.')
    git('commit', '-qm', 'start')
    const trap = `touch ${join(cwd, 'pwned')}`
    git('config', 'core.fsmonitor', trap)
    git('config', 'filter.evil.clean', `${trap}; cat`)
    git('config', 'diff.evil.command', trap)
    git('config', 'diff.evil.textconv', trap)
    writeFileSync(join(cwd, '.gitattributes'), '* filter=evil diff=evil\n')
    const tree = await openWorkTree(cwd, runGit)
    await tree.snapshot()
    writeFileSync(join(cwd, 'a.txt'), 'two\n')
    const { patch } = await tree.diff()
    await tree.close()
    expect(patch).toContain('+two')
    expect(existsSync(join(cwd, 'pwned'))).toBe(false)
  })

  it('gives a patch outside of git too, without what package managers bring', async () => {
    const { cwd, runGit } = project()
    writeFileSync(join(cwd, 'a.txt'), 'one\n')
    const tree = await openWorkTree(cwd, runGit)
    expect(tree.commit).toBeNull()
    await tree.snapshot()
    writeFileSync(join(cwd, 'a.txt'), 'two\n')
    mkdirSync(join(cwd, 'node_modules'))
    writeFileSync(join(cwd, 'node_modules/x'), 'x\n')
    const { patch, changes, note } = await tree.diff()
    await tree.close()
    expect({ changes, note }).toEqual({
      changes: [{ path: 'a.txt', status: 'modified', added: 1, removed: 1 }],
      note: null,
    })
    expect(existsSync(join(cwd, '.git'))).toBe(false)
    writeFileSync(join(cwd, 'a.txt'), 'one\n')
    execFileSync('git', ['apply', '-'], { cwd, input: patch ?? '' })
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('two\n')
  })

  it('says so where a folder outside of git is too large', async () => {
    const { cwd, runGit } = project()
    writeFileSync(join(cwd, 'large'), '')
    truncateSync(join(cwd, 'large'), 300_000_000)
    const tree = await openWorkTree(cwd, runGit)
    await tree.snapshot()
    const note = 'not a git repository, and too large to be compared with its start: no patch can be made'
    expect(await tree.diff()).toEqual({ patch: null, changes: [], note })
    await tree.close()
  })

  it('says so when nothing was kept', async () => {
    const { cwd, git, runGit } = project()
    git('init', '-q')
    const empty = await openWorkTree(cwd, runGit)
    expect(empty.commit).toBeNull()
    expect(await empty.diff()).toEqual({ patch: null, changes: [], note: 'nothing was changed' })
    await empty.snapshot()
    writeFileSync(join(cwd, 'first'), 'x\n')
    expect((await empty.diff()).changes).toEqual([{ path: 'first', status: 'added', added: 1, removed: 0 }])
    await empty.close()
  })

  it('sees what changed after a git of before was killed, and in comparisons at the same time', async () => {
    const { cwd, git, runGit } = project()
    git('init', '-q')
    writeFileSync(join(cwd, 'a.txt'), 'one\n')
    let own = ''
    const lateGit: RunGit = async (args, extra) => {
      own = extra['GIT_DIR'] ?? own
      await new Promise((resolve) => setImmediate(resolve))
      return runGit(args, extra)
    }
    const tree = await openWorkTree(cwd, lateGit)
    await tree.snapshot()
    writeFileSync(join(own, 'index.lock'), '')
    writeFileSync(join(cwd, 'a.txt'), 'two\n')
    const diffs = await Promise.all([tree.diff(), tree.diff()])
    for (const { patch } of diffs) expect(patch).toContain('+two')
    await tree.close()
  })
})
