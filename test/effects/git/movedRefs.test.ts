import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { movedRefs } from '../../../src/effects/git/movedRefs.ts'
import { type Files, makeFiles, writeFiles } from '../../helpers/effects/makeFiles.ts'
import { changesBetween } from '../../helpers/effects/playChanges.ts'

const oid = (letter: string) => letter.repeat(40)
const MAIN: Files = { HEAD: 'ref: refs/heads/main\n', 'refs/heads/main': `${oid('a')}\n` }

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

it.each<[string, Files, Files, readonly string[]]>([
  ['nothing', {}, {}, []],
  ['a branch, and HEAD with it', {}, { 'refs/heads/main': oid('b') }, ['HEAD a>b', 'refs/heads/main a>b']],
  ['a new branch', {}, { 'refs/heads/x': oid('b') }, ['refs/heads/x >b']],
  ['a branch with the same target in other words', {}, { 'refs/heads/main': oid('a') }, []],
  ['HEAD alone', {}, { HEAD: oid('b') }, ['HEAD a>b']],
  ['a tag that is gone', { 'refs/tags/t': oid('b') }, { 'refs/tags/t': '' }, ['refs/tags/t b>']],
  [
    'a symbolic name of a branch that moves',
    { 'refs/heads/s': 'ref: refs/heads/main\n', 'refs/heads/y': oid('c') },
    { 'refs/heads/main': oid('b') },
    ['HEAD a>b', 'refs/heads/main a>b', 'refs/heads/s a>b'],
  ],
  [
    'packed names',
    { 'packed-refs': `${oid('b')} refs/heads/x\n${oid('c')} refs/heads/y\n${oid('d')} refs/heads/z\n` },
    { 'packed-refs': `${oid('b')} refs/heads/x\n${oid('e')} refs/heads/y\n${oid('f')} refs/heads/n\n` },
    ['refs/heads/n >f', 'refs/heads/y c>e', 'refs/heads/z d>'],
  ],
  ['a name that is packed now', {}, { 'packed-refs': `${oid('a')} refs/heads/main\n`, 'refs/heads/main': '' }, []],
  ['HEAD of another worktree', { [WORKTREE]: oid('b') }, { [WORKTREE]: oid('c') }, [`${WORKTREE} b>c`]],
  ['a record of another worktree', {}, { 'worktrees/w/x/HEAD': oid('c') }, []],
  ['a file that only ends like HEAD', {}, { 'worktrees/w/xHEAD': oid('c') }, []],
  ['a file that only starts like HEAD', {}, { 'worktrees/w/HEADx': oid('c') }, []],
  ['a folder that only ends like it', {}, { 'x/worktrees/wt/HEAD': oid('c') }, []],
  ...['stash', 'remotes/o/x', 'notes/x', 'bisect/x', 'original/x', 'rewritten/x', 'prefetch/x', 'worktree/x'].map(
    (name): [string, Files, Files, readonly string[]] => [
      `a name aside: ${name}`,
      {},
      { [`refs/${name}`]: oid('b') },
      [],
    ],
  ),
  ['a name that starts like one aside', {}, { 'refs/stashes': oid('b') }, ['refs/stashes >b']],
  ['a branch that is called like one aside', {}, { 'refs/heads/refs/stash': oid('b') }, ['refs/heads/refs/stash >b']],
])('finds %s', (_, before, now, expected) => {
  const old = { ...MAIN, ...before }
  const all = Object.entries({ ...old, ...now }).filter(([, content]) => content !== '')
  const found = moves(old, Object.fromEntries(all))
  expect([found.moved, found.head, found.damaged]).toEqual([expected, 'a', undefined])
})

it('finds HEAD of the main folder from a linked worktree, and its own only once', () => {
  const before = { ...MAIN, [WORKTREE]: oid('b') }
  const now = { ...MAIN, HEAD: oid('c'), [WORKTREE]: oid('d') }
  const found = moves(before, now, 'worktrees/wt')
  expect([found.moved, found.head]).toEqual([['HEAD a>c', 'HEAD b>d'], 'b'])
})

