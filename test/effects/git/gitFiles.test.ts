import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isRefreshedIndex } from '../../../src/effects/git/indexChanges.ts'
import { stoppedStepProblem } from '../../../src/effects/git/stoppedStepProblem.ts'
import { isTransientConfig } from '../../../src/git/places/gitConfigs.ts'
import { gitOrder, gitPlace } from '../../../src/git/places/gitPlace.ts'
import { type CheckoutRepository, findRepositories } from '../../../src/git/repository/findRepositories.ts'
import { indexNames } from '../../../src/git/repository/gitIndex.ts'
import { trackedFiles } from '../../../src/git/repository/trackedFiles.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'
import { type MadeEntry, makeIndex } from '../../helpers/effects/makeIndex.ts'

const MAIN: CheckoutRepository = { top: '/p', gitDir: '/p/.git', commonDir: '/p/.git', oidBytes: 20, shallow: '' }
const WORKTREE: CheckoutRepository = { ...MAIN, top: '/w', gitDir: '/m/.git/worktrees/w', commonDir: '/m/.git' }
const [SHA1, SHA256] = ['a'.repeat(40), 'a'.repeat(64)]
const [PACK, LONG_PACK] = [`objects/pack/pack-${SHA1}`, `objects/pack/pack-${SHA256}`]

describe('gitPlace', () => {
  it.each<[string, string, string]>([
    ['an object', 'object', `objects/ab/${SHA1.slice(2)} objects/ab/${SHA256.slice(2)}`],
    ['a pack', 'pack', ['pack', 'idx', 'promisor'].map((end) => `${PACK}.${end} ${LONG_PACK}.${end}`).join(' ')],
    [
      'a lock, a leftover or a cache',
      'transient',
      `index.lock refs/heads/x.lock gc.pid gc.log tmp_x info/refs objects/incoming-x/y objects/tmp_objdir-x/y
      objects/ab/tmp_obj_x objects/info/packs objects/info/commit-graph objects/info/commit-graphs
      objects/info/commit-graphs/x objects/pack/x.rev objects/pack/x.bitmap objects/pack/x.keep objects/pack/x.mtimes
      objects/pack/multi-pack-index objects/pack/multi-pack-index-x
      fsmonitor--daemon fsmonitor--daemon.ipc fsmonitor--daemon/x`,
    ],
    ['the index', 'index', 'index'],
    [
      'a record or a message',
      'data',
      `logs/HEAD logs/refs/heads/x ORIG_HEAD FETCH_HEAD MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD REBASE_HEAD AUTO_MERGE
      MERGE_MSG MERGE_MODE MERGE_RR SQUASH_MSG COMMIT_EDITMSG TAG_EDITMSG MERGE_EDITMSG NOTES_EDITMSG
      BRANCH_DESCRIPTION EDIT_DESCRIPTION BISECT_LOG description`,
    ],
    ['a stopped step', 'todo', 'rebase-merge/done rebase-apply/next sequencer/todo'],
    ['a name of a commit', 'ref', 'HEAD packed-refs refs/heads/x refs/tags/x refs/replaced'],
    [
      'closed: it names programs, leads elsewhere or is unknown',
      'closed',
      `config config.worktree hooks/x info/exclude info/attributes commondir gitdir modules/x/HEAD
      objects/info/alternates objects/info/http-alternates refs/replace/x refs/replace refs worktrees/w objects/ab/x
      objects/abc/${SHA1.slice(2)} objects/ab/${SHA1.slice(1)} x/objects/ab/${SHA1.slice(2)}
      objects/ab/${SHA1.slice(2)}/x objects/pack/pack-a.pack ${PACK}.pack.x ${PACK}.exe HEADx xHEAD x/HEAD indexx x/index
      packed-refs/x xrefs/heads/x xlogs/HEAD logs MY_HEAD rebase-merge xrebase-merge/done descriptions x/description
      gc.pids info/refsx x/info/refs info/sparse-checkout remotes/origin rr-cache/x/postimage BISECT_ MERGE_MSGx
      objects/info/packsx fsmonitor--daemonx x.lock/y index.locks tmp_x/y worktrees/w/config worktrees/w/x/HEAD
      x/worktrees/w/HEAD objects/incoming objects/pack/a/x.rev`,
    ],
  ])('knows what is %s', (_, kind, names) => {
    for (const name of names.split(/\s+/))
      expect([name, gitPlace(`/p/.git/${name}`, [MAIN])?.kind]).toEqual([name, kind])
  })

  it('knows the files of a worktree, also from the repository that it belongs to', () => {
    for (const [path, name, kind] of [
      ['/m/.git/worktrees/w/HEAD', 'HEAD', 'ref'],
      ['/m/.git/worktrees/w/index', 'index', 'index'],
      ['/m/.git/worktrees/v/HEAD', 'worktrees/v/HEAD', 'ref'],
      ['/m/.git/worktrees/v/index', 'worktrees/v/index', 'index'],
      ['/m/.git/refs/heads/x', 'refs/heads/x', 'ref'],
    ])
      expect(gitPlace(path ?? '', [WORKTREE])).toEqual({ repository: WORKTREE, kind, name })
  })

  it('is that of the repository whose directory holds the path, and none for the directory itself or beside it', () => {
    expect(gitPlace('/m/.git/HEAD', [MAIN, WORKTREE])?.repository).toBe(WORKTREE)
    for (const path of ['/p/.git', '/p/a', '/p/.gitx/HEAD', '/m/.git'])
      expect(gitPlace(path, [MAIN, WORKTREE])).toBeUndefined()
  })
})

