import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { movedRefs } from '../../../src/effects/git/movedRefs.ts'
import { type Files, makeFiles, writeFiles } from '../../helpers/effects/makeFiles.ts'
import { changesBetween } from '../../helpers/effects/playChanges.ts'
import { filesOf, listOf, table } from '../../helpers/table.ts'

const oid = (letter: string) => letter.repeat(40)
const MAIN: Files = { HEAD: 'ref: refs/heads/main\n', 'refs/heads/main': `${oid('a')}\n` }

/** Files whose content is a letter, which stands for a commit, or a name of LONG: `refs/heads/x=b`. */
const LONG: Record<string, string> = {
  ...{ TO_MAIN: 'ref: refs/heads/main\n', TO_ASIDE: 'ref: refs/remotes/o/x\n', TO_HEAD: 'ref: HEAD\n', NO: 'x' },
  PACKED: `# pack-refs\n${oid('b')} refs/heads/x\n`,
  MAIN: `${oid('a')} refs/heads/main\n`,
  THREE: `${oid('b')} refs/heads/x\n${oid('c')} refs/heads/y\n${oid('d')} refs/heads/z\n`,
  OTHERS: `${oid('b')} refs/heads/x\n${oid('e')} refs/heads/y\n${oid('f')} refs/heads/n\n`,
}
const filled = (cell: string): Files =>
  Object.fromEntries(
    Object.entries(filesOf(cell)).map(([path, text]) => [
      path,
      LONG[String(text)] ?? (text === '' ? '' : oid(String(text))),
    ]),
  )

/** The names that move from some files of refs to others, as `name a>b`. `gitDir`: of a linked worktree. */
function moves(before: Files, now: Files, gitDir = '') {
  const folder = makeFiles({ 'git/': '', 'copy/': '' })
  const [common, copy] = [join(folder, 'git'), join(folder, 'copy')]
  writeFiles(common, before)
  writeFiles(copy, now)
  const changes = changesBetween(common, copy).filter(({ entry }) => entry === 'file')
  const found = movedRefs(
    { top: folder, gitDir: join(common, gitDir), commonDir: common, oidBytes: 20, shallow: '' },
    changes,
    { now: (path) => path.replace(common, copy), before: (path) => (existsSync(path) ? path : undefined) },
  )
  const name = (path: string) => path.replace(`${common}/`, '')
  const letters = (oids: readonly string[]) =>
    oids
      .map((each) => each[0])
      .sort()
      .join('')
  const { judged, aside } = found.tips()
  return {
    moved: found.moved.map((ref) => `${name(ref.name)} ${ref.before?.[0] ?? ''}>${ref.now?.[0] ?? ''}`).sort(),
    head: found.head?.[0],
    damaged: found.damaged === undefined ? undefined : name(found.damaged),
    tips: `${letters(judged)} ${letters(aside)}`,
  }
}

const WORKTREE = 'worktrees/wt/HEAD'

it.each(table`
  nothing                                       | | |
  a branch, and HEAD with it                    | | refs/heads/main=b | HEAD a>b, refs/heads/main a>b
  a new branch                                  | | refs/heads/x=b    | refs/heads/x >b
  a branch with the same target in other words  | | refs/heads/main=a |
  HEAD alone                                    | | HEAD=b            | HEAD a>b
  a tag that is gone                            | refs/tags/t=b | refs/tags/t= | refs/tags/t b>
  a symbolic name of a branch that moves        | refs/heads/s=TO_MAIN refs/heads/y=c | refs/heads/main=b
    | HEAD a>b, refs/heads/main a>b, refs/heads/s a>b
  packed names                                  | packed-refs=THREE | packed-refs=OTHERS
    | refs/heads/n >f, refs/heads/y c>e, refs/heads/z d>
  a name that is packed now                     | | packed-refs=MAIN refs/heads/main= |
  HEAD of another worktree                      | ${WORKTREE}=b | ${WORKTREE}=c | ${WORKTREE} b>c
  a record of another worktree                  | | worktrees/w/x/HEAD=c |
  a file that only ends like HEAD               | | worktrees/w/xHEAD=c |
  a file that only starts like HEAD             | | worktrees/w/HEADx=c |
  a folder that only ends like it               | | x/worktrees/wt/HEAD=c |
  no name aside | | refs/stash=b refs/remotes/o/x=b refs/notes/x=b refs/bisect/x=b |
  none of the others | | refs/original/x=b refs/rewritten/x=b refs/prefetch/x=b refs/worktree/x=b |
  a name that starts like one aside             | | refs/stashes=b | refs/stashes >b
  a branch that is called like one aside        | | refs/heads/refs/stash=b | refs/heads/refs/stash >b
`)('finds %s', (_, before = '', now = '', expected = '') => {
  const old = { ...MAIN, ...filled(before) }
  const all = Object.entries({ ...old, ...filled(now) }).filter(([, content]) => content !== '')
  const found = moves(old, Object.fromEntries(all))
  expect([found.moved, found.head, found.damaged]).toEqual([listOf(expected), 'a', undefined])
})

