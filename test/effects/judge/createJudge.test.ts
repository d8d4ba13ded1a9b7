import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RuleRef } from '../../../src/contracts/decision.ts'
import type { CommandEffects, PathChange } from '../../../src/contracts/effects.ts'
import { createJudge, type JudgeOptions } from '../../../src/effects/judge/createJudge.ts'
import { openCheckout } from '../../../src/effects/openCheckout.ts'
import { type Files, makeFiles } from '../../helpers/effects/makeFiles.ts'
import { makeIndex } from '../../helpers/effects/makeIndex.ts'

const GIT = { 'p/.git/HEAD': 'ref: refs/heads/main\n', 'p/.git/objects/': '', 'p/.gitignore': 'dist\n' }
const rule = (list: RuleRef['list'], text: string): RuleRef => ({ list, text, file: 'p.yml', line: 1 })
const EFFECTS: CommandEffects = { access: 'write', mayChangeGit: true, by: 't' }

type Lab = {
  readonly files?: Files
  readonly effects?: Partial<CommandEffects>
  readonly options?: (root: string) => Partial<JudgeOptions>
}

/**
 * Judges changes below a repository `p` in which `src` may be changed; what is new of them is in the folder `new`. Lines
 * as `created link src/l -> a`, `modified file src/a (set id)`; each with its verdict, and why it is not kept.
 */
async function judged(lines: readonly string[], { files = {}, effects, options = () => ({}) }: Lab = {}) {
  const folder = makeFiles({ ...GIT, ...files })
  const root = join(folder, 'p')
  const judge = createJudge({
    checkout: openCheckout([root]),
    writable: [],
    never: () => undefined,
    isProtected: (path) => path.includes('/.npmrc'),
    git: { runGit: async () => undefined, folder: join(folder, 'own') },
    ruled: (path) => ({ behavior: path.startsWith(`${root}/src/`) ? 'allow' : 'ask' }),
    ...options(root),
  })
  const changes = lines.map((line): PathChange => {
    const [, kind, entry, name = '', target, isSetId] =
      /^(\w+) (\w+) (\S+)(?: -> (\S+))?( \(set id\))?$/.exec(line) ?? []
    return {
      ...({ kind, entry, path: join(root, name) } as PathChange),
      ...(target !== undefined && { target: target.replace('ROOT', root) }),
      ...(isSetId !== undefined && { isSetId: true }),
    }
  })
  const states = { before: (path: string) => path, now: (path: string) => path.replace(root, join(folder, 'new')) }
  const answers = await judge(changes, { effects: { ...EFFECTS, ...effects }, states })
  expect(answers.map(({ change }) => change)).toEqual(changes)
  return answers.map(({ verdict }) => ('why' in verdict ? `${verdict.kind}: ${verdict.why}` : verdict.kind))
}

const NOT_COVERED = 'refused: no Edit rule covers it'
const NESTED = 'never: a command may not create a git repository inside the checkout'
const LEAVES = 'never: the link leaves the checkout'

