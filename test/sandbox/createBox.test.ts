import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync, renameSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Box, createBox } from '../../src/sandbox/createBox.ts'
import { surveyWorkspaces } from '../../src/sandbox/mounts/surveyWorkspaces.ts'
import { type CheckoutMode, DIRECT, READ_ONLY } from '../../src/sandbox/views/checkoutMode.ts'
import type { ViewMethod } from '../../src/sandbox/views/createView.ts'
import { type Files, makeFiles, writeFiles } from '../helpers/effects/makeFiles.ts'

const PROGRAMS = { bwrap: 'bwrap', unshare: 'unshare', mount: 'mount', sh: 'sh' }

async function lab(hidden: (top: string) => string[] = () => [], files: Files = {}) {
  const top = makeFiles({ 'p/a': '', 'home/': '', 'real/': '', link: '-> real', ...files })
  const workspace = join(top, 'p')
  const lists = { writable: [], readable: [], tools: [], denied: [], readOnly: [], hidden: hidden(top) }
  const survey = surveyWorkspaces([workspace])
  let surveys = 0
  const surveyAgain = () => {
    surveys += 1
    return surveyWorkspaces([workspace])
  }
  const places = { workspaces: [join(top, 'real'), workspace], home: join(top, 'home'), isOpened: () => false }
  const box = await createBox('/bin/bwrap', { ...lists, ...places, survey, surveyAgain })
  onTestFinished(box.close)
  return { box, top, workspace, surveys: () => surveys }
}

type Settings = Parameters<Box['invoke']>[2]

function words(box: Box, checkout: CheckoutMode, settings: Partial<Settings> = {}): string[] {
  const entry = { prefix: [], isOffline: false, ...settings }
  const { file, args } = box.invoke({ file: 'make', args: ['-j'] }, '/p', entry, checkout)
  return [file, ...args]
}

/** The words behind this one. */
const behind = (all: readonly string[], word: string, count: number) =>
  all.includes(word) ? all.slice(all.indexOf(word) + 1).slice(0, count) : undefined
const wordBefore = (all: readonly string[], target: string) => all[all.lastIndexOf(target) - 1]

describe('a command in the box', () => {
  it('is started by bwrap alone, or enters the network of the run first', async () => {
    const { box } = await lab()
    const alone = words(box, READ_ONLY)
    expect([alone[0], ...alone.slice(-3)]).toEqual(['/bin/bwrap', '--', 'make', '-j'])
    expect(alone).not.toContain('--unshare-net')
    expect(words(box, READ_ONLY, { isOffline: true })).toContain('--unshare-net')
    const entered = words(box, DIRECT, { prefix: ['nsenter', '--net', '--'] })
    expect(entered.slice(0, 4)).toEqual(['nsenter', '--net', '--', '/bin/bwrap'])
  })

  it.each<[ViewMethod, boolean]>([
    ['root', false],
    ['user', true],
    ['bwrap', true],
  ])('in a view that is mounted as %s has the user’s own ids', async (way, isMapped) => {
    const { box, top, workspace } = await lab()
    const folder = join(top, 'views')
    const layer = { lower: workspace, upper: join(folder, 'u'), work: join(folder, 'w'), merged: join(folder, 'm') }
    const checkout = { kind: 'view', direct: [], folder, layers: [layer] } as const
    const all = words(box, checkout, { view: { way, programs: PROGRAMS, folder: '/views' } })
    const [uid, gid] = [String(process.getuid?.()), String(process.getgid?.())]
    const inner = all.slice(all.indexOf('/bin/bwrap'))
    expect(behind(inner, '--uid', 3)).toEqual(isMapped ? [uid, '--gid', gid] : undefined)
    expect(behind(inner, '--info-fd', 1)).toEqual(['9'])
    expect(wordBefore(inner, workspace)).toBe(layer.merged)
    expect(wordBefore(inner, '/views')).toBe('--tmpfs')
    const direct = words(box, DIRECT, { view: { way, programs: PROGRAMS, folder: '/tmp/views' } })
    expect(['--uid', '--info-fd', '/tmp/views', '/views'].filter((word) => direct.includes(word))).toEqual([])
  })

  it.runIf(process.platform === 'linux')('in a view has ended with the first process of it (needs Linux)', async () => {
    const { box, top } = await lab()
    const first = spawn('sleep', ['1000'], { stdio: 'ignore' })
    onTestFinished(() => void first.kill('SIGKILL'))
    writeFiles(top, { init: JSON.stringify({ 'child-pid': first.pid }) })
    const checkout = { kind: 'view', direct: [], folder: top, layers: [] } as const
    const { ended } = box.invoke({ file: 'true', args: [] }, '/', { prefix: [], isOffline: false }, checkout)
    const order: string[] = []
    const over = ended().then(() => order.push('ended'))
    await setImmediate()
    order.push('killed')
    first.kill('SIGKILL')
    await over
    expect(order).toEqual(['killed', 'ended'])
  })

  it('has folders of the run as its own, or fresh ones that no command has written', async () => {
    const { box, top } = await lab()
    const home = join(top, 'home')
    const fresh = box.freshHome()
    for (const [checkout, folder] of [
      [DIRECT, box.scratch],
      [{ ...DIRECT, home: fresh.folder }, fresh.folder],
    ] as const) {
      const all = words(box, checkout)
      expect([home, '/tmp', '/var/tmp'].map((target) => wordBefore(all, target))).toEqual(
        ['home', 'tmp', 'var-tmp'].map((name) => join(folder, name)),
      )
      expect(['tmp', 'var-tmp'].map((name) => statSync(join(folder, name)).mode & 0o7777)).toEqual([0o1777, 0o1777])
    }
    expect([fresh.environment, fresh.folder.startsWith(join(box.scratch, 'fresh-'))]).toEqual([{}, true])
    await fresh.remove()
    expect(existsSync(fresh.folder)).toBe(false)
  })

  it('tells what is hidden by its real path, as it is now or will be', async () => {
    const { box, top } = await lab((folder) => ['p/a', 'link', 'later'].map((name) => join(folder, name)))
    const { written } = box.invoke({ file: 'true', args: [] }, '/', { prefix: [], isOffline: false }, DIRECT)
    expect(written).toEqual(['p/a', 'real', 'later'].map((name) => join(top, name)))
    expect(box.covered).toContain(join(top, 'p/a'))
    expect(box.covered).not.toContain(join(top, 'p'))
  })
})

