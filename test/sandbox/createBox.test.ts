import { existsSync, mkdirSync, realpathSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Box, createBox } from '../../src/sandbox/createBox.ts'
import { surveyWorkspaces } from '../../src/sandbox/mounts/surveyWorkspaces.ts'
import { type CheckoutMode, DIRECT, READ_ONLY } from '../../src/sandbox/views/checkoutMode.ts'
import type { ViewMethod } from '../../src/sandbox/views/createView.ts'
import { makeFiles } from '../helpers/effects/makeFiles.ts'

const PROGRAMS = { bwrap: 'bwrap', unshare: 'unshare', mount: 'mount', sh: 'sh' }

async function lab(hidden: (top: string) => string[] = () => []) {
  const top = makeFiles({ 'p/a': '', 'home/': '', 'real/': '' })
  symlinkSync('real', join(top, 'link'))
  const workspace = join(top, 'p')
  const lists = { writable: [], readable: [], tools: [], denied: [], readOnly: [], hidden: hidden(top) }
  const survey = surveyWorkspaces([workspace])
  const box = await createBox('/bin/bwrap', {
    ...{ ...lists, survey, workspaces: [workspace], home: join(top, 'home'), isOpened: () => false },
  })
  onTestFinished(box.close)
  return { box, top, workspace }
}

type Settings = Parameters<Box['invoke']>[2]

function words(box: Box, checkout: CheckoutMode, settings: Partial<Settings> = {}): string[] {
  const { file, args } = box.invoke(
    { file: 'make', args: ['-j'] },
    '/p',
    { prefix: [], isOffline: false, ...settings },
    checkout,
  )
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
    expect([alone[0], alone.slice(-3), alone.includes('--unshare-net')]).toEqual([
      '/bin/bwrap',
      ['--', 'make', '-j'],
      false,
    ])
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

it('a box leaves nothing behind, nor does one that cannot be made', async () => {
  const { box } = await lab()
  mkdirSync(join(box.scratch, 'left'))
  await box.close()
  expect(existsSync(box.scratch)).toBe(false)
  expect(box.scratch.startsWith(realpathSync(tmpdir()))).toBe(true)
})