it('finds HEAD of the main folder from a linked worktree, and its own only once', () => {
  const before = { ...MAIN, [WORKTREE]: oid('b') }
  const now = { ...MAIN, HEAD: oid('c'), [WORKTREE]: oid('d') }
  const found = moves(before, now, 'worktrees/wt')
  expect([found.moved, found.head]).toEqual([['HEAD a>c', 'HEAD b>d'], 'b'])
})

it('finds HEAD of a worktree outside of the common folder as its own alone', () => {
  const folder = makeFiles({ HEAD: oid('a'), 'common/refs/': '', new: oid('b') })
  const [path, commonDir] = [join(folder, 'HEAD'), join(folder, 'common')]
  const repository = { top: folder, gitDir: folder, commonDir, oidBytes: 20, shallow: '' } as const
  const states = { now: () => join(folder, 'new'), before: (of: string) => (existsSync(of) ? of : undefined) }
  const { moved } = movedRefs(repository, [{ path, kind: 'modified', entry: 'file' }], states)
  expect(moved).toEqual([{ name: 'HEAD', before: oid('a'), now: oid('b') }])
})

it('tells names that are judged from remotes, loose or packed, and leaves the others aside', () => {
  const packed = `${oid('e')} refs/heads/p\n${oid('f')} refs/remotes/o/p\n${oid('a')} refs/heads/twice\n`
  const loose = 'refs/tags/t=b refs/remotes/o/x=c refs/stash=d refs/tags/broken=NO refs/heads/refs/remotes/x=2'
  const now = { ...MAIN, HEAD: oid('0'), ...filled(loose), 'packed-refs': packed }
  const before = { ...now, 'refs/heads/gone': oid('1') }
  expect(moves(before, now).tips).toBe('012abe cf')
  expect(moves(before, { ...before, 'refs/heads/new': oid('3') }).tips).toBe('012abe cf')
})

it('knows neither a commit nor tips where there were no names', () => {
  expect(moves({}, { 'refs/heads/x': oid('b') })).toMatchObject({ head: undefined, tips: ' ' })
})

it.each(table`
  a branch with a commit                 | refs/heads/x=b
  a branch with something else           | refs/heads/x=NO             | refs/heads/x
  a branch that leads to another         | refs/heads/x=TO_MAIN
  a branch that leads to a name aside    | refs/heads/x=TO_ASIDE       | refs/heads/x
  a name aside that leads to one         | refs/remotes/o/HEAD=TO_ASIDE
  a name aside that leads elsewhere      | refs/remotes/o/HEAD=TO_HEAD | refs/remotes/o/HEAD
  packed names                           | packed-refs=PACKED
  damaged packed names                   | packed-refs=NO              | packed-refs
  what is packed below another name      | refs/packed-refs=PACKED     | refs/packed-refs
  an empty branch                        | refs/heads/x=               | refs/heads/x
`)('tells whether a file is damaged: %s', (_, file = '', damaged) => {
  const now = { ...MAIN, ...filled(file) }
  expect(moves(MAIN, now).damaged).toBe(damaged)
  expect(moves(now, MAIN).damaged).toBeUndefined()
})

it('tells that a file is damaged which is not text', () => {
  expect(moves(MAIN, { ...MAIN, 'refs/x': Buffer.from([0xff]) }).damaged).toBe('refs/x')
})

it('tells that packed names are damaged which are not text: git reads them, and none would be judged', () => {
  const text = `${oid('b')} refs/heads/x\n${oid('b')} refs/heads/\xff\n`
  const now = { ...MAIN, 'packed-refs': Buffer.from(text, 'latin1') }
  const packed = { ...MAIN, 'packed-refs': `${oid('a')} refs/heads/x\n` }
  expect([moves(MAIN, now).damaged, moves(packed, now).damaged]).toEqual(['packed-refs', 'packed-refs'])
})
