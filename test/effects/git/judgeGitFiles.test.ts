import { createHash } from 'node:crypto'
import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { gitFolderVerdict } from '../../../src/effects/git/judgeGit.ts'
import { judgeGitFiles, oid } from '../../helpers/effects/judgeGitFiles.ts'
import { type Files, makeFiles } from '../../helpers/effects/makeFiles.ts'
import { makeIndex } from '../../helpers/effects/makeIndex.ts'
import { filesOf, table } from '../../helpers/table.ts'

const bytes = Buffer.from('blob 1\0x')
const hash = createHash('sha1').update(bytes).digest('hex')
const OBJECT = `objects/${hash.slice(0, 2)}/${hash.slice(2)}`
const FORGED = `objects/00/${'1'.repeat(38)}`
const GOOD: Files = { [OBJECT]: deflateSync(bytes) }
const PACK = `objects/pack/pack-${oid('a')}`
const START: Files = { HEAD: 'ref: refs/heads/main\n', 'refs/heads/main': `${oid('a')}\n` }
const CONFIG = { config: '[core]\n' }
const index = (...names: Parameters<typeof makeIndex>[0]) => makeIndex(names, { extensions: { TREE: 'x' } })

/** What stands in files of the tables by a name. */
const CONTENTS: Files = {
  ...{ OID: oid('a'), GOOD: deflateSync(bytes), EXEC: 'exec x\n' },
  ...{ CORE: '[core]\n', CORE_MORE: '[core]\nx = y\n', CORE_USER: '[core]\n[user]\nname = x\n' },
  ...{ INDEX: makeIndex(['a']), INDEX_AGAIN: makeIndex([{ path: 'a', stat: 1 }]) },
  ...{ CACHED: index('a'), CACHED_AGAIN: index({ path: 'a', stat: 1 }), OTHER: index('b') },
}
const filled = (cell: string): Files =>
  Object.fromEntries(Object.entries(filesOf(cell)).map(([path, text]) => [path, CONTENTS[String(text)] ?? text]))

describe('a file of the git directory', () => {
  const never = 'never: git keeps only files there'
  const closed = 'refused: it controls git, and no rule names it'
  const changes = 'never: an object of the repository never changes'
  const headless = 'refused: without it there is no repository'
  it.each(table`
    that is a link                  |                        | refs/x->y           | refs/x ${never}
    that is a record                |                        | ORIG_HEAD=x         | ORIG_HEAD covered
    that is a log                   | logs/HEAD=x            | logs/refs/x=x       | logs/HEAD scratch; logs/refs/x scratch
    HEAD that is gone               | HEAD=x                 |                     | HEAD ${headless}
    another HEAD that is gone       | worktrees/w/HEAD=OID   |                     | worktrees/w/HEAD ${headless}
    a name that only ends like it   | refs/heads/xHEAD=OID   |                     | refs/heads/xHEAD covered
    a name that only holds it       | refs/HEAD/x=OID        |                     | refs/HEAD/x covered
    a record that is gone           | ORIG_HEAD=x            |                     | ORIG_HEAD covered
    a lock                          |                        | index.lock=         | index.lock skipped
    a lock that is removed          | index.lock=            |                     | index.lock covered
    a cache that is removed         | gc.log=                |                     | gc.log skipped
    a cache that only starts like a lock | objects/incoming-x.lock.d= |             | objects/incoming-x.lock.d skipped
    other objects                   |                        | objects/info/alternates=x
      | objects/info/alternates never: it points git to other objects
    a hook                          |                        | hooks/x=            | hooks/x ${closed}
    settings                        | config=CORE            | config=CORE_MORE    | config ${closed}
    new settings                    |                        | config=             | config ${closed}
    settings that are gone          | config=                |                     | config ${closed}
    settings of the committer       | config=CORE            | config=CORE_USER    | config skipped
    such settings of a module       | modules/m/config=CORE  | modules/m/config=CORE_USER | modules/m/config ${closed}
    the index of a module, rewritten | modules/m/index=INDEX | modules/m/index=INDEX_AGAIN | modules/m/index skipped
    an object                       |                        | ${OBJECT}=GOOD | ${OBJECT} scratch
    an object that is removed       | ${OBJECT}=GOOD |                | ${OBJECT} skipped
    an object that changes          | ${OBJECT}=GOOD | ${OBJECT}=x | ${OBJECT} ${changes}
    an object with a wrong content  |                        | ${OBJECT}=x
      | ${OBJECT} never: ${OBJECT} has content that does not match its name
    a pack that is removed          | ${PACK}.pack=x |                | ${PACK}.pack skipped
    a pack that changes             | ${PACK}.pack=x | ${PACK}.pack=y | ${PACK}.pack ${changes}
    a plain step                    |                        | rebase-merge/done=x | rebase-merge/done covered
    a step that runs something      |                        | rebase-merge/git-rebase-todo=EXEC
      | rebase-merge/git-rebase-todo refused: it makes git run a command when git continues
    such a step that is removed     | rebase-merge/git-rebase-todo=EXEC | | rebase-merge/git-rebase-todo covered
    a strategy that is removed      | rebase-merge/strategy=ort |                  | rebase-merge/strategy covered
    an object that is removed beside a record | ${OBJECT}=GOOD | ORIG_HEAD=x | ORIG_HEAD covered; ${OBJECT} skipped
    an index with the same entries beside a record | index=CACHED | index=CACHED_AGAIN ORIG_HEAD=x
      | ORIG_HEAD covered; index skipped
  `)('%s', async (_, before = '', now = '', verdicts = '') => {
    expect((await judgeGitFiles({ before: filled(before), now: filled(now) })).verdicts.join('; ')).toBe(verdicts)
  })

  it('that controls git is kept if a rule allows it by name, and else names the rule', async () => {
    const of = async (behavior: 'allow' | 'deny') => {
      const ruled = () => ({ behavior, rule: { text: 'x' } as never })
      return (await judgeGitFiles({ now: { 'hooks/x': '' }, options: { ruled } })).full
    }
    expect(await of('allow')).toEqual([{ kind: 'covered' }])
    expect(await of('deny')).toMatchObject([{ kind: 'refused', rule: { text: 'x' } }])
    expect((await judgeGitFiles({ now: { 'hooks/x': '' } })).full[0]).not.toHaveProperty('rule')
  })
})