describe('why a change is not kept', () => {
  it('is that no rule covers it, that it is protected, or the rule that denies or asks', async () => {
    const options = (root: string): Partial<JudgeOptions> => ({
      ruled: (path) =>
        path.endsWith('/deny')
          ? { behavior: 'deny', rule: rule('deny', 'Edit(deny)') }
          : path.endsWith('/ask')
            ? { behavior: 'ask', rule: rule('ask', 'Edit(ask)') }
            : { behavior: path === `${root}/a` ? 'allow' : 'ask' },
    })
    const lines = ['a', 'b', '.npmrc', 'deny', 'ask'].map((name) => `modified file ${name}`)
    expect(await judged(lines, { options })).toEqual([
      ...['covered', NOT_COVERED, 'refused: it is a protected place that no rule names'],
      ...['refused: denied by Edit(deny)', 'refused: not allowed by Edit(ask)'],
    ])
  })

  it('is, whatever the rules say, that it is the policy or the like, of every kind, also in an ignored folder', async () => {
    const never = (path: string) => (path.endsWith('/policy') ? 'it is the policy' : undefined)
    const lines = [
      ...['created file src/policy', 'created file dist/policy', 'deleted file src/policy'],
      ...['deleted fifo dist/policy', 'mode folder src/policy'],
    ]
    expect(await judged(lines, { options: () => ({ never }) })).toEqual(Array(5).fill('never: it is the policy'))
  })

  it('is that commands do not see the file', async () => {
    const isSeen = (path: string) => !path.endsWith('/hidden')
    const lines = ['deleted file src/hidden', 'deleted file src/seen']
    expect(await judged(lines, { options: () => ({ isSeen }) })).toEqual([
      'refused: it is outside the checkout, where commands see no files; name the paths to commit',
      'covered',
    ])
  })

  it('is what it is: a device, a set-uid file, a link that leaves the checkout, ignored or not', async () => {
    const lines = ['created device', 'created file', 'created link'].flatMap((kind, at) =>
      ['src/x', 'dist/x'].map((name) => `${kind} ${name}${[' ', ' (set id)', ' -> ../..'][at]}`.trim()),
    )
    expect(await judged(lines)).toEqual([
      ...Array(2).fill('never: devices are never kept'),
      ...Array(2).fill('never: files with a set-uid or set-gid bit are never kept'),
      ...Array(2).fill(LEAVES),
    ])
  })

  it('is nothing of that for what is removed', async () => {
    expect(await judged(['deleted device src/x', 'deleted link src/l', 'deleted file src/.git'])).toEqual(
      Array(3).fill('covered'),
    )
  })
})

describe('a FIFO or a socket', () => {
  it('is left out without a word, and judged like a file where it goes', async () => {
    const lines = ['created fifo a', 'created socket a', 'mode fifo dist/a', 'deleted fifo a', 'deleted socket src/a']
    expect(await judged(lines)).toEqual(['skipped', 'skipped', 'skipped', NOT_COVERED, 'covered'])
  })
})

describe('a folder', () => {
  const options = (root: string): Partial<JudgeOptions> => ({
    ruled: (path) => ({ behavior: path.startsWith(`${root}/all/`) || path === `${root}/own` ? 'allow' : 'ask' }),
  })

  it('comes and goes if all names in it may be written; its mode needs a rule for itself', async () => {
    const lines = ['created folder all', 'deleted folder all', 'mode folder all', 'mode folder own', 'created file all']
    expect(await judged(lines, { options })).toEqual(['covered', 'covered', NOT_COVERED, 'covered', NOT_COVERED])
    expect(await judged(['created folder none'], { options })).toEqual([NOT_COVERED])
  })

  it('comes with what is kept in it, although no rule names it', async () => {
    const one = (root: string): Partial<JudgeOptions> => ({
      ruled: (path) => ({ behavior: path === `${root}/d/e/one` ? 'allow' : 'ask' }),
    })
    const lines = ['created folder d', 'created folder d/e', 'created file d/e/one', 'created file d/other']
    expect(await judged(lines, { options: one })).toEqual([...Array(3).fill('covered'), NOT_COVERED])
  })

  it('does not, for all that, where a rule names it', async () => {
    const denied = (root: string): Partial<JudgeOptions> => ({
      ruled: (path) =>
        path === `${root}/d` ? { behavior: 'deny', rule: rule('deny', 'Edit(d)') } : { behavior: 'allow' },
    })
    expect(await judged(['created folder d'], { options: denied })).toEqual(['refused: denied by Edit(d)'])
  })

  it('is not ignored by a rule for files, nor a file by one for folders', async () => {
    const files = { 'p/.gitignore': 'd/\n' }
    expect(await judged(['created folder x/d', 'created file y/d'], { files })).toEqual(['scratch', NOT_COVERED])
  })
})

