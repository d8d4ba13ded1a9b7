import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { restoredFiles, restorePaths } from '../../../src/effects/watch/restorePaths.ts'
import { backedUp } from '../../helpers/effects/backedUp.ts'
import type { Files } from '../../helpers/effects/makeFiles.ts'
import { recordCalls } from '../../helpers/effects/recordCalls.ts'
import { treeOf } from '../../helpers/runs/treeOf.ts'

const FILES: Files = { 'p/a': 'a', 'p/empty/': '', 'p/d/b': 'b', 'p/d/e/c': 'c', 'p/l': '-> a', 'p/x': '#!' }

it('gives a folder its mode last, when it is full', async () => {
  const { at, restore, state, before } = await backedUp(FILES, (name) => chmodSync(name('d'), 0o555))
  chmodSync(at('d'), 0o755)
  rmSync(at('d'), { recursive: true })
  expect(await restore()).toEqual([])
  expect(state()).toEqual(before)
})

it('keeps the folders in which something is kept, whoever made them', async () => {
  const { at, restore, state } = await backedUp({})
  for (const path of ['n/m/kept', 'n/away', 'gone/away']) {
    mkdirSync(join(at(path), '..'), { recursive: true })
    writeFileSync(at(path), '')
  }
  expect(await restore((path) => path === 'n/m/kept')).toEqual([])
  expect(Object.keys(state())).toEqual(['n', 'n/m', 'n/m/kept'])
})

it('never writes into a file: other names of it keep their content', async () => {
  const { at, folder, restore } = await backedUp(FILES)
  linkSync(at('a'), join(folder, 'other'))
  writeFileSync(at('a'), 'evil')
  expect(await restore()).toEqual([])
  expect([readFileSync(at('a'), 'utf8'), readFileSync(join(folder, 'other'), 'utf8')]).toEqual(['a', 'evil'])
})

it('never writes through a link that stands where a folder was', async () => {
  const { at, folder, restore, state, before } = await backedUp(FILES)
  mkdirSync(join(folder, 'away/e'), { recursive: true, mode: 0o555 })
  const { mode } = lstatSync(join(folder, 'away/e'))
  rmSync(at('d'), { recursive: true })
  symlinkSync(join(folder, 'away'), at('d'))
  expect(await restore()).toEqual([])
  expect(Object.keys(treeOf(join(folder, 'away')))).toEqual(['e'])
  expect(lstatSync(join(folder, 'away/e')).mode).toBe(mode)
  expect(state()).toEqual(before)
})

it('removes nothing through a link that was put in the place of a folder since it was listed', async () => {
  const { at, folder, root, backups } = await backedUp({ 'away/x': 'mine', 'away/e/y': 'mine', 'p/new/': '' })
  rmSync(at('new'), { recursive: true })
  symlinkSync(join(folder, 'away'), at('new'))
  const created = ['new/x', 'new/e'].map((name) => ({ path: at(name), kind: 'created', entry: 'file' }) as const)
  const failed = restorePaths(created, { roots: [root], known: backups.known, kept: [] })
  expect(failed.sort()).toEqual([at('new/e'), at('new/x')])
  expect(treeOf(join(folder, 'away'))).toEqual({ e: 'folder', 'e/y': 'mine', x: 'mine' })
})

it('keeps what is not listed: in a new folder, and beside a file whose place a folder took', async () => {
  const { at, root, backups, name } = await backedUp(FILES)
  rmSync(at('a'))
  for (const path of ['a/ignored', 'a/listed', 'n/ignored', 'm/listed']) {
    mkdirSync(join(at(path), '..'), { recursive: true })
    writeFileSync(at(path), 'mine')
  }
  const created = ['a', 'a/listed', 'm', 'm/listed', 'n'].map(
    (path) => ({ path: at(path), kind: 'created', entry: path.includes('/') ? 'file' : 'folder' }) as const,
  )
  const changes = [{ path: at('a'), kind: 'deleted', entry: 'file' } as const, ...created]
  const failed = restorePaths(changes, { roots: [root], known: backups.known, kept: [] })
  expect(failed.map(name)).toEqual(['a.aside-0'])
  const { a, 'a.aside-0/ignored': aside, 'n/ignored': kept } = treeOf(root)
  expect([a, aside, kept]).toEqual(['a', 'mine', 'mine'])
  expect(existsSync(at('m'))).toBe(false)
})

it('shows a file under its name only when it is complete, with its mode and time', async () => {
  const { at, folder, restore } = await backedUp({ 'p/a': 'a' })
  writeFileSync(at('a'), 'evil')
  const { calls } = recordCalls(folder)
  await restore()
  expect(calls.filter((call) => call.includes(' p/'))).toEqual(['chmod p/new', 'lutimes p/new', 'rename p/new p/a'])
})

it('names what it has no content of, and restores the rest', async () => {
  const { at, folder, restore } = await backedUp({ 'p/a': 'a', 'p/l': '-> a' })
  writeFileSync(join(folder, 'backups/pack'), 'evil')
  writeFileSync(at('a'), 'evil')
  rmSync(at('l'))
  expect(await restore()).toEqual(['a'])
  expect(lstatSync(at('l')).isSymbolicLink()).toBe(true)
  expect(readFileSync(at('a'), 'utf8')).toBe('evil')
})

