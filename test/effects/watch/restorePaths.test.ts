import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { restoredFiles, restorePaths } from '../../../src/effects/watch/restorePaths.ts'
import { backedUp } from '../../helpers/effects/backedUp.ts'
import type { Files } from '../../helpers/effects/makeFiles.ts'
import { recordCalls } from '../../helpers/effects/recordCalls.ts'
import { treeOf } from '../../helpers/runs/treeOf.ts'

const FILES: Files = { 'p/a': 'a', 'p/empty/': '', 'p/d/b': 'b', 'p/d/e/c': 'c', 'p/l': '-> a', 'p/x': '#!' }

it('gives a folder its mode last, when it is full', async () => {
  const { sh, restore, state, before } = await backedUp(FILES, 'chmod 555 d')
  sh('chmod 755 d; rm -r d')
  expect(await restore()).toEqual([])
  expect(state()).toEqual(before)
})

it('keeps the folders in which something is kept, whoever made them', async () => {
  const { sh, restore, state } = await backedUp({})
  sh('mkdir -p n/m gone; touch n/m/kept n/away gone/away')
  expect(await restore((path) => path === 'n/m/kept')).toEqual([])
  expect(Object.keys(state())).toEqual(['n', 'n/m', 'n/m/kept'])
})

it('never writes into a file: other names of it keep their content', async () => {
  const { sh, restore } = await backedUp(FILES)
  sh('ln a ../other; printf evil > a')
  expect(await restore()).toEqual([])
  expect(sh('cat a ../other')).toBe('aevil')
})

it('never writes through a link that stands where a folder was', async () => {
  const { folder, sh, restore, state, before } = await backedUp(FILES)
  sh('mkdir -p ../away/e; chmod 555 ../away/e; rm -r d; ln -s ../away d')
  expect(await restore()).toEqual([])
  expect(Object.keys(treeOf(join(folder, 'away')))).toEqual(['e'])
  expect(lstatSync(join(folder, 'away/e')).mode & 0o777).toBe(0o555)
  expect(state()).toEqual(before)
})

it('removes nothing through a link that was put in the place of a folder since it was listed', async () => {
  const { at, sh, folder, root, backups } = await backedUp({ 'away/x': 'mine', 'away/e/y': 'mine', 'p/new/': '' })
  sh('rm -r new; ln -s ../away new')
  const created = ['new/x', 'new/e'].map((name) => ({ path: at(name), kind: 'created', entry: 'file' }) as const)
  const failed = restorePaths(created, { roots: [root], known: backups.known })
  expect(failed.sort()).toEqual([at('new/e'), at('new/x')])
  expect(treeOf(join(folder, 'away'))).toEqual({ e: 'folder', 'e/y': 'mine', x: 'mine' })
})

it('keeps what is not listed: in a new folder, and beside a file whose place a folder took', async () => {
  const { at, sh, root, backups, name } = await backedUp(FILES)
  sh('rm a; mkdir a n m; printf mine | tee a/ignored a/listed n/ignored m/listed')
  const created = ['a', 'a/listed', 'm', 'm/listed', 'n'].map(
    (path) => ({ path: at(path), kind: 'created', entry: path.includes('/') ? 'file' : 'folder' }) as const,
  )
  const changes = [{ path: at('a'), kind: 'deleted', entry: 'file' } as const, ...created]
  const failed = restorePaths(changes, { roots: [root], known: backups.known })
  expect(failed.map(name)).toEqual(['a.aside-0'])
  expect(treeOf(root)).toMatchObject({ a: 'a', 'a.aside-0/ignored': 'mine', 'n/ignored': 'mine' })
  expect(existsSync(at('m'))).toBe(false)
})

it('shows a file under its name only when it is complete, with its mode and time', async () => {
  const { folder, sh, restore } = await backedUp({ 'p/a': 'a' })
  sh('printf evil > a')
  const { calls } = recordCalls(folder)
  await restore()
  expect(calls.filter((call) => call.includes(' p/'))).toEqual(['chmod p/new', 'lutimes p/new', 'rename p/new p/a'])
})

