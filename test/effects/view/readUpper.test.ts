import { lstatSync } from 'node:fs'
import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hasWhiteouts, makeLayer, withoutWhiteouts } from '../../helpers/effects/makeLayer.ts'
import { filesOf, listOf, table } from '../../helpers/table.ts'

const isRoot = process.getuid?.() === 0

describe('what a command changed in its view', () => {
  it.each(table`
    nothing                                                 | a=x d/b=x   | |
    a new file                                              |             | a=x     | created file a
    a changed one                                           | a=x         | a=y     | modified file a
    one that became shorter                                 | a=xx        | a=x     | modified file a
    one that was emptied, and one that was filled           | a=x b=      | a= b=x  | modified file a, modified file b
    no file that was written with the same bytes            | a=x e=      | a=x e=  |
    a folder with all that is in it                         |             | d/e/f=x d/a=x
                                    | created folder d, created file d/a, created folder d/e, created file d/e/f
    no folder that was only looked into                     | d/a=x       | d/      |
    what is in a folder                                     | d/a=x d/b=x | d/a=y   | modified file d/a
    a link with what it says                                |             | l->../x | created link l -> ../x
    one that leads elsewhere                                | l->a        | l->b    | modified link l -> b
    no link with the same words                             | l->a        | l->a    |
    a link in the place of a file                           | a=x         | a->x    | deleted file a, created link a -> x
    a file in the place of a link                           | a->x        | a=x     | deleted link a, created file a
    a folder in the place of a file                         | a=x         | a/b=y
                                    | deleted file a, created folder a, created file a/b
    a file in the place of a folder, with what was in it    | a/b=y a/c/d=z | a=x
              | deleted folder a, created file a, deleted file a/b, deleted folder a/c, deleted file a/c/d
    a name that is no text, which no rule can cover         |             | d/a\ufffd=x | created folder d, created file d/a\ufffd
    one in a folder that was there                          | d/b=        | d/a\ufffd=x | created file d/a\ufffd
    one that may have been there                            | a\ufffd=x  | a\ufffd=x   | modified file a\ufffd
    what differs from a file of the checkout, not from what its name leads to | d/a->../other other=x | d/a=x
                                    | deleted link d/a, created file d/a
    no time                                                 | a=x d/b=    | a=x d/  | | touch -d @1 a d
    no FIFO that was only opened                            |             |         | | mkfifo -m 644 f $ROOT/f
    a mode, of a file or a folder, also of the checkout itself | a=x d/b= | a=x d/
      | mode folder , mode file a, mode folder d | chmod 600 a; chmod 1755 d; chmod 711 .
    a set-uid or set-gid bit that was not there, of a file alone
      | uid=x gid=x old=x other=x | new=x uid=x gid=x old=y other=x d/
      | created folder d, mode file gid (set id), created file new (set id), modified file old, mode file other (set id), mode file uid (set id)
      | chmod 4755 new; chmod 4644 uid old $ROOT/old $ROOT/other; chmod 2644 gid other; chmod 2755 d
  `)('%s', async (_, checkout = '', view = '', expected = '', script = '') => {
    const { sh, changes } = makeLayer({ checkout: filesOf(checkout), view: filesOf(view) })
    if (script !== '') sh(script)
    expect(await changes()).toEqual(listOf(expected))
  })

  it.skipIf(!isRoot)('is an owner or a group, of a link too (needs root)', async () => {
    const files = { a: 'x', b: 'x', l: '-> a', m: '-> a' }
    const { sh, changes } = makeLayer({ checkout: files, view: files })
    sh('chown 1 a; chown :1 b; chown -h :1 l')
    expect(await changes()).toEqual(['mode file a', 'mode file b', 'mode link l -> a'])
  })

  it('is a FIFO or a socket', async () => {
    const { atUpper, sh, changes } = makeLayer({ checkout: { f: 'x' } })
    sh('mkfifo f')
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(atUpper('s'), resolve))
    onTestFinished(() => void server.close())
    expect(await changes()).toEqual(['deleted file f', 'created fifo f', 'created socket s'])
  })

  it('is told of a locked folder too, which is opened for that and reported as it was', async () => {
    const { atUpper, sh, read } = makeLayer({ checkout: { 'd/a': 'x' }, view: { 'd/a': 'y', 'n/b': 'x' } })
    sh('chmod 1000 d; chmod 477 n')
    const { children } = await read()
    expect(children.map(({ path, stat }) => [path.slice(-1), (stat?.mode ?? 0) & 0o7777])).toEqual([
      ['d', 0o1000],
      ['n', 0o477],
    ])
    expect(['d', 'n'].map((name) => lstatSync(atUpper(name)).mode & 0o7777)).toEqual([0o1700, 0o777])
    expect(children[0]?.changes.map(({ kind }) => kind)).toEqual(['mode'])
  })

  it('cannot be told without the view', async () => {
    const { read, sh } = makeLayer({})
    sh('rmdir ../upper')
    await expect(read()).rejects.toThrow('ENOENT')
  })
})