it('names what it does not know', async () => {
  const { root } = await backedUp({})
  const change = { path: join(root, 'a'), kind: 'deleted', entry: 'file' } as const
  expect(restorePaths([change], { roots: [root], known: new Map(), kept: [] })).toEqual([change.path])
  expect(existsSync(change.path)).toBe(false)
})

it('names a new entry that it cannot remove, and goes on', async () => {
  const { at, folder, restore } = await backedUp(FILES)
  for (const name of ['n', 'm']) writeFileSync(at(name), '')
  recordCalls(folder).fail('rm p/n', 'EBUSY')
  expect(await restore()).toEqual(['n'])
  expect(readdirSync(at('')).sort()).toEqual(['a', 'd', 'empty', 'l', 'n', 'x'])
})

it('restores a name that is no text', async () => {
  const { at, restore, begin } = await backedUp({ 'p/d/': '' })
  writeFileSync(Buffer.concat([Buffer.from(at('d/a')), Buffer.from([0xff])]), 'a')
  await begin()
  rmSync(at('d'), { recursive: true })
  expect(await restore()).toEqual([])
  expect(execFileSync('bash', ['-c', "cat $'a\\xff'"], { cwd: at('d'), encoding: 'utf8' })).toBe('a')
})

it.skipIf(process.getuid?.() !== 0)('restores owners and groups, also of links and folders (needs root)', async () => {
  const { at, restore } = await backedUp(FILES, (name) => {
    for (const path of ['a', 'd', 'd/e']) chownSync(name(path), 1, 2)
    execFileSync('chown', ['-h', '1:2', name('l')])
  })
  chownSync(at('a'), 1, 3)
  chownSync(at('d'), 3, 2)
  chownSync(at('d/e'), 1, 3)
  rmSync(at('l'))
  expect(await restore()).toEqual([])
  for (const path of ['a', 'd', 'd/e', 'l']) expect([lstatSync(at(path)).uid, lstatSync(at(path)).gid]).toEqual([1, 2])
})

it.skipIf(process.getuid?.() !== 0)(
  'gives no file away as no root: it writes one that is the same, and names the others',
  async () => {
    const { at, folder, restore } = await backedUp(
      { 'p/a': 'a', 'p/other': 'b', 'p/linked': 'c', 'p/twice': 'd', 'p/gone': 'e' },
      (name) => {
        for (const path of ['a', 'other', 'linked', 'twice', 'gone']) chownSync(name(path), 1, 2)
        linkSync(name('twice'), join(name(''), '../twice'))
      },
    )
    const { ino } = lstatSync(at('a'))
    writeFileSync(at('new'), '')
    renameSync(at('new'), at('other'))
    linkSync(at('linked'), join(folder, 'linked'))
    for (const path of ['a', 'other', 'linked', 'twice']) writeFileSync(at(path), 'evil')
    rmSync(at('gone'))
    recordCalls(folder).fail('lchown p/new', 'EPERM')
    expect((await restore()).sort()).toEqual(['gone', 'linked', 'other', 'twice'])
    expect(treeOf(at(''))).toEqual({ a: 'a', other: 'b', linked: 'c', twice: 'd', gone: 'e' })
    expect([lstatSync(at('a')).ino, lstatSync(at('a')).uid]).toEqual([ino, 1])
    expect(readFileSync(join(folder, 'linked'), 'utf8')).toBe('evil')
  },
)

it('tells of each file that it put back with its old stamp', async () => {
  const { at, backups } = await backedUp(FILES)
  const away = ['a', 'd', 'd/b', 'new'].map((name) => ({ path: at(name), kind: 'deleted', entry: 'file' }) as const)
  const old = backups.known.get(at('a'))?.stamp
  expect(restoredFiles(away, backups.known, [at('d/b')])).toEqual([{ path: at('a'), old }])
})

it.each<[string, (away: string, folder: string) => unknown]>([
  ['gone', () => undefined],
  ['a link now', (away, folder) => symlinkSync(away, folder)],
  ['a file now', (_, folder) => writeFileSync(folder, '')],
])('makes the folders of a file whose changes are not seen, because git ignores them: %s', async (_, change) => {
  const { at, folder, root, backups } = await backedUp({ ...FILES, 'away/e/': '' })
  rmSync(at('d'), { recursive: true })
  change(join(folder, 'away'), at('d'))
  const deleted = { path: at('d/e/c'), kind: 'deleted', entry: 'file' } as const
  const failed = restorePaths([deleted], { roots: ['/elsewhere', root], known: backups.known, kept: [] })
  expect([failed, readFileSync(at('d/e/c'), 'utf8')]).toEqual([[], 'c'])
  expect(treeOf(join(folder, 'away'))).toEqual({ e: 'folder' })
})

it('makes no folder above a root', async () => {
  const { at, folder, restore, root } = await backedUp(FILES)
  rmSync(at('d'), { recursive: true })
  const { calls } = recordCalls(folder)
  expect(await restore()).toEqual([])
  expect(calls.filter((call) => call.startsWith('mkdir'))).toEqual(['mkdir p/d', 'mkdir p/d/e'])
  rmSync(root, { recursive: true })
  expect((await restore()).sort()).toEqual(['a', 'd', 'd/b', 'd/e', 'd/e/c', 'empty', 'l', 'x'])
  expect(existsSync(root)).toBe(false)
})
