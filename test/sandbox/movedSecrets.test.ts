import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CommandRequest } from '../../src/contracts/commands.ts'
import { type CheckoutMode, DIRECT, READ_ONLY } from '../../src/sandbox/views/checkoutMode.ts'
import { createView } from '../../src/sandbox/views/createView.ts'
import { gitAt } from '../helpers/git.ts'
import { sampled } from '../helpers/sampled.ts'
import { isReady, makeWorkspace, missing, never, open, useSandboxes } from './openedSandbox.ts'

useSandboxes()

const KINDS = ['direct', 'readOnly', 'view'] as const

/** A repository with secrets in folders that another process moves while the run has its sandbox. */
async function openMoving(name: string) {
  const place = makeWorkspace(name)
  const cwd = place.workspace
  const write = (path: string, text: string) => {
    mkdirSync(join(cwd, path, '..'), { recursive: true })
    writeFileSync(join(cwd, path), text)
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd, stdio: 'pipe' })
  git('init', '-q')
  write('conf/deep/.env', 'CANARY=tracked\n')
  git('add', '.')
  git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', 'one')
  write('conf/deep/id_rsa', 'CANARY untracked\n')
  write('other/file', 'plain\n')
  git('init', '-q', 'vendor')
  appendFileSync(join(cwd, 'vendor/.git/config'), '[remote "o"]\n\turl = https://user:CANARY@example.com/x\n')
  const { access, sandbox } = await open(place)
  const modes: Record<(typeof KINDS)[number], () => CheckoutMode> = {
    direct: () => DIRECT,
    readOnly: () => READ_ONLY,
    view: () => ({ kind: 'view', direct: [], ...createView(sandbox.views.folder ?? '', sandbox.roots) }),
  }
  const requestOf = (script: string): CommandRequest => ({
    ...{ file: 'bash', args: ['-c', script], cwd, timeoutMs: 20_000, signal: never },
  })
  const run = async (script: string, kind: (typeof KINDS)[number]) =>
    (await access.runOn(requestOf(script), modes[kind]())).stdout.text
  const move = (from: string, to: string) => renameSync(join(cwd, from), join(cwd, to))
  return { cwd, access, run, move, write, requestOf }
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
    const git = gitAt(cwd)
    git('init', '-q', '-b', 'main')
    git('commit', '-qm', 'none', '--allow-empty')
    git('switch', '-qc', 'side')
    writeFileSync(join(cwd, '.env'), 'CANARY=1\n')
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
