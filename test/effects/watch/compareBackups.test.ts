import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { compareBackups, nextBaseline, seenAs, touchedFiles } from '../../../src/effects/watch/compareBackups.ts'
import type { Survey } from '../../../src/effects/watch/surveyFiles.ts'
import { backedUp } from '../../helpers/effects/backedUp.ts'
import type { Files } from '../../helpers/effects/makeFiles.ts'
import { listOf, table } from '../../helpers/table.ts'

type Lab = Awaited<ReturnType<typeof backedUp>>

const FILES: Files = { 'p/a': 'a', 'p/e': '', 'p/none/': '', 'p/d/b': 'b', 'p/d/e/c': 'c', 'p/l': '-> a', 'p/x': '#!' }
const PREPARE = 'chmod 750 x d/e; touch -d @4 a'
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
    const { sh, compare, restore, state, before } = await backedUp(FILES, PREPARE)
    sh(change)
    expect(await compare()).toEqual(listOf(expected))
    expect(await restore()).toEqual([])
    expect(state()).toEqual(before)
  })

  it('is no file, link or folder that was only touched', async () => {
    const { sh, compare } = await backedUp(FILES, PREPARE)
    expect(await compare()).toEqual([])
    sh('printf a > a; touch -d @1 e d; ln -sfn a l')
    expect(await compare()).toEqual([])
  })

  it('is no set-uid bit that was there, nor one of a file that goes', async () => {
    const { sh, compare } = await backedUp({ 'p/a': '', 'p/b': '' }, 'chmod 4755 a b')
    sh('chmod 4711 a; rm b')
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
    const { sh, compare } = await backedUp({ 'p/a': 'a' })
    sh('printf evil > ../backups/pack; touch -d @1 a')
    expect(await compare()).toEqual(['modified file a'])
  })

  it.skipIf(process.getuid?.() !== 0)('is an owner or a group (needs root)', async () => {
    const { sh, compare } = await backedUp({ 'p/a': '', 'p/b': '', 'p/d/': '' })
    sh('chown 1 a d; chown :1 b')
    expect(await compare()).toEqual(['mode file a', 'mode file b', 'mode folder d'])
  })
})

describe('a file that was only touched', () => {
  it('has a new stamp and no change; folders have none, nor has what is new or gone', async () => {
    const files = { 'p/a': 'a', 'p/b': 'b', 'p/c': 'c', 'p/gone': '', 'p/same': '', 'p/l': '-> a', 'p/d/x': '' }
    const { sh, name, backups, survey } = await backedUp(files)
    const touched = async () => {
      const now = await survey()
      return touchedFiles(backups.known, now, compareBackups(backups.known, now)).map(({ path }) => name(path))
    }
    expect(await touched()).toEqual([])
    sh('printf a > a; printf other > b; ln c n; rm gone; ln -sfn a l; chmod 700 d')
    expect((await touched()).sort()).toEqual(['a', 'c', 'l'])
  })

  it('is told with its old stamp and its new one', async () => {
    const { at, sh, backups, survey } = await backedUp({ 'p/a': 'a' })
    const old = backups.known.get(at('a'))?.stamp
    sh('touch -d @1 a')
    const now = await survey()
    expect(touchedFiles(backups.known, now, [])).toEqual([{ path: at('a'), old, stamp: now.found.get(at('a')) }])
  })
})

it('the judge has seen what it wrote itself, and nothing that somebody else wrote there', async () => {
  const { at, sh, survey } = await backedUp({ 'p/a': 'a', 'p/b': 'b', 'p/gone': '', 'p/d/': '' })
  sh('rm gone')
  const { found } = await survey()
  sh('printf "new a" > a; printf "new b" > b')
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
    lab.sh('printf changed > kept; rm gone back')
    const now = await lab.survey()
    lab.sh('printf later > kept')
    const names = ['a', 'kept', 'gone']
    expect(names.map(next(lab, { now }))).toEqual(['as before', 'as judged', 'nothing'])
    lab.sh('printf again > back')
    const of = next(lab, { now, after: await lab.survey() })
    expect([...names, 'back'].map(of)).toEqual(['as before', 'as judged', 'nothing', 'as it is'])
  })

  it('is, for what was put back, the state before it, and nothing for what was removed', async () => {
    const lab = await backedUp({ 'p/a': 'a', 'p/gone': 'g' })
    lab.sh('printf changed > a; printf new > n; rm gone')
    const of = next(lab, { now: await lab.survey(), again: ['a', 'n', 'gone'] })
    expect(['a', 'n', 'gone'].map(of)).toEqual(['as before', 'nothing', 'as before'])
  })

  it('is, for what has gone since, still as it was judged where it is hidden now, and nothing else', async () => {
    const lab = await backedUp({ 'p/hidden': 'h', 'p/gone': 'g' })
    lab.sh('printf n > new; printf m > masked')
    const now = await lab.survey()
    lab.sh('rm gone new')
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
    lab.sh('printf s > shown')
    const of = next(lab, { now, after: await lab.survey() })
    expect(['known', 'shown'].map(of)).toEqual(['as before', 'as it is'])
  })
})