describe('gitOrder', () => {
  const order = (path: string) => gitOrder(path, (each) => each.startsWith('/p/.git/'))
  it.each([
    [0, 'objects objects/ab objects/ab/c objects/pack/x.pack x/objects/y'],
    [2, 'config COMMIT_EDITMSG hooks/HEADx xrefs/y objectsx refs HEAD/x indexes xindex'],
    [3, 'HEAD ORIG_HEAD FETCH_HEAD MERGE_HEAD packed-refs index refs/heads/x logs/HEAD worktrees/w/HEAD'],
  ])('puts into place %i of a repository', (place, names) => {
    for (const name of names.split(' ')) expect([name, order(`/p/.git/${name}`)]).toEqual([name, place])
  })

  it('puts other files after objects and before names', () => {
    for (const path of ['/p/objects/x', '/p/refs/x', '/p/HEAD', '/p/a']) expect(order(path)).toBe(1)
  })
})

describe('isTransientConfig', () => {
  const START = '[core]\n\tbare = false\n[user]\n\tname = a\n[branch "x"]\n\tremote = o\n'
  it.each([
    ['nothing', ''],
    ['the committer', '[user]\n\tname = b\n\temail = b@c\n'],
    ['what a branch tracks', '[branch "y"]\n\tremote = o\n\tmerge = refs/heads/y\n\trebase = true\n\tpushRemote = p\n'],
    ['empty lines', '\n\n'],
    ['letters of a name', '[USER]\n\tNAME=c\n'],
  ])('is true if there is more: %s', (_, more) => {
    expect([isTransientConfig(START, START + more), isTransientConfig(START + more, START)]).toEqual([true, true])
  })

  it.each([
    ['a program', '[core]\n\tpager = x\n'],
    ['an alias', '[alias]\n\tx = !y\n'],
    ['a program for signatures', '[user]\n\tsigningkey = x\n'],
    ['a branch with another key', '[branch "x"]\n\tmergeOptions = x\n'],
    ['a key that only ends so', '\txname = y\n'],
    ['a section that only ends or starts so', '[x.user]\n[user]x\n'],
    ['a name in a name', '[branch "x" "y"]\n'],
    ['a value in the line of a section', '[user] email = x\n'],
    ['a key without a value', '\tname\n'],
  ])('is false if there is more: %s', (_, more) => {
    expect([isTransientConfig(START, START + more), isTransientConfig(START + more, START)]).toEqual([false, false])
  })
})