describe('an ignored path', () => {
  const DENY = rule('deny', 'Edit(**/held)')
  const ruled = (path: string) =>
    path.endsWith('/held')
      ? ({ behavior: 'deny', rule: DENY } as const)
      : path.endsWith('/open')
        ? ({ behavior: 'allow', rule: rule('allow', 'Edit(**/open)') } as const)
        : ({ behavior: 'ask' } as const)

  it('needs no rule, and is held by one that denies', async () => {
    const lines = ['created file dist/x', 'created file dist/held', 'created file dist/open']
    expect(await judged(lines, { options: () => ({ ruled }) })).toEqual([
      ...['scratch', 'refused: denied by Edit(**/held)', 'scratch'],
    ])
  })

  it('is held by the mark of a file that commands do not see only where a rule says so', async () => {
    expect(await judged(['created file dist/a'], { options: () => ({ isSeen: () => false }) })).toEqual(['scratch'])
  })

  it('is anything in a writable folder of the run, but no repository and no link out of it', async () => {
    const options = (root: string): Partial<JudgeOptions> => ({ writable: [`${root}/data`] })
    const lines = [
      'created file data/.npmrc',
      'created file data/.git',
      'created link data/l -> /etc',
      'created file datax',
    ]
    expect(await judged(lines, { options })).toEqual(['scratch', NESTED, LEAVES, NOT_COVERED])
  })

  it('is no protected place that git ignores', async () => {
    const files = { 'p/.gitignore': '.npmrc\n' }
    expect(await judged(['created file .npmrc'], { files })).toEqual([
      'refused: it is a protected place that no rule names',
    ])
  })

  it('is what the ignore rules of a worktree of the run say, for what is in it', async () => {
    const files = { 'p/.gitignore': '.kode-worktrees\n', 'p/.kode-worktrees/w/.gitignore': 'out\n' }
    const lines = ['created file .kode-worktrees/w/out', 'created file .kode-worktrees/w/src']
    expect(await judged(lines, { files })).toEqual(['scratch', NOT_COVERED])
  })
})

describe('a link', () => {
  const inVenv: Lab = { files: { 'p/.gitignore': 'dist\n' }, options: () => ({ linkable: ['/usr', '/opt/tools'] }) }

  it('may lead to the folders that the caller names if it is ignored, and else nowhere outside', async () => {
    const lines = [
      ...['dist/a -> /usr/bin/env', 'dist/b -> /opt/tools', 'dist/c -> /opt', 'dist/d -> /usrx', 'src/a -> /usr'],
    ]
    expect(
      await judged(
        lines.map((line) => `created link ${line}`),
        inVenv,
      ),
    ).toEqual([...['scratch', 'scratch', LEAVES, LEAVES, LEAVES]])
    expect(await judged(['created link dist/a -> /usr/bin/env'])).toEqual([LEAVES])
  })

  it('is followed through the links that the command made, changed and removed', async () => {
    const files = { 'p/src/out': '-> ../..', 'p/src/in': '-> .' }
    const through = (name: string) => `created link src/l -> ${name}/x`
    expect(await judged([through('out')], { files })).toEqual([LEAVES])
    expect(await judged([through('in')], { files })).toEqual(['covered'])
    expect(await judged([through('out'), 'modified link src/out -> .'], { files })).toEqual(['covered', 'covered'])
    expect(await judged([through('in'), 'modified link src/in -> /'], { files })).toEqual([LEAVES, LEAVES])
    expect(await judged([through('out'), 'deleted link src/out'], { files })).toEqual(['covered', 'covered'])
    const lines = [through('out'), 'deleted link src/out', 'created folder src/out']
    expect(await judged(lines, { files })).toEqual(['covered', 'covered', 'covered'])
  })

  it('is followed through what replaced something, whatever is named first', async () => {
    const made = ['created link src/l -> d/x', 'deleted folder src/d', 'created link src/d -> /']
    expect(await judged(made)).toEqual([LEAVES, 'covered', LEAVES])
    expect(await judged([made[0] ?? '', made[2] ?? '', made[1] ?? ''])).toEqual([LEAVES, LEAVES, 'covered'])
  })
})