it('finds HEAD of a worktree outside of the common folder as its own alone', () => {
  const folder = makeFiles({ HEAD: oid('a'), 'common/refs/': '', new: oid('b') })
  const path = join(folder, 'HEAD')
  const repository = {
    top: folder,
    gitDir: folder,
    commonDir: join(folder, 'common'),
    oidBytes: 20,
    shallow: '',
  } as const
  const states = { now: () => join(folder, 'new'), before: (of: string) => (existsSync(of) ? of : undefined) }
  const { moved } = movedRefs(repository, [{ path, kind: 'modified', entry: 'file' }], states)
  expect(moved).toEqual([{ name: 'HEAD', before: oid('a'), now: oid('b') }])
})

it('tells names that are judged from remotes, loose or packed, and leaves the others aside', () => {
  const before = {
    ...MAIN,
    HEAD: oid('0'),
    'refs/tags/t': oid('b'),
    'refs/remotes/o/x': oid('c'),
    'refs/stash': oid('d'),
    'refs/tags/broken': 'x',
    'refs/heads/gone': oid('1'),
    'refs/heads/refs/remotes/x': oid('2'),
    'packed-refs': `${oid('e')} refs/heads/p\n${oid('f')} refs/remotes/o/p\n${oid('a')} refs/heads/twice\n`,
  }
  const { 'refs/heads/gone': _, ...now } = before
  expect(moves(before, now).tips).toBe('012abe cf')
  expect(moves(before, { ...before, 'refs/heads/new': oid('3') }).tips).toBe('012abe cf')
})

it('knows neither a commit nor tips where there were no names', () => {
  expect(moves({}, { 'refs/heads/x': oid('b') })).toMatchObject({ head: undefined, tips: ' ' })
})

it.each<[string, string, string, boolean]>([
  ['a branch with a commit', 'refs/heads/x', oid('b'), false],
  ['a branch with something else', 'refs/heads/x', 'x', true],
  ['a branch that leads to another', 'refs/heads/x', 'ref: refs/heads/main\n', false],
  ['a branch that leads to a name aside', 'refs/heads/x', 'ref: refs/remotes/o/x\n', true],
  ['a name aside that leads to one', 'refs/remotes/o/HEAD', 'ref: refs/remotes/o/x\n', false],
  ['a name aside that leads elsewhere', 'refs/remotes/o/HEAD', 'ref: HEAD\n', true],
  ['packed names', 'packed-refs', `# pack-refs\n${oid('b')} refs/heads/x\n`, false],
  ['damaged packed names', 'packed-refs', 'x\n', true],
  ['what is packed below another name', 'refs/packed-refs', `${oid('b')} refs/heads/x\n`, true],
  ['an empty branch', 'refs/heads/x', '', true],
])('tells whether a file is damaged: %s', (_, name, content, isDamaged) => {
  expect(moves(MAIN, { ...MAIN, [name]: content }).damaged).toBe(isDamaged ? name : undefined)
  expect(moves({ ...MAIN, [name]: content }, MAIN).damaged).toBeUndefined()
})

it('tells that a file is damaged which is not text', () => {
  expect(moves(MAIN, { ...MAIN, 'refs/x': Buffer.from([0xff]) }).damaged).toBe('refs/x')
})

it.each([
  ['new', MAIN],
  ['text before', { ...MAIN, 'packed-refs': `${oid('a')} refs/heads/x\n` }],
])(
  'tells that packed names are damaged which are not text: git reads them, and none would be judged: %s',
  (_, before) => {
    const names = Buffer.concat([
      Buffer.from(`${oid('b')} refs/heads/x\n${oid('b')} refs/heads/`),
      Buffer.from([0xff, 0x0a]),
    ])
    expect(moves(before, { ...MAIN, 'packed-refs': names }).damaged).toBe('packed-refs')
  },
)