describe('a line without git', () => {
  const why = 'refused: only a git command that the rules allow may change it'
  it.each(table`
    leaves objects out                   |                | ${OBJECT}=GOOD ${PACK}.pack=x | ${OBJECT} skipped; ${PACK}.pack skipped
    leaves locks where they are          | index.lock=    |                    | index.lock skipped
    may refresh the index                | index=CACHED   | index=CACHED_AGAIN | index skipped
    may not change the index             | index=CACHED   | index=OTHER        | index ${why}
    may not change a name or a record    |                | ORIG_HEAD=x refs/x=OID | ORIG_HEAD ${why}; refs/x ${why}
    may not replace a name by a link     |                | refs/x->y          | refs/x never: git keeps only files there
  `)('%s', async (_, before = '', now = '', verdicts = '') => {
    const judged = await judgeGitFiles({ before: filled(before), now: filled(now), mayChangeGit: false })
    expect([judged.verdicts.join('; '), judged.asked]).toEqual([verdicts, []])
  })
})

describe('the other files of a command', () => {
  it('are not looked at if one undoes it, and objects are then left out', async () => {
    const now = { ...START, ...GOOD, 'refs/x': oid('b'), config: '[core]\nx = y\n' }
    const judged = await judgeGitFiles({ before: { ...START, ...CONFIG }, now })
    expect(judged.verdicts).toEqual([
      'config refused: it controls git, and no rule names it',
      `${OBJECT} skipped`,
      'refs/x refused: it was not checked because config was not kept',
    ])
    expect(judged.asked).toEqual([])
  })

  it('are not looked at if one can never be kept, even if it is new', async () => {
    const { verdicts } = await judgeGitFiles({ now: { 'objects/info/alternates': 'x', ORIG_HEAD: 'x' } })
    expect(verdicts).toEqual([
      'ORIG_HEAD refused: it was not checked because alternates was not kept',
      'objects/info/alternates never: it points git to other objects',
    ])
  })

  it('are kept if one is only left out', async () => {
    const { verdicts } = await judgeGitFiles({ now: { ORIG_HEAD: 'x', 'hooks/x': '' } })
    expect(verdicts).toEqual(['ORIG_HEAD covered', 'hooks/x refused: it controls git, and no rule names it'])
  })

  it('can never be kept with an object that is forged', async () => {
    const judged = await judgeGitFiles({ now: { ...GOOD, [FORGED]: 'x', 'refs/x': oid('b') } })
    expect(judged.verdicts.map((line) => line.split(' ')[1])).toEqual(['never:', 'never:', 'never:'])
    expect(judged.asked).toEqual([])
  })
})