describe('stoppedStepProblem', () => {
  const RUNS = 'it makes git run a command when git continues'
  const UNKNOWN = 'it controls what git does next'
  it.each([
    ['rebase-merge/git-rebase-todo', 'pick a\nexecute\nxpick\nlabel x\nreset exec\n', undefined],
    ['rebase-merge/git-rebase-todo', 'pick a\n  exec id\n', RUNS],
    ['rebase-merge/git-rebase-todo.backup', 'exec\tid\n', RUNS],
    ['sequencer/todo', '\tx id', RUNS],
    ['sequencer/todo', 'x', RUNS],
    ['sequencer/todo', 'x\r\n', RUNS],
    ['rebase-merge/done', 'exec id\n', undefined],
    ['rebase-merge/message', 'exec id', undefined],
    ['rebase-merge/author-script', "GIT_AUTHOR_NAME='x'", undefined],
    ['rebase-apply/0001', 'diff', undefined],
    ['rebase-merge/strategy', ' ort\n', undefined],
    ['rebase-merge/strategy', 'subtree', undefined],
    ['rebase-merge/strategy', 'evil', 'it names a program that git would run'],
    ['rebase-merge/strategy', 'xort', 'it names a program that git would run'],
    ['rebase-merge/strategy', 'ort x', 'it names a program that git would run'],
    ['rebase-merge/strategy_opts', ' \n', undefined],
    ['rebase-merge/strategy_opts', '--x', UNKNOWN],
    ['rebase-apply/apply-opt', '', undefined],
    ['rebase-apply/apply-opt', '--unsafe-paths', UNKNOWN],
    ['sequencer/opts', '', UNKNOWN],
    ['rebase-merge/gpg_sign_opt', '-S', UNKNOWN],
    ['rebase-merge/xdone', '', UNKNOWN],
    ['rebase-merge/donex', '', UNKNOWN],
    ['rebase-merge/done/x', '', UNKNOWN],
  ])('of %s with %j is %j', (name, text, problem) => {
    expect(stoppedStepProblem(name, text)).toBe(problem)
  })
})

describe('trackedFiles', () => {
  const files = (...entries: (string | MadeEntry)[]) => {
    return trackedFiles(indexNames(makeIndex(entries), 20) ?? [])
  }

  it('has files by their whole paths, and folders by what is in them', () => {
    const tracked = files('a', 'd/e/f', 'd/x')
    expect(['a', 'd/e/f', 'd', 'd/e', 'f', 'ab', ''].filter(tracked.has)).toEqual(['a', 'd/e/f'])
    const below = ['d', 'd/e', 'd/e/f', 'a']
    expect([...below, 'e', 'D', 'd/'].filter(tracked.hasBelow)).toEqual(below)
  })

  it('has no folder that only starts like a file', () => {
    expect(files('ab', 'd/ef').hasBelow('a')).toBe(false)
    expect(files('ab', 'd/ef').hasBelow('d/e')).toBe(false)
  })

  it('has all that is in the folder of a sparse index, and its submodules by name', () => {
    const tracked = files({ path: 'd/e/', mode: 0o040000 }, { path: 'm', mode: 0o160000 })
    expect(['d/e', 'd/e/f/g', 'd', 'd/ex', 'm', 'm/x'].filter(tracked.has)).toEqual(['d/e', 'd/e/f/g', 'm'])
    expect(['d/e/f', 'd', 'm', 'x'].filter(tracked.hasBelow)).toEqual(['d/e/f', 'd', 'm'])
  })
})