it('names what it has no content of, and restores the rest', async () => {
  const { root, sh, restore } = await backedUp({ 'p/a': 'a', 'p/l': '-> a' })
  sh('printf evil | tee ../backups/pack > a; rm l')
  expect(await restore()).toEqual(['a'])
  expect(treeOf(root)).toEqual({ a: 'evil', l: '-> a' })
})

it('names what it does not know', async () => {
  const { root } = await backedUp({})
  const change = { path: join(root, 'a'), kind: 'deleted', entry: 'file' } as const
  expect(restorePaths([change], { roots: [root], known: new Map() })).toEqual([change.path])
  expect(existsSync(change.path)).toBe(false)
})

it('names a new entry that it cannot remove, and goes on', async () => {
  const { sh, folder, restore } = await backedUp(FILES)
  sh('touch n m')
  recordCalls(folder).fail('rm p/n', 'EBUSY')
  expect(await restore()).toEqual(['n'])
  expect(sh('ls').trim().split('\n')).toEqual(['a', 'd', 'empty', 'l', 'n', 'x'])
})

it('restores a name that is no text', async () => {
  const { sh, restore, begin } = await backedUp({ 'p/d/': '' })
  sh("printf a > d/$'a\\xff'")
  await begin()
  sh('rm -r d')
  expect(await restore()).toEqual([])
  expect(sh("cat d/$'a\\xff'")).toBe('a')
})

it.skipIf(process.getuid?.() !== 0)('restores owners and groups, also of links and folders (needs root)', async () => {
  const { at, sh, restore } = await backedUp(FILES, 'chown -h 1:2 a d d/e l')
  sh('chown 1:3 a d/e; chown 3:2 d; rm l')
  expect(await restore()).toEqual([])
  const owners = ['a', 'd', 'd/e', 'l'].map((name) => lstatSync(at(name)))
  expect(owners).toMatchObject(Array(4).fill({ uid: 1, gid: 2 }))
})

it.skipIf(process.getuid?.() !== 0)(
  'gives no file away as no root: it writes one that is the same, and names the others',
  async () => {
    const { at, sh, folder, restore } = await backedUp(
      { 'p/a': 'a', 'p/other': 'b', 'p/linked': 'c', 'p/twice': 'd', 'p/gone': 'e' },
      'chown 1:2 *; ln twice ../twice',
    )
    const { ino } = lstatSync(at('a'))
    sh('touch new; mv new other; ln linked ../linked; printf evil | tee a other linked twice; rm gone')
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

it.each([
  ['gone', 'rm -r d'],
  ['a link now', 'rm -r d; ln -s ../away d'],
  ['a file now', 'rm -r d; touch d'],
])('makes the folders of a file whose changes are not seen, because git ignores them: %s', async (_, change) => {
  const { at, sh, folder, root, backups } = await backedUp({ ...FILES, 'away/e/': '' })
  sh(change)
  const deleted = { path: at('d/e/c'), kind: 'deleted', entry: 'file' } as const
  const failed = restorePaths([deleted], { roots: ['/elsewhere', root], known: backups.known })
  expect([failed, readFileSync(at('d/e/c'), 'utf8')]).toEqual([[], 'c'])
  expect(treeOf(join(folder, 'away'))).toEqual({ e: 'folder' })
})

it('makes no folder above a root', async () => {
  const { sh, folder, restore, root } = await backedUp(FILES)
  sh('rm -r d')
  const { calls } = recordCalls(folder)
  expect(await restore()).toEqual([])
  expect(calls.filter((call) => call.startsWith('mkdir'))).toEqual(['mkdir p/d', 'mkdir p/d/e'])
  sh('rm -r ../p')
  expect((await restore()).sort()).toEqual(['a', 'd', 'd/b', 'd/e', 'd/e/c', 'empty', 'l', 'x'])
  expect(existsSync(root)).toBe(false)
})
