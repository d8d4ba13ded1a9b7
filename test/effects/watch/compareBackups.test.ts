import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, linkSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { compareBackups, nextBaseline, seenAs, touchedFiles } from '../../../src/effects/watch/compareBackups.ts'
import type { Survey } from '../../../src/effects/watch/surveyFiles.ts'
import { backedUp } from '../../helpers/effects/backedUp.ts'
import type { Files } from '../../helpers/effects/makeFiles.ts'
import { listOf, table } from '../../helpers/table.ts'

type Lab = Awaited<ReturnType<typeof backedUp>>
type At = (path: string) => string

const FILES: Files = { 'p/a': 'a', 'p/e': '', 'p/none/': '', 'p/d/b': 'b', 'p/d/e/c': 'c', 'p/l': '-> a', 'p/x': '#!' }
const prepare = (at: At) => [chmodSync(at('x'), 0o750), utimesSync(at('a'), 3, 4), chmodSync(at('d/e'), 0o750)]
describe('what has changed since the state that is known', () => {
  const MOVED = 'created folder q, created file q/b, created folder q/e, created file q/e/c'
  const GONE = 'deleted file d/b, deleted folder d/e, deleted file d/e/c'
  it.each(table`
    a new file, its folders first       | mkdir -p n/m; touch n/m/x | created folder n, created folder n/m, created file n/m/x
    a removed folder, before its files  | rm -r d                   | deleted folder d, ${GONE}
    an empty one                        | rmdir none                | deleted folder none
    a moved one                         | mv d q                    | deleted folder d, ${GONE}, ${MOVED}
    a file that was written             | printf b > a              | modified file a
    one that became shorter             | printf '#' > x            | modified file x
    one that is gone                    | rm a                      | deleted file a
    modes                               | chmod 600 a; chmod 700 d; chmod 777 d/e | mode file a, mode folder d, mode folder d/e
    a link that leads elsewhere         | ln -sfn x l               | modified link l -> x
    a moved link                        | mv l m                    | deleted link l, created link m -> a
    a folder in the place of a file     | rm a; mkdir a; touch a/n  | deleted file a, created folder a, created file a/n
    a file in the place of a folder     | rm -r d; touch d          | deleted folder d, created file d, ${GONE}
    a file in the place of a link       | rm l; touch l             | deleted link l, created file l
    a link in the place of a file       | ln -sf x a                | deleted file a, created link a -> x
    a link in the place of a folder     | mv d q; ln -s q d         | deleted folder d, created link d -> q, ${GONE}, ${MOVED}
    one in the place of a folder in a folder | mv d/e q; ln -s ../q d/e
      | deleted folder d/e, created link d/e -> ../q, deleted file d/e/c, created folder q, created file q/c
    a FIFO                              | mkfifo f                  | created fifo f
    locked folders                      | printf evil > d/e/c; chmod 0 d/e d
      | mode folder d, mode folder d/e, modified file d/e/c
    a set-uid bit, and a set-gid bit, of files alone | chmod 4755 x; chmod 2755 e; chmod 2755 d; touch n; chmod 4755 n
      | mode folder d, mode file e (set id), created file n (set id), mode file x (set id)
  `)('%s, which can be undone', async (_, change = '', expected = '') => {
    const { at, compare, restore, state, before } = await backedUp(FILES, prepare)
    execFileSync('sh', ['-ec', change], { cwd: at('') })
    expect(await compare()).toEqual(listOf(expected))
    expect(await restore()).toEqual([])
    expect(state()).toEqual(before)
  })

  it('is no file, link or folder that was only touched', async () => {
    const { at, compare } = await backedUp(FILES, prepare)
    expect(await compare()).toEqual([])
    writeFileSync(at('a'), 'a')
    for (const name of ['e', 'd']) utimesSync(at(name), 1, 1)
    rmSync(at('l'))
    symlinkSync('a', at('l'))
    expect(await compare()).toEqual([])
  })

  it('is no set-uid bit that was there, nor one of a file that goes', async () => {
    const { at, begin, compare } = await backedUp({ 'p/a': '', 'p/b': '' })
    for (const name of ['a', 'b']) chmodSync(at(name), 0o4755)
    await begin()
    chmodSync(at('a'), 0o4711)
    rmSync(at('b'))
    expect(await compare()).toEqual(['mode file a', 'deleted file b'])
  })

  it('is a socket', async () => {
    const { at, compare } = await backedUp({})
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(at('s'), resolve))
    onTestFinished(() => void server.close())
    expect(await compare()).toEqual(['created socket s'])
  })

  it('is a file whose old content is not known, although it may be the same', async () => {
    const { at, compare, root } = await backedUp({ 'p/a': 'a' })
    writeFileSync(join(root, '../backups/pack'), 'evil')
    utimesSync(at('a'), 1, 1)
    expect(await compare()).toEqual(['modified file a'])
  })

  it.skipIf(process.getuid?.() !== 0)('is an owner or a group (needs root)', async () => {
    const { at, compare } = await backedUp({ 'p/a': '', 'p/b': '', 'p/d/': '' })
    chownSync(at('a'), 1, 0)
    chownSync(at('b'), 0, 1)
    chownSync(at('d'), 1, 0)
    expect(await compare()).toEqual(['mode file a', 'mode file b', 'mode folder d'])
  })
})

