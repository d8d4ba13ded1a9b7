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
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { compareBackups } from '../../../src/effects/watch/compareBackups.ts'
import { openBackups } from '../../../src/effects/watch/openBackups.ts'
import { restorePaths } from '../../../src/effects/watch/restorePaths.ts'
import { surveyFiles } from '../../../src/effects/watch/surveyFiles.ts'
import { type Files, makeFiles } from '../../helpers/effects/makeFiles.ts'
import { recordCalls } from '../../helpers/effects/recordCalls.ts'
import { treeOf } from '../../helpers/runs/treeOf.ts'
import { RUN_GIT } from '../../helpers/runs/watchedProject.ts'

/** A checkout `p` with backups. `restore` undoes all that has changed since but what is kept; it returns what it could not. */
async function lab(files: Files, prepare: (at: (path: string) => string) => unknown = () => undefined) {
  const folder = makeFiles({ 'p/': '', ...files })
  const root = join(folder, 'p')
  const at = (path: string) => join(root, path)
  for (const [path, text] of Object.entries(treeOf(root))) if (!/^(?:folder|->)/.test(text)) utimesSync(at(path), 1, 2)
  prepare(at)
  const backups = openBackups(join(folder, 'backups'), RUN_GIT)
  const sight = { roots: [root], repositories: [], isScratch: () => undefined, isWide: true, mayOpen: () => true }
  const survey = () => surveyFiles({ ...sight, known: backups.known })
  onTestFinished(() => backups.close())
  await backups.begin(await survey())
  const before = stateOf(root)
  return {
    ...{ folder, root, at, before, backups },
    state: () => stateOf(root),
    begin: async () => backups.begin(await survey()),
    restore: async (isKept: (path: string) => boolean = () => false) => {
      const changes = compareBackups(backups.known, await survey())
      const kept = changes.filter(({ path }) => isKept(path.slice(root.length + 1)))
      const away = changes.filter((change) => !kept.includes(change))
      return restorePaths(away, { roots: [root], known: backups.known, kept }).map((path) =>
        path.slice(root.length + 1),
      )
    },
  }
}

/** Content, mode and time of each path; of a folder no time. */
function stateOf(root: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(treeOf(root)).map(([path, text]) => {
      const stat = lstatSync(join(root, path))
      return [path, `${text} ${(stat.mode & 0o7777).toString(8)} ${stat.isFile() ? stat.mtimeMs : ''}`]
    }),
  )
}

const FILES: Files = { 'p/a': 'a', 'p/empty/': '', 'p/d/b': 'b', 'p/d/e/c': 'c', 'p/l': '-> a', 'p/x': '#!' }

