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
const OTHER_PACK = `objects/pack/pack-${oid('b')}.pack`
const START: Files = { HEAD: 'ref: refs/heads/main\n', 'refs/heads/main': `${oid('a')}\n` }
const index = (...names: Parameters<typeof makeIndex>[0]) => makeIndex(names, { extensions: { TREE: 'x' } })

/** What stands in files of the tables by a name. */
const CONTENTS: Files = {
  ...{ OID: oid('a'), OTHER_OID: oid('b'), MAIN: 'ref: refs/heads/main\n', GOOD: deflateSync(bytes), EXEC: 'exec x\n' },
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
  const unchecked = 'refused: it was not checked because'
  const forged = `never: ${FORGED} has content that does not match its name`
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
    an index that cannot be read    | index=CACHED           | index=x             | index refused: index cannot be read
    a new pack, which is compared with its index |           | ${PACK}.idx=x ${PACK}.pack=y
      | ${PACK}.idx scratch; ${PACK}.pack scratch | verify ${PACK}.idx
    a new pack in the place of another | ${OTHER_PACK}=x     | ${PACK}.idx=x ${PACK}.pack=y
      | ${PACK}.idx scratch; ${PACK}.pack scratch; ${OTHER_PACK} skipped | verify ${PACK}.idx
    a new pack without an index     |                        | ${PACK}.pack=y      | ${PACK}.pack scratch
    an index of a pack that is removed | ${PACK}.idx=y       |                     | ${PACK}.idx skipped
    a file beside one that undoes the command: not looked at, and objects are left out
      | HEAD=MAIN refs/heads/main=OID config=CORE
      | HEAD=MAIN refs/heads/main=OID ${OBJECT}=GOOD refs/x=OTHER_OID config=CORE_MORE
      | config ${closed}; ${OBJECT} skipped; refs/x ${unchecked} config was not kept
    a file beside one that can never be kept, even if that is new |  | objects/info/alternates=x ORIG_HEAD=x
      | ORIG_HEAD ${unchecked} alternates was not kept; objects/info/alternates never: it points git to other objects
    a file beside one that is only left out: kept |          | ORIG_HEAD=x hooks/x= | ORIG_HEAD covered; hooks/x ${closed}
    files beside an object that is forged: never kept |      | ${OBJECT}=GOOD ${FORGED}=x refs/x=OTHER_OID
      | ${FORGED} ${forged}; ${OBJECT} ${forged}; refs/x ${forged}
  `)('%s', async (_, before = '', now = '', verdicts = '', asked = '') => {
    const judged = await judgeGitFiles({ before: filled(before), now: filled(now) })
    expect([judged.verdicts.join('; '), judged.asked.join('; ')]).toEqual([verdicts, asked])
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

  const link = (...names: readonly string[]) => names.map((path) => ({ path, mode: 0o120000, oid: 'e' }))
  const links = (count: number) => index(...link(...Array.from({ length: count }, (_, at) => `l${100 + at}`)))
  const unreadable = 'refused: the index brings l100: the target of this link cannot be read'
  it.each<[string, Buffer, string | undefined, string]>([
    ['that leads in', links(1), 'in', 'covered'],
    ['that leads out', links(1), 'out', 'never: the index brings l100: it leads out'],
    ['that cannot be read', links(1), undefined, unreadable],
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
  const out = 'never: HEAD brings l: it leads out'
  it.each<[string, Parameters<typeof judgeGitFiles>[0], string]>([
    ['to what is covered', { differing: { 'a..b': [['src/a', '100644']] }, blob: undefined }, 'covered'],
    ['to what is not', { differing: { 'a..b': [['docs/a', '100644']] } }, `refused: HEAD brings docs/a: no rule`],
    ['to a link that leads in', { differing: { 'a..b': [['l', '120000']] } }, 'covered'],
    ['to a link that leads out', { differing: { 'a..b': [['l', '120000']] }, blob: 'out' }, out],
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

  it('remembers what it pointed to before it was deleted, not what it was before it moved', async () => {
    const forgotten = new Map<string, string>()
    await judgeGitFiles({ before: START, now: moved, options: { forgotten } })
    expect([...forgotten]).toEqual([])
    const before = { ...START, 'refs/heads/x': oid('c') }
    const judged = await judgeGitFiles({ before, now: START, options: { forgotten } })
    expect([judged.verdicts, judged.asked]).toEqual([['refs/heads/x covered'], []])
    expect([...forgotten]).toEqual([[`${judged.gitDir} refs/heads/x`, oid('c')]])
  })

  it('is compared with what it pointed to earlier when it comes back', async () => {
    const names: string[] = []
    const get = (name: string) => {
      names.push(name)
      return oid('c')
    }
    const options = { forgotten: { get, set: () => undefined } as unknown as Map<string, string> }
    const now = { ...START, 'refs/heads/x': oid('a') }
    const judged = await judgeGitFiles({ before: START, now, options })
    expect([names, judged.asked]).toEqual([[`${judged.gitDir} refs/heads/x`], ['diff c..a']])
  })
})

describe('a new pack', () => {
  const now = { [`${PACK}.idx`]: 'x', [`${PACK}.pack`]: 'y' }
  it('is never kept if it is forged', async () => {
    const { verdicts } = await judgeGitFiles({ now, isPackTrue: false })
    const why = `never: ${PACK}.idx has content that does not match its name`
    expect(verdicts).toEqual([`${PACK}.idx ${why}`, `${PACK}.pack ${why}`])
  })

  it('is refused if it is too large to check', async () => {
    const large = join(makeFiles({ large: '' }), 'large')
    truncateSync(large, 1024 ** 3 + 1)
    const now = { [`${PACK}.pack`]: '', ...START }
    const { verdicts } = await judgeGitFiles({ now, elsewhere: { [`${PACK}.pack`]: large } })
    const why = `refused: ${PACK}.pack is too large to check`
    expect(verdicts).toEqual([`HEAD ${why}`, `${PACK}.pack skipped`, `refs/heads/main ${why}`])
  })
})

describe('a folder of the git directory', () => {
  it.each(table`
    is made for its content         | created | /x/.git/hooks   | skipped
    is left without git             | deleted | /x/.git/refs    | skipped | no
    is removed                      | deleted | /x/.git/refs    | covered
    below hooks is removed          | deleted | /x/.git/hooks/a | covered
    that ends like hooks is removed | deleted | /x/.git/myhooks | covered
    stays: hooks                    | deleted | /x/.git/hooks   | refused
    stays: info                     | deleted | /x/.git/info    | refused
    stays: modules                  | deleted | /x/.git/modules | refused
    stays: a folder of the top      | deleted | /git            | refused
  `)('%s', (_, kind = '', path = '', verdict = '', mayChangeGit = '') => {
    const change = { path, kind: kind as 'created' | 'deleted', entry: 'folder' } as const
    const why = verdict === 'refused' ? { why: 'it controls git' } : {}
    expect(gitFolderVerdict(change, mayChangeGit !== 'no')).toEqual({ kind: verdict, ...why })
  })
})