describe('isRefreshedIndex', () => {
  const index = (stat: number, oidBytes: 20 | 32 = 20, path = 'a') => makeIndex([{ path, stat }], { oidBytes })
  const refreshed = (
    before: Uint8Array | string,
    now: Uint8Array | string,
    name = 'n/.git/index',
    kind: 'modified' | 'created' = 'modified',
  ) => {
    const folder = makeFiles({ [`old/${name}`]: before, [`new/${name}`]: now })
    const states = { before: (path: string) => path, now: (path: string) => path.replace('/old/', '/new/') }
    return isRefreshedIndex({ path: join(folder, 'old', name), kind, entry: 'file' }, states)
  }

  it.each([20, 32] as const)('is true where the entries are the same: hashes of %i bytes', (oidBytes) => {
    expect(refreshed(index(1, oidBytes), index(2, oidBytes))).toBe(true)
    expect(refreshed(index(1, oidBytes), index(2, oidBytes), 'n/.git/worktrees/w/index')).toBe(true)
    expect(refreshed(index(1, oidBytes), index(2, oidBytes, 'b'))).toBe(false)
  })

  it('is false for another file, a new one, and one that cannot be read', () => {
    for (const name of ['n/index', '.gitx/index', 'n/.git/index.x', 'n/.git/xindex'])
      expect(refreshed(index(1), index(2), name)).toBe(false)
    expect(refreshed(index(1), index(2), 'n/.git/index', 'created')).toBe(false)
    expect([
      refreshed('x', index(2)),
      refreshed(index(1), 'x'),
      refreshed('-> x', index(1)),
      refreshed(index(1), '-> x'),
    ]).toEqual(Array(4).fill(false))
  })
})

describe('findRepositories', () => {
  const REPOSITORY = {
    'p/.git/HEAD': 'ref: refs/heads/main\n',
    'p/.git/config': '[core]\n\tbare = false\n',
    'p/sub/a': '',
  }
  it('finds the one above each root, once', async () => {
    const folder = makeFiles(REPOSITORY)
    const at = (path: string) => join(folder, path)
    const found = findRepositories([at('p'), at('p/sub'), folder])
    expect(found).toEqual([{ top: at('p'), gitDir: at('p/.git'), commonDir: at('p/.git'), oidBytes: 20, shallow: '' }])
  })

  it('knows the length of its hashes and where its history ends', async () => {
    const config = (text: string) =>
      findRepositories([join(makeFiles({ ...REPOSITORY, 'p/.git/config': text, 'p/.git/shallow': 'x\n' }), 'p')])
    expect(await config('[extensions]\n\tObjectFormat = "SHA256"\n')).toMatchObject([{ oidBytes: 32, shallow: 'x\n' }])
    expect(await config('[extensions]\nobjectformat=sha256')).toMatchObject([{ oidBytes: 32 }])
    expect(await config('[x]\n\txobjectformat = sha256\n')).toMatchObject([{ oidBytes: 20 }])
    const none = makeFiles({ 'p/.git/HEAD': '' })
    expect(findRepositories([join(none, 'p')])).toMatchObject([{ oidBytes: 20, shallow: '' }])
  })

  it('finds that of a worktree by its files, resolved', async () => {
    const folder = makeFiles({
      ...REPOSITORY,
      'p/.git/worktrees/w/HEAD': '',
      'p/.git/worktrees/w/commondir': '../..\n',
      'w/.git': 'gitdir: ../l/worktrees/w\n',
      l: '-> p/.git',
    })
    const at = (path: string) => join(folder, path)
    expect(findRepositories([at('w')])).toMatchObject([
      { top: at('w'), gitDir: at('p/.git/worktrees/w'), commonDir: at('p/.git') },
    ])
  })

  it('finds none where the git directory is not there', async () => {
    const folder = makeFiles({ 'w/.git': 'gitdir: ../none\n' })
    expect(findRepositories([join(folder, 'w')])).toEqual([])
  })
})