describe('a repository inside the checkout', () => {
  it('is never made, in any letters, also where it is ignored; its folder is', async () => {
    const lines = ['src/.git', 'src/n/.git/HEAD', 'dist/.GIT/config', 'src/.git/hooks/.git/x'].map(
      (n) => `created file ${n}`,
    )
    expect(await judged(lines)).toEqual(Array(4).fill(NESTED))
    expect(await judged(['created folder src/n', 'created folder src/n/.git'])).toEqual(['covered', NESTED])
  })

  it('is none whose name only looks like it', async () => {
    const lines = ['src/.gitx', 'src/x.git', 'src/.git-x/HEAD', 'src/git/HEAD'].map((name) => `created file ${name}`)
    expect(await judged(lines)).toEqual(Array(4).fill('covered'))
  })

  it('that was there may change where a rule covers it, but is not replaced', async () => {
    const files = { 'p/src/n/.git/HEAD': 'x', 'p/src/w/.git': 'gitdir: x' }
    const lines = ['modified file src/n/.git/HEAD', 'created file src/n/.git/refs/x', 'modified file src/w/.git']
    expect(await judged(lines, { files })).toEqual(['covered', 'covered', NESTED])
  })

  it('in another that was there is made by the outer one', async () => {
    const files = { 'p/src/n/.git/HEAD': 'x' }
    expect(await judged(['created file src/n/.git/modules/.git/config'], { files })).toEqual(['covered'])
    expect(await judged(['created file src/n/x/.git/config'], { files })).toEqual([NESTED])
  })

  it('is looked for below the root, which may itself lie in a folder of that name', async () => {
    const folder = makeFiles({ '.git/p/a': '' })
    const judge = createJudge({
      checkout: openCheckout([join(folder, '.git/p')]),
      writable: [],
      never: () => undefined,
      isProtected: () => false,
      git: { runGit: async () => undefined, folder: join(folder, 'own') },
      ruled: () => ({ behavior: 'allow' }),
    })
    const judgeOne = async (path: string) => {
      const change = { path, kind: 'created', entry: 'file' } as const
      const states = { before: (each: string) => each, now: (each: string) => each }
      return (await judge([change], { effects: EFFECTS, states }))[0]?.verdict.kind
    }
    expect(await judgeOne(join(folder, '.git/p/b'))).toBe('covered')
    expect(await judgeOne(join(folder, '.git/p/.git/b'))).toBe('never')
    expect(await judgeOne(join(folder, 'none/.git/x'))).toBe('never')
  })

  it('may have its index refreshed without a word', async () => {
    const index = (stat: number, name = 'a') => makeIndex([{ path: name, stat }])
    const files = {
      ...{ 'p/docs/n/.git/HEAD': 'x', 'p/docs/n/.git/index': index(1), 'new/docs/n/.git/index': index(2) },
      ...{ 'p/docs/m/.git/index': index(1), 'new/docs/m/.git/index': index(1, 'b') },
    }
    const lines = ['modified file docs/n/.git/index', 'modified file docs/m/.git/index']
    expect(await judged(lines, { files })).toEqual(['skipped', NOT_COVERED])
  })
})