describe('the index', () => {
  it('is kept without its caches, without git', async () => {
    const judged = await judgeGitFiles({ before: { index: index('a') }, now: { index: index('a', 'b') } })
    expect([judged.verdicts, judged.objects]).toEqual([['index covered'], undefined])
    expect(judged.read('index').equals(makeIndex(['a', 'b']))).toBe(true)
  })

  it('is refused, and left as it is, with a path that no rule covers', async () => {
    const judged = await judgeGitFiles({ before: { index: index('a') }, now: { index: index('docs/a'), ...GOOD } })
    expect(judged.verdicts).toEqual(['index refused: the index brings docs/a: no rule', `${OBJECT} skipped`])
    expect(judged.read('index').equals(index('docs/a'))).toBe(true)
  })

  it('is refused if it cannot be read', async () => {
    const { verdicts } = await judgeGitFiles({ before: { index: index('a') }, now: { index: 'x' } })
    expect(verdicts).toEqual(['index refused: index cannot be read'])
  })

  const link = (...names: readonly string[]) => names.map((path) => ({ path, mode: 0o120000, oid: 'e' }))
  const links = (count: number) => index(...link(...Array.from({ length: count }, (_, at) => `l${100 + at}`)))
  it.each<[string, Buffer, string | undefined, string]>([
    ['that leads in', links(1), 'in', 'covered'],
    ['that leads out', links(1), 'out', 'never: the index brings l100: it leads out'],
    [
      'that cannot be read',
      links(1),
      undefined,
      'refused: the index brings l100: the target of this link cannot be read',
    ],
    ['with 49 others', links(50), 'in', 'covered'],
    ['with 50 others', links(51), 'in', 'refused: more links were committed than can be checked'],
    ['that is a plain file', index('l100'), 'out', 'covered'],
  ])('brings a link %s', async (_, now, blob, verdict) => {
    const judged = await judgeGitFiles({ before: { index: index() }, now: { index: now }, blob })
    expect(judged.verdicts).toEqual([`index ${verdict}`])
  })
})

describe('a name that moves', () => {
  const moved = { ...START, 'refs/heads/main': `${oid('b')}\n` }
  const by = 'refs/heads/main'
  it.each<[string, Parameters<typeof judgeGitFiles>[0], string]>([
    ['to what is covered', { differing: { 'a..b': [['src/a', '100644']] }, blob: undefined }, 'covered'],
    ['to what is not', { differing: { 'a..b': [['docs/a', '100644']] } }, `refused: HEAD brings docs/a: no rule`],
    ['to a link that leads in', { differing: { 'a..b': [['l', '120000']] } }, 'covered'],
    [
      'to a link that leads out',
      { differing: { 'a..b': [['l', '120000']] }, blob: 'out' },
      'never: HEAD brings l: it leads out',
    ],
    ['to what git cannot tell', { added: undefined }, 'refused: git cannot tell what HEAD brings'],
  ])('%s', async (_, answers, verdict) => {
    const judged = await judgeGitFiles({ before: START, now: moved, added: ['b a'], ...answers })
    expect(judged.verdicts).toEqual([`${by} ${verdict}`])
    expect(judged.asked.sort()).toEqual(['diff a..b', 'new not a'])
    expect(judged.objects).toBe(`${judged.gitDir}/objects\n`)
  })

  it('is refused if it names nothing', async () => {
    const { verdicts, asked } = await judgeGitFiles({ before: START, now: { ...START, 'refs/heads/main': 'x' } })
    expect([verdicts, asked]).toEqual([[`${by} refused: ${by} names neither a branch nor a commit`], []])
  })

  it('counts remotes as they were at the start of the run', async () => {
    const before = { ...START, 'refs/remotes/o/x': oid('c') }
    const now = { ...moved, 'refs/remotes/o/x': oid('c') }
    const first = await judgeGitFiles({ before, now, added: ['b a'] })
    expect([...first.aside]).toEqual([[first.gitDir, [oid('c')]]])
    expect(first.asked).toContain('new not a c')
    const aside = { get: () => [oid('d')], set: () => aside } as unknown as Map<string, readonly string[]>
    const later = await judgeGitFiles({ before, now, added: ['b a'], options: { aside } })
    expect(later.asked).toContain('new not a d')
  })

  it('remembers what it pointed to before it was deleted', async () => {
    const forgotten = new Map<string, string>()
    const before = { ...START, 'refs/heads/x': oid('c') }
    const judged = await judgeGitFiles({ before, now: START, options: { forgotten } })
    expect([judged.verdicts, judged.asked]).toEqual([['refs/heads/x covered'], []])
    expect([...forgotten]).toEqual([[`${judged.gitDir} refs/heads/x`, oid('c')]])
  })

  it('is not remembered if it only moves', async () => {
    const forgotten = new Map<string, string>()
    await judgeGitFiles({ before: START, now: moved, options: { forgotten } })
    expect([...forgotten]).toEqual([])
  })

  it('is compared with what it pointed to earlier when it comes back', async () => {
    const names: string[] = []
    const forgotten = {
      get(name: string) {
        names.push(name)
        return oid('c')
      },
      set: () => forgotten,
    } as unknown as Map<string, string>
    const now = { ...START, 'refs/heads/x': oid('a') }
    const judged = await judgeGitFiles({ before: START, now, options: { forgotten } })
    expect([names, judged.asked]).toEqual([[`${judged.gitDir} refs/heads/x`], ['diff c..a']])
  })
})