describe('the mounts of a box', () => {
  const CLOSED = ['--ro-bind', '/dev/null']
  const isClosed = (all: readonly string[], path: string) =>
    all.some((word, at) => word === path && all.slice(at - 2, at).join() === CLOSED.join())

  it('are planned again where a hidden place has moved, was replaced or is gone, and not before', async () => {
    const { box, workspace, surveys } = await lab(undefined, { 'p/.env': '1', 'p/deep/': '' })
    const [old, moved] = [join(workspace, '.env'), join(workspace, 'deep/.env')]
    writeFiles(workspace, { other: '', 'deep/new': '' })
    expect([isClosed(words(box, READ_ONLY), old), surveys()]).toEqual([true, 0])
    renameSync(old, moved)
    const all = words(box, READ_ONLY)
    expect([isClosed(all, old), isClosed(all, moved), surveys()]).toEqual([false, true, 1])
    words(box, READ_ONLY)
    writeFiles(workspace, { 'deep/copy': '' })
    renameSync(join(workspace, 'deep/copy'), moved)
    words(box, READ_ONLY)
    expect(surveys()).toBe(2)
  })

  it('are planned again for a worktree: when it is there, when it is complete, when it was made anew', async () => {
    const { box, workspace, surveys } = await lab(undefined, { 'p/.git/worktrees/x/HEAD': '' })
    const tree = join(workspace, '.kode-worktrees/x')
    const count = (files: Files) => {
      writeFiles(workspace, files)
      words(box, DIRECT)
      return surveys()
    }
    expect(count({ '.kode-worktrees/.gitignore': '' })).toBe(1)
    expect(count({ '.kode-worktrees/x/.git': 'gitdir: ../../.git/worktrees/x\n' })).toBe(2)
    expect(count({ '.kode-worktrees/x/.env': '' })).toBe(2)
    expect(count({ '.git/worktrees/x/index': '' })).toBe(3)
    expect(isClosed(words(box, READ_ONLY), join(tree, '.env'))).toBe(true)
    renameSync(tree, join(workspace, 'away'))
    expect(count({ '.kode-worktrees/x/.git': 'gitdir: ../../.git/worktrees/x\n' })).toBe(4)
  })
})

it('a box leaves nothing behind, nor does one that cannot be made', async () => {
  const { box } = await lab()
  mkdirSync(join(box.scratch, 'left'))
  await box.close()
  expect(existsSync(box.scratch)).toBe(false)
  expect(box.scratch.startsWith(join(realpathSync(tmpdir()), 'kode-run-sandbox-'))).toBe(true)
})
