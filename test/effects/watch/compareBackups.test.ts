import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { compareBackups, nextBaseline, touchedFiles } from '../../../src/effects/watch/compareBackups.ts'
import { openBackups } from '../../../src/effects/watch/openBackups.ts'
import { type Survey, surveyFiles } from '../../../src/effects/watch/surveyFiles.ts'
import { type Files, makeFiles } from '../../helpers/effects/makeFiles.ts'
import { RUN_GIT } from '../../helpers/runs/watchedProject.ts'

/** A checkout `p` with backups of its files; `compare` tells what has changed since, paths relative to it. */
async function watched(files: Files) {
  const folder = makeFiles({ 'p/': '', ...files })
  const root = join(folder, 'p')
  const backups = openBackups(join(folder, 'backups'), RUN_GIT)
  const { known } = backups
  const survey = () => surveyFiles({ roots: [root], repositories: [], isScratch: () => undefined, isWide: true, known })
  const begin = async () => backups.begin(await survey())
  await begin()
  onTestFinished(() => backups.close())
  const name = (path: string) => path.slice(root.length + 1)
  return {
    ...{ root, backups, survey, begin, name },
    at: (path: string) => join(root, path),
    compare: async () =>
      compareBackups(backups.known, await survey()).map(({ kind, entry, path, target, isSetId }) =>
        [`${kind} ${entry} ${name(path)}`, target && `-> ${target}`, isSetId && '(set id)']
          .filter((part) => part)
          .join(' '),
      ),
    touched: async () => {
      const now = await survey()
      return touchedFiles(backups.known, now, compareBackups(backups.known, now)).map(({ path }) => name(path))
    },
  }
}
type Lab = Awaited<ReturnType<typeof watched>>

describe('what has changed since the state that is known', () => {
  it.each<[string, Files, (lab: Lab) => unknown, string[]]>([
    ['nothing', { 'p/a': 'a', 'p/d/b': '' }, () => undefined, []],
    [
      'a new file, its folder first',
      {},
      ({ at }) => [mkdirSync(at('d')), writeFileSync(at('d/a'), '')],
      ['created folder d', 'created file d/a'],
    ],
    [
      'a removed one, its folder first',
      { 'p/d/a': '' },
      ({ at }) => rmSync(at('d'), { recursive: true }),
      ['deleted folder d', 'deleted file d/a'],
    ],
    ['a file that was written', { 'p/a': 'a' }, ({ at }) => writeFileSync(at('a'), 'b'), ['modified file a']],
    ['one that became shorter', { 'p/a': 'aa' }, ({ at }) => truncateSync(at('a'), 1), ['modified file a']],
    [
      'no file that was written with what it had',
      { 'p/a': 'a', 'p/e': '' },
      ({ at }) => [writeFileSync(at('a'), 'a'), utimesSync(at('e'), 1, 1)],
      [],
    ],
    ['no folder in which something was', { 'p/d/a': 'a' }, ({ at }) => utimesSync(at('d'), 1, 1), []],
    [
      'a mode',
      { 'p/a': 'a', 'p/d/': '' },
      ({ at }) => [chmodSync(at('a'), 0o600), chmodSync(at('d'), 0o700)],
      ['mode file a', 'mode folder d'],
    ],
    [
      'a link that leads elsewhere',
      { 'p/l': '-> a' },
      ({ at }) => [rmSync(at('l')), symlinkSync('b', at('l'))],
      ['modified link l -> b'],
    ],
    ['no link that says the same', { 'p/l': '-> a' }, ({ at }) => [rmSync(at('l')), symlinkSync('a', at('l'))], []],
    [
      'a new link, and a removed one',
      { 'p/l': '-> a' },
      ({ at }) => renameSync(at('l'), at('m')),
      ['deleted link l', 'created link m -> a'],
    ],
    [
      'a folder in the place of a file',
      { 'p/a': 'a' },
      ({ at }) => [rmSync(at('a')), mkdirSync(at('a'))],
      ['deleted file a', 'created folder a'],
    ],
    [
      'a link in the place of a folder',
      { 'p/d/a': 'a' },
      ({ at }) => [renameSync(at('d'), at('e')), symlinkSync('e', at('d'))],
      ['deleted folder d', 'created link d -> e', 'deleted file d/a', 'created folder e', 'created file e/a'],
    ],
    ['a FIFO', {}, ({ at }) => execFileSync('mkfifo', [at('f')]), ['created fifo f']],
    [
      'a set-uid bit, and a set-gid bit, of files alone',
      { 'p/a': '', 'p/b': '', 'p/d/': '' },
      ({ at }) => [
        chmodSync(at('a'), 0o4755),
        chmodSync(at('b'), 0o2755),
        chmodSync(at('d'), 0o2755),
        writeFileSync(at('n'), ''),
        chmodSync(at('n'), 0o4755),
      ],
      ['mode file a (set id)', 'mode file b (set id)', 'mode folder d', 'created file n (set id)'],
    ],
  ])('%s', async (_, files, change, expected) => {
    const lab = await watched(files)
    change(lab)
    expect(await lab.compare()).toEqual(expected)
  })

  it('is no set-uid bit that was there, nor one of a file that goes', async () => {
    const { at, begin, compare } = await watched({ 'p/a': '', 'p/b': '' })
    for (const name of ['a', 'b']) chmodSync(at(name), 0o4755)
    await begin()
    chmodSync(at('a'), 0o4711)
    rmSync(at('b'))
    expect(await compare()).toEqual(['mode file a', 'deleted file b'])
  })

  it('is a socket', async () => {
    const { at, compare } = await watched({})
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(at('s'), resolve))
    onTestFinished(() => void server.close())
    expect(await compare()).toEqual(['created socket s'])
  })

  it('is a file whose old content is not known, although it may be the same', async () => {
    const { at, compare, root } = await watched({ 'p/a': 'a' })
    writeFileSync(join(root, '../backups/pack'), 'evil')
    utimesSync(at('a'), 1, 1)
    expect(await compare()).toEqual(['modified file a'])
  })

  it.skipIf(process.getuid?.() !== 0)('is an owner or a group (needs root)', async () => {
    const { at, compare } = await watched({ 'p/a': '', 'p/b': '', 'p/d/': '' })
    chownSync(at('a'), 1, 0)
    chownSync(at('b'), 0, 1)
    chownSync(at('d'), 1, 0)
    expect(await compare()).toEqual(['mode file a', 'mode file b', 'mode folder d'])
  })
})