describe('a new pack', () => {
  const now = { [`${PACK}.idx`]: 'x', [`${PACK}.pack`]: 'y' }
  it('is compared with its index', async () => {
    const judged = await judgeGitFiles({ now })
    expect(judged.verdicts).toEqual([`${PACK}.idx scratch`, `${PACK}.pack scratch`])
    expect(judged.asked).toEqual([`verify ${PACK}.idx`])
  })

  it('may take the place of another', async () => {
    const { verdicts } = await judgeGitFiles({ before: { [`objects/pack/pack-${oid('b')}.pack`]: 'x' }, now })
    expect(verdicts.map((line) => line.split(' ')[1])).toEqual(['scratch', 'scratch', 'skipped'])
  })

  it('is never kept if it is forged', async () => {
    const { verdicts } = await judgeGitFiles({ now, isPackTrue: false })
    const why = `never: ${PACK}.idx has content that does not match its name`
    expect(verdicts).toEqual([`${PACK}.idx ${why}`, `${PACK}.pack ${why}`])
  })

  it('without an index is not looked at, nor is one that is removed', async () => {
    expect((await judgeGitFiles({ now: { [`${PACK}.pack`]: 'y' } })).asked).toEqual([])
    expect((await judgeGitFiles({ before: { [`${PACK}.idx`]: 'y' } })).asked).toEqual([])
  })

  it('is refused if it is too large to check', async () => {
    const large = join(makeFiles({ large: '' }), 'large')
    const judged = async (size: number) => {
      truncateSync(large, size)
      return (await judgeGitFiles({ now: { [`${PACK}.pack`]: '', ...START }, elsewhere: { [`${PACK}.pack`]: large } }))
        .verdicts
    }
    const why = `refused: ${PACK}.pack is too large to check`
    expect(await judged(1024 ** 3 + 1)).toEqual([`HEAD ${why}`, `${PACK}.pack skipped`, `refs/heads/main ${why}`])
  })
})

describe('a folder of the git directory', () => {
  const of = (path: string, kind: 'created' | 'deleted', mayChangeGit = true) =>
    gitFolderVerdict({ path, kind, entry: 'folder' }, mayChangeGit)
  const refused = { kind: 'refused', why: 'it controls git' }
  it.each<[string, ReturnType<typeof of>, unknown]>([
    ['is made for its content', of('/x/.git/hooks', 'created'), { kind: 'skipped' }],
    ['is left without git', of('/x/.git/refs', 'deleted', false), { kind: 'skipped' }],
    ['is removed', of('/x/.git/refs', 'deleted'), { kind: 'covered' }],
    ['below hooks is removed', of('/x/.git/hooks/a', 'deleted'), { kind: 'covered' }],
    ['that ends like hooks is removed', of('/x/.git/myhooks', 'deleted'), { kind: 'covered' }],
    ['stays: hooks', of('/x/.git/hooks', 'deleted'), refused],
    ['stays: info', of('/x/.git/info', 'deleted'), refused],
    ['stays: modules', of('/x/.git/modules', 'deleted'), refused],
    ['stays: a folder of the top', of('/git', 'deleted'), refused],
  ])('%s', (_, verdict, expected) => {
    expect(verdict).toEqual(expected)
  })
})