describe('the git directory of the checkout', () => {
  it('is judged file by file; its folders come with them', async () => {
    const lines = [
      ...['created folder .git/refs/x', 'deleted folder .git/refs/y', 'deleted folder .git/hooks'],
      ...['created file .git/hooks/x', 'created file .git/index.lock', 'created file .git/COMMIT_EDITMSG'],
    ]
    expect(await judged(lines)).toEqual([
      ...['skipped', 'covered', 'refused: it controls git'],
      ...['refused: it controls git, and no rule names it', 'skipped', 'covered'],
    ])
    expect(await judged(['deleted folder .git/refs/y'], { effects: { mayChangeGit: false } })).toEqual(['skipped'])
  })

  it('needs, for a file that controls git, a rule that allows it', async () => {
    const options = (root: string): Partial<JudgeOptions> => ({
      ruled: (path) => ({ behavior: path === `${root}/.git/hooks/x` ? 'allow' : 'ask' }),
    })
    expect(await judged(['created file .git/hooks/x'], { options })).toEqual(['covered'])
  })

  it('is that of each repository among the roots, with its own files', async () => {
    const index = makeIndex(['src/n'])
    const folder = makeFiles({
      ...{ 'a/.git/HEAD': 'x', 'b/.git/HEAD': 'x', 'a/.git/objects/': '', 'b/.git/objects/': '' },
      ...{ 'new/a/.git/index': index, 'new/b/.git/index': index },
    })
    const judge = createJudge({
      ...{ checkout: openCheckout(['a', 'b'].map((name) => join(folder, name))), writable: [], never: () => undefined },
      ...{ isProtected: () => false, git: { runGit: async () => undefined, folder: join(folder, 'own') } },
      ruled: (path) => ({ behavior: path.startsWith(join(folder, 'a/src')) ? 'allow' : 'ask' }),
    })
    const names = ['b/.git/MERGE_MSG', 'a/.git/config', 'a/.git/index', 'a/.git/MERGE_MSG', 'b/x']
    const verdicts = async (...paths: readonly string[]) => {
      const changes = paths.map((name): PathChange => ({ path: join(folder, name), kind: 'created', entry: 'file' }))
      const now = (path: string) => path.replace(folder, join(folder, 'new'))
      const answers = await judge(changes, { effects: EFFECTS, states: { before: (path) => path, now } })
      return answers.map(({ verdict }) => verdict.kind)
    }
    expect(await verdicts(...names)).toEqual(['covered', 'refused', 'covered', 'covered', 'refused'])
    expect(await verdicts('b/.git/index', 'a/.git/index')).toEqual(['refused', 'covered'])
  })

  it('keeps no name that git cannot look at', async () => {
    const files = { 'new/.git/refs/heads/x': `${'a'.repeat(40)}\n` }
    expect(await judged(['created file .git/refs/heads/x'], { files })).toEqual([
      'refused: git cannot tell what refs/heads/x brings',
    ])
  })

  it('brings in with its index neither the policy, nor a link that leaves the checkout', async () => {
    const never = (path: string) => (path.endsWith('/policy') ? 'it is the policy' : undefined)
    const policy = { 'new/.git/index': makeIndex(['src/policy']) }
    expect(await judged(['created file .git/index'], { files: policy, options: () => ({ never }) })).toEqual([
      'never: the index brings src/policy: it is the policy',
    ])
    const link = { 'new/.git/index': makeIndex([{ path: 'src/l', mode: 0o120000 }]) }
    const leadingTo = (target: string): Lab => ({
      files: link,
      options: (root) => ({ git: { runGit: async () => target, folder: join(root, '../own') } }),
    })
    expect(await judged(['created file .git/index'], leadingTo('../..'))).toEqual([
      'never: the index brings src/l: the link leaves the checkout',
    ])
    expect(await judged(['created file .git/index'], leadingTo('a'))).toEqual(['covered'])
  })
})

describe('a removal beside a new file that is not kept', () => {
  it('is refused: the file may have been moved there', async () => {
    const files = { 'p/src/a': 'text', 'new/docs': 'text' }
    expect(await judged(['created file docs', 'deleted file src/a'], { files })).toEqual([
      ...[NOT_COVERED, 'refused: it was moved to docs, which was not kept, so its content would be lost'],
    ])
  })

  it('of a file of git is none of that, unless it has the content', async () => {
    const files = { 'p/.git/MERGE_MSG': 'text', 'new/docs': 'other' }
    expect(await judged(['created file docs', 'deleted file .git/MERGE_MSG'], { files })).toEqual([
      NOT_COVERED,
      'covered',
    ])
    const moved = { ...files, 'new/docs': 'text' }
    expect((await judged(['created file docs', 'deleted file .git/MERGE_MSG'], { files: moved }))[1]).toMatch(/lost$/)
  })
})