describe.skipIf(!hasWhiteouts)(`what a command removed${withoutWhiteouts}`, () => {
  it.each(table`
    a file                          | a=x          | | a     | deleted file a
    a link, without where it led    | l->a         | | l     | deleted link l
    a folder with all that was in it | d/e/f= d/a= | | d     | deleted file d/a, deleted file d/e/f, deleted folder d, deleted folder d/e
    nothing that is not there       | d/a=         | | b d/b |
    nothing in a new folder         |              | n/a=x | n/b | created file n/a, created folder n
  `)('is %s', async (_, checkout = '', view = '', gone = '', changes = '') => {
    const layer = makeLayer({ checkout: filesOf(checkout), view: filesOf(view), gone: gone.split(' ') })
    expect((await layer.changes()).sort()).toEqual(listOf(changes))
  })

  it.each(table`
    all that is not in it any more | d/a=x d/b=x d/e/f=x | d/a=x d/n= | d
      | created file d/n, deleted file d/b, deleted file d/e/f, deleted folder d/e
    also in folders that were made again in it | d/e/f=x d/e/g/h=x | d/e/g/ | d | deleted file d/e/f, deleted file d/e/g/h
    only in the folder that is marked | d/e/f=x d/a=x | d/e/  | d/e | deleted file d/e/f
    nothing where all is there again  | d/a=x         | d/a=x | d   |
  `)('is, of a folder that was made again, %s', async (_, checkout = '', view = '', opaque = '', changes = '') => {
    const layer = makeLayer({ checkout: filesOf(checkout), view: filesOf(view), opaque: [opaque] })
    expect((await layer.changes()).sort()).toEqual(listOf(changes))
  })

  it('is a set-uid file, whose bit does not matter any more', async () => {
    const { sh, changes } = makeLayer({ checkout: { s: 'x' }, gone: ['s'] })
    sh('chmod 4755 $ROOT/s')
    expect(await changes()).toEqual(['deleted file s'])
  })

  it('is known for a file of the checkout that is removed meanwhile, too', async () => {
    const { changes, atUpper } = makeLayer({ checkout: {}, gone: ['a'] })
    expect(await changes()).toEqual([])
    expect(lstatSync(atUpper('a')).rdev).toBe(0)
  })
})

describe('the tree of the changes', () => {
  it('has the places and states of each entry', async () => {
    const { read, at, atUpper } = makeLayer({ checkout: { 'd/a': 'old' }, view: { 'd/a': 'new!', n: 'x' } })
    const { children } = await read()
    const [d, n] = children
    const [a] = d?.children ?? []
    expect(d).toMatchObject({ path: at('d'), upper: atUpper('d'), changes: [], isOpaque: false })
    expect(a).toMatchObject({ path: at('d/a'), upper: atUpper('d/a'), children: [], isOpaque: false })
    expect([a?.lower?.size, a?.stat?.size]).toEqual([3, 4])
    expect([n?.lower, n?.stat?.size, n?.isOpaque]).toEqual([undefined, 1, false])
  })

  it('has the folders that were made again, even if nothing in them has changed', async () => {
    const { read } = makeLayer({
      checkout: { 'd/a': 'x', 'd/gone': 'x', 'e/f/a': 'x', 'e/f/b': 'x' },
      view: { 'd/a': 'x', 'e/f/a': 'x' },
      opaque: ['d', 'e'],
    })
    const { children } = await read()
    expect(children.map(({ isOpaque }) => isOpaque)).toEqual([true, true])
    expect(children[1]?.children.map(({ isOpaque }) => isOpaque)).toEqual([true])
  })

  it('says of a name that is no text that nobody can judge it', async () => {
    const { read } = makeLayer({ checkout: { b: '' }, view: { 'a\ufffd': 'x', 'n/b\ufffd': 'x' } })
    const { children } = await read()
    const [a, n] = children
    const nothing = { upper: undefined, stat: undefined, children: [] }
    for (const entry of [a, n?.children[0]])
      expect(entry).toMatchObject({ obstacle: 'its name is not UTF-8', ...nothing })
    expect(n?.obstacle).toBeUndefined()
  })
})