describe('a file that was only touched', () => {
  it('has a new stamp and no change; folders have none, nor has what is new or gone', async () => {
    const { at, name, backups, survey } = await backedUp({
      ...{ 'p/a': 'a', 'p/b': 'b', 'p/c': 'c', 'p/gone': '', 'p/same': '', 'p/l': '-> a', 'p/d/x': '' },
    })
    const touched = async () => {
      const now = await survey()
      return touchedFiles(backups.known, now, compareBackups(backups.known, now)).map(({ path }) => name(path))
    }
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
    const { at, backups, survey } = await backedUp({ 'p/a': 'a' })
    const old = backups.known.get(at('a'))?.stamp
    utimesSync(at('a'), 1, 1)
    const now = await survey()
    expect(touchedFiles(backups.known, now, [])).toEqual([{ path: at('a'), old, stamp: now.found.get(at('a')) }])
  })
})

it('the judge has seen what it wrote itself, and nothing that somebody else wrote there', async () => {
  const { at, survey } = await backedUp({ 'p/a': 'a', 'p/b': 'b', 'p/gone': '', 'p/d/': '' })
  rmSync(at('gone'))
  const { found } = await survey()
  for (const name of ['a', 'b']) writeFileSync(at(name), `new ${name}`)
  for (const name of ['a', 'b', 'gone', 'd']) seenAs(found)(at(name), Buffer.from('new a'))
  expect([...found.keys()]).toEqual([at('a')])
  expect(found.get(at('a'))?.size).toBe(5)
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
    const lab = await backedUp({ 'p/a': 'a', 'p/kept': 'k', 'p/gone': 'g', 'p/back': 'b' })
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
    const lab = await backedUp({ 'p/a': 'a', 'p/gone': 'g' })
    writeFileSync(lab.at('a'), 'changed')
    writeFileSync(lab.at('n'), 'new')
    rmSync(lab.at('gone'))
    const of = next(lab, { now: await lab.survey(), again: ['a', 'n', 'gone'] })
    expect(['a', 'n', 'gone'].map(of)).toEqual(['as before', 'nothing', 'as before'])
  })

  it('is, for what has gone since, still as it was judged where it is hidden now, and nothing else', async () => {
    const lab = await backedUp({ 'p/hidden': 'h', 'p/gone': 'g' })
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
    const lab = await backedUp({ 'p/known': 'k' })
    const now = await lab.survey()
    writeFileSync(lab.at('shown'), 's')
    const of = next(lab, { now, after: await lab.survey() })
    expect(['known', 'shown'].map(of)).toEqual(['as before', 'as it is'])
  })
})