describe('restorePaths', () => {
  it.each<[string, (at: (path: string) => string) => unknown]>([
    ['a file that was written', (at) => writeFileSync(at('a'), 'evil')],
    ['one that is gone', (at) => rmSync(at('a'))],
    ['a new one', (at) => writeFileSync(at('d/n'), '')],
    [
      'a new folder with what is in it',
      (at) => [mkdirSync(at('n/m'), { recursive: true }), writeFileSync(at('n/m/x'), '')],
    ],
    ['a folder that is gone', (at) => rmSync(at('d'), { recursive: true })],
    ['an empty one', (at) => rmSync(at('empty'), { recursive: true })],
    ['a moved one', (at) => renameSync(at('d'), at('moved'))],
    ['a link that leads elsewhere', (at) => [rmSync(at('l')), symlinkSync('x', at('l'))]],
    ['a link that is gone', (at) => rmSync(at('l'))],
    ['a file in the place of a link', (at) => [rmSync(at('l')), writeFileSync(at('l'), '')]],
    ['a link in the place of a file', (at) => [rmSync(at('a')), symlinkSync('x', at('a'))]],
    ['a folder in the place of a file', (at) => [rmSync(at('a')), mkdirSync(at('a')), writeFileSync(at('a/n'), '')]],
    ['a file in the place of a folder', (at) => [rmSync(at('d'), { recursive: true }), writeFileSync(at('d'), '')]],
    ['a link in the place of a folder', (at) => [renameSync(at('d'), at('e')), symlinkSync('e', at('d'))]],
    [
      'one in the place of a folder in a folder',
      (at) => [renameSync(at('d/e'), at('e')), symlinkSync('../e', at('d/e'))],
    ],
    ['modes', (at) => [chmodSync(at('x'), 0o600), chmodSync(at('d'), 0o700), chmodSync(at('d/e'), 0o777)]],
    ['locked folders', (at) => [writeFileSync(at('d/e/c'), 'evil'), chmodSync(at('d/e'), 0), chmodSync(at('d'), 0)]],
    ['a set-uid bit', (at) => chmodSync(at('x'), 0o4777)],
  ])('undoes %s', async (_, change) => {
    const { at, before, restore, state } = await lab(FILES, (name) => {
      chmodSync(name('x'), 0o750)
      utimesSync(name('a'), 3, 4)
      chmodSync(name('d/e'), 0o750)
    })
    change(at)
    expect(await restore()).toEqual([])
    expect(state()).toEqual(before)
  })

  it('gives a folder its mode last, when it is full', async () => {
    const { at, restore, state, before } = await lab(FILES, (name) => chmodSync(name('d'), 0o555))
    chmodSync(at('d'), 0o755)
    rmSync(at('d'), { recursive: true })
    expect(await restore()).toEqual([])
    expect(state()).toEqual(before)
  })

  it('keeps the folders in which something is kept, whoever made them', async () => {
    const { at, restore, state } = await lab({})
    for (const path of ['n/m/kept', 'n/away', 'gone/away']) {
      mkdirSync(join(at(path), '..'), { recursive: true })
      writeFileSync(at(path), '')
    }
    expect(await restore((path) => path === 'n/m/kept')).toEqual([])
    expect(Object.keys(state())).toEqual(['n', 'n/m', 'n/m/kept'])
  })

  it('never writes into a file: other names of it keep their content', async () => {
    const { at, folder, restore } = await lab(FILES)
    linkSync(at('a'), join(folder, 'other'))
    writeFileSync(at('a'), 'evil')
    expect(await restore()).toEqual([])
    expect([readFileSync(at('a'), 'utf8'), readFileSync(join(folder, 'other'), 'utf8')]).toEqual(['a', 'evil'])
  })

  it('never writes through a link that stands where a folder was', async () => {
    const { at, folder, restore, state, before } = await lab(FILES)
    mkdirSync(join(folder, 'away/e'), { recursive: true })
    rmSync(at('d'), { recursive: true })
    symlinkSync(join(folder, 'away'), at('d'))
    expect(await restore()).toEqual([])
    expect(Object.keys(treeOf(join(folder, 'away')))).toEqual(['e'])
    expect(state()).toEqual(before)
  })

  it('shows a file under its name only when it is complete, with its mode and time', async () => {
    const { at, folder, restore } = await lab({ 'p/a': 'a' })
    writeFileSync(at('a'), 'evil')
    const { calls } = recordCalls(folder)
    await restore()
    expect(calls.filter((call) => call.includes(' p/'))).toEqual(['chmod p/new', 'utimes p/new', 'rename p/new p/a'])
  })

  it('names what it has no content of, and restores the rest', async () => {
    const { at, folder, restore } = await lab({ 'p/a': 'a', 'p/l': '-> a' })
    writeFileSync(join(folder, 'backups/pack'), 'evil')
    writeFileSync(at('a'), 'evil')
    rmSync(at('l'))
    expect(await restore()).toEqual(['a'])
    expect(lstatSync(at('l')).isSymbolicLink()).toBe(true)
    expect(readFileSync(at('a'), 'utf8')).toBe('evil')
  })

  it('names what it does not know', async () => {
    const { root } = await lab({})
    const change = { path: join(root, 'a'), kind: 'deleted', entry: 'file' } as const
    expect(restorePaths([change], { roots: [root], known: new Map(), kept: [] })).toEqual([change.path])
    expect(existsSync(change.path)).toBe(false)
  })

  it('names a new entry that it cannot remove, and goes on', async () => {
    const { at, folder, restore } = await lab(FILES)
    for (const name of ['n', 'm']) writeFileSync(at(name), '')
    recordCalls(folder).fail('rm p/n', 'EBUSY')
    expect(await restore()).toEqual(['n'])
    expect(readdirSync(at('')).sort()).toEqual(['a', 'd', 'empty', 'l', 'n', 'x'])
  })

  it('restores a name that is no text', async () => {
    const { at, restore, begin } = await lab({ 'p/d/': '' })
    writeFileSync(Buffer.concat([Buffer.from(at('d/a')), Buffer.from([0xff])]), 'a')
    await begin()
    rmSync(at('d'), { recursive: true })
    expect(await restore()).toEqual([])
    expect(execFileSync('bash', ['-c', "cat $'a\\xff'"], { cwd: at('d'), encoding: 'utf8' })).toBe('a')
  })

  it.skipIf(process.getuid?.() !== 0)(
    'restores owners and groups, also of links and folders (needs root)',
    async () => {
      const { at, restore } = await lab(FILES, (name) => {
        for (const path of ['a', 'd', 'd/e']) chownSync(name(path), 1, 2)
        execFileSync('chown', ['-h', '1:2', name('l')])
      })
      chownSync(at('a'), 1, 3)
      chownSync(at('d'), 3, 2)
      chownSync(at('d/e'), 1, 3)
      rmSync(at('l'))
      expect(await restore()).toEqual([])
      for (const path of ['a', 'd', 'd/e', 'l'])
        expect([lstatSync(at(path)).uid, lstatSync(at(path)).gid]).toEqual([1, 2])
    },
  )

  it.each<[string, (away: string, folder: string) => unknown]>([
    ['gone', () => undefined],
    ['a link now', (away, folder) => symlinkSync(away, folder)],
    ['a file now', (_, folder) => writeFileSync(folder, '')],
  ])('makes the folders of a file whose changes are not seen, because git ignores them: %s', async (_, change) => {
    const { at, folder, root, backups } = await lab({ ...FILES, 'away/e/': '' })
    rmSync(at('d'), { recursive: true })
    change(join(folder, 'away'), at('d'))
    const deleted = { path: at('d/e/c'), kind: 'deleted', entry: 'file' } as const
    const failed = restorePaths([deleted], { roots: ['/elsewhere', root], known: backups.known, kept: [] })
    expect([failed, readFileSync(at('d/e/c'), 'utf8')]).toEqual([[], 'c'])
    expect(treeOf(join(folder, 'away'))).toEqual({ e: 'folder' })
  })

  it('makes no folder above a root', async () => {
    const { at, folder, restore, root } = await lab(FILES)
    rmSync(at('d'), { recursive: true })
    const { calls } = recordCalls(folder)
    expect(await restore()).toEqual([])
    expect(calls.filter((call) => call.startsWith('mkdir'))).toEqual(['mkdir p/d', 'mkdir p/d/e'])
    rmSync(root, { recursive: true })
    expect((await restore()).sort()).toEqual(['a', 'd', 'd/b', 'd/e', 'd/e/c', 'empty', 'l', 'x'])
    expect(existsSync(root)).toBe(false)
  })
})