describe('a file that was only touched', () => {
  it('has a new stamp and no change; folders have none, nor has what is new or gone', async () => {
    const { at, touched } = await watched({
      'p/a': 'a',
      'p/b': 'b',
      'p/c': 'c',
      'p/gone': '',
      'p/same': '',
      'p/l': '-> a',
      'p/d/x': '',
    })
    expect(await touched()).toEqual([])
    writeFileSync(at('a'), 'a')
    writeFileSync(at('b'), 'other')
    linkSync(at('c'), at('n'))
    rmSync(at('gone'))
    rmSync(at('l'))
    symlinkSync('a', at('l'))
    chmodSync(at('d'), 0o700)
    expect((await touched()).sort()).toEqual(['a', 'c', 'l'])
  })

  it('is told with its old stamp and its new one', async () => {
    const { at, backups, survey } = await watched({ 'p/a': 'a' })
    const old = backups.known.get(at('a'))?.stamp
    utimesSync(at('a'), 1, 1)
    const now = await survey()
    expect(touchedFiles(backups.known, now, [])).toEqual([{ path: at('a'), old, stamp: now.found.get(at('a')) }])
  })
})

describe('the state that later changes are compared with', () => {
  type States = { readonly now: Survey; readonly after?: Survey; readonly again?: readonly string[] }
  const next = ({ backups: { known }, at }: Lab, { now, after = now, again = [] }: States) => {
    const { found, gone } = nextBaseline({ known, now, after, again: new Set(again.map(at)) })
    return (name: string) => {
      const stamp = found.get(at(name))
      if (stamp !== undefined) return stamp === now.found.get(at(name)) ? 'as judged' : 'as it is'
      return known.has(at(name)) && !gone.has(at(name)) ? 'as before' : 'nothing'
    }
  }

  it('is each path as it was judged, whatever another command made of it since', async () => {
    const lab = await watched({ 'p/a': 'a', 'p/kept': 'k', 'p/gone': 'g', 'p/back': 'b' })
    writeFileSync(lab.at('kept'), 'changed')
    rmSync(lab.at('gone'))
    rmSync(lab.at('back'))
    const now = await lab.survey()
    writeFileSync(lab.at('kept'), 'later')
    const names = ['a', 'kept', 'gone']
    expect(names.map(next(lab, { now }))).toEqual(['as before', 'as judged', 'nothing'])
    writeFileSync(lab.at('back'), 'again')
    const of = next(lab, { now, after: await lab.survey() })
    expect([...names, 'back'].map(of)).toEqual(['as before', 'as judged', 'nothing', 'as it is'])
  })

  it('is, for what was put back, the state before it, and nothing for what was removed', async () => {
    const lab = await watched({ 'p/a': 'a', 'p/gone': 'g' })
    writeFileSync(lab.at('a'), 'changed')
    writeFileSync(lab.at('n'), 'new')
    rmSync(lab.at('gone'))
    const of = next(lab, { now: await lab.survey(), again: ['a', 'n', 'gone'] })
    expect(['a', 'n', 'gone'].map(of)).toEqual(['as before', 'nothing', 'as before'])
  })

  it('is, for what has gone since, still as it was judged where it is hidden now, and nothing else', async () => {
    const lab = await watched({ 'p/hidden': 'h', 'p/gone': 'g' })
    writeFileSync(lab.at('new'), 'n')
    writeFileSync(lab.at('masked'), 'm')
    const now = await lab.survey()
    for (const name of ['gone', 'new']) rmSync(lab.at(name))
    const { found, gone } = await lab.survey()
    // Git ignores these since: they are there, and not listed.
    const after = {
      found: new Map([...found].filter(([path]) => path !== lab.at('masked'))),
      gone: new Set([...gone, lab.at('hidden')]),
    }
    const of = next(lab, { now, after })
    expect(['gone', 'new', 'hidden', 'masked'].map(of)).toEqual(['as before', 'as judged', 'nothing', 'nothing'])
  })

  it('is what is listed only because git ignores less now, and what was known before', async () => {
    const lab = await watched({ 'p/known': 'k' })
    const now = await lab.survey()
    writeFileSync(lab.at('shown'), 's')
    const of = next(lab, { now, after: await lab.survey() })
    expect(['known', 'shown'].map(of)).toEqual(['as before', 'as it is'])
  })
})
