import { appendFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { READ_ONLY } from '../../src/sandbox/views/checkoutMode.ts'
import { writeFiles } from '../helpers/effects/makeFiles.ts'
import { commitAll } from '../helpers/git.ts'
import { sampled } from '../helpers/sampled.ts'
import { isReady, makeWorkspace, missing, open, useSandboxes } from './openedSandbox.ts'

useSandboxes()

const KINDS = ['direct', 'readOnly', 'view'] as const

/** A repository with secrets in folders that another process moves while the run has its sandbox. */
async function openMoving(name: string) {
  const place = makeWorkspace(name)
  const cwd = place.workspace
  writeFiles(cwd, { 'conf/deep/.env': 'CANARY=tracked\n' })
  const git = commitAll(cwd)
  writeFiles(cwd, { 'conf/deep/id_rsa': 'CANARY untracked\n', 'other/file': 'plain\n' })
  git('init', '-q', 'vendor')
  appendFileSync(join(cwd, 'vendor/.git/config'), '[remote "o"]\n\turl = https://user:CANARY@example.com/x\n')
  const { bash, modeOf, ...rest } = await open(place)
  const run = async (script: string, kind: (typeof KINDS)[number]) => (await bash(script, modeOf(kind))).stdout
  const move = (from: string, to: string) => renameSync(join(cwd, from), join(cwd, to))
  return { ...rest, cwd, run, move }
}

const FIND = 'grep -rs CANARY --exclude-dir=objects . ; cat other/file'

describe.skipIf(!isReady)(`secrets that another process moves${missing}`, () => {
  it.each(sampled(KINDS, 1))('are hidden under their new names (%s)', async (kind) => {
    const { run, move, cwd } = await openMoving(`moved-${kind}`)
    expect(await run(FIND, kind)).toBe('plain\n')
    move('conf', 'settings')
    expect(await run(FIND, kind)).toBe('plain\n')
    move('settings/deep', 'other/deep')
    move('vendor', 'lib')
    expect(await run(FIND, kind)).toBe('plain\n')
    rmSync(join(cwd, 'other/deep/.env'))
    expect(await run(FIND, kind)).toBe('plain\n')
  })

  it('are hidden from a command whose sandbox waited', { tags: 'long' }, async () => {
    const { access, move, run, requestOf } = await openMoving('waited')
    const waiting = access.prepare(requestOf(''), READ_ONLY)
    expect(waiting?.fits(requestOf(FIND), READ_ONLY)).toBe(true)
    move('conf', 'settings')
    expect(waiting?.fits(requestOf(FIND), READ_ONLY)).toBe(false)
    await waiting?.end()
    expect(await run(FIND, 'readOnly')).toBe('plain\n')
  })

  it('are hidden in a worktree that is made while the sandbox is open', { tags: 'long' }, async () => {
    const place = makeWorkspace('worktree')
    const cwd = place.workspace
    const git = commitAll(cwd)
    git('switch', '-qc', 'side')
    writeFiles(cwd, { '.env': 'CANARY=1\n' })
    git('add', '.')
    git('commit', '-qm', 'one')
    git('switch', '-q', 'main')
    const { bash } = await open(place)
    expect((await bash('ls -A')).stdout).toBe('.git\n')
    git('worktree', 'add', '-q', '.kode-worktrees/side', 'side')
    const look =
      'cd .kode-worktrees/side && grep -c CANARY .env; git status --porcelain; git add -A; git diff --cached --stat'
    expect(await bash(look)).toEqual({ exitCode: 0, stdout: '0\n', stderr: '' })
    git('worktree', 'remove', '.kode-worktrees/side')
    expect((await bash('ls -A')).stdout).toBe('.git\n.kode-worktrees\n')
  })
})
