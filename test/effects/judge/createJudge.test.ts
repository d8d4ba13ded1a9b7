import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RuleRef } from '../../../src/contracts/decision.ts'
import type { CommandEffects, PathChange } from '../../../src/contracts/effects.ts'
import { createJudge, type JudgeOptions } from '../../../src/effects/judge/createJudge.ts'
import { openCheckout } from '../../../src/effects/openCheckout.ts'
import { type Files, makeFiles } from '../../helpers/effects/makeFiles.ts'
import { makeIndex } from '../../helpers/effects/makeIndex.ts'
import { readScenes } from '../../helpers/scenes.ts'

const GIT = { 'p/.git/HEAD': 'ref: refs/heads/main\n', 'p/.git/objects/': '', 'p/.gitignore': 'dist\n' }
const rule = (list: RuleRef['list'], text: string): RuleRef => ({ list, text, file: 'p.yml', line: 1 })
const EFFECTS: CommandEffects = { access: 'write', mayChangeGit: true, by: 't' }

type Lab = {
  readonly files?: Files
  readonly effects?: Partial<CommandEffects>
  readonly options?: (root: string) => Partial<JudgeOptions>
}

/** A judge of these roots. What no option says is allowed. */
function judgeOf(roots: readonly string[], options: Partial<JudgeOptions> = {}) {
  return createJudge({
    ...{ checkout: openCheckout(roots), writable: [], never: () => undefined, isProtected: () => false },
    ...{ git: { runGit: async () => undefined, folder: join(roots[0] ?? '', '../own') } },
    ruled: () => ({ behavior: 'allow' }),
    ...options,
  })
}

/**
 * Judges changes below a repository `p` in which `src` may be changed; what is new of them is in the folder `new`. Lines
 * as `created link src/l -> a`, `modified file src/a (set id)`; each with its verdict, and why it is not kept.
 */
async function judged(lines: readonly string[], { files = {}, effects, options = () => ({}) }: Lab = {}) {
  const folder = makeFiles({ ...GIT, ...files })
  const root = join(folder, 'p')
  const judge = judgeOf([root], {
    isProtected: (path) => path.includes('/.npmrc'),
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

const SCENES = readScenes(join(import.meta.dirname, 'createJudge.txt'))

/** The options and the changes of a scene, as its lines say them. */
function sceneOf(lines: readonly string[]) {
  const of = (key: string) =>
    lines.flatMap((line) => (line.startsWith(`${key} `) && !line.includes(' => ') ? [line.slice(key.length + 1)] : []))
  const files = of('file').map((line) => {
    const [path = ''] = line.split(' ')
    return [path, line.slice(path.length + 1).replaceAll('\\n', '\n')]
  })
  const rules = of('rule').flatMap((line) =>
    line.split(', ').map((each) => each.split(' ') as [string, RuleRef['list']]),
  )
  const ruled = (root: string) => (path: string) => {
    const name = path.slice(root.length)
    const isOf = (part: string) =>
      name === `/${part}` || (part.endsWith('/') && name.startsWith(part === '/' ? part : `/${part}`))
    const found = rules.find(([part]) => isOf(part))
    return found === undefined
      ? ({ behavior: 'ask' } as const)
      : { behavior: found[1], rule: rule(found[1], `Edit(${found[0]})`) }
  }
  const ends = (names: readonly string[]) => (path: string) => names.some((name) => path.endsWith(`/${name}`))
  const options = (root: string): Partial<JudgeOptions> => ({
    ...(rules.length > 0 && { ruled: ruled(root) }),
    ...(of('never').length > 0 && { never: (path) => (ends(of('never'))(path) ? 'it is the policy' : undefined) }),
    ...(of('unseen').length > 0 && { isSeen: (path) => !ends(of('unseen'))(path) }),
    ...(of('linkable').length > 0 && { linkable: of('linkable').flatMap((line) => line.split(' ')) }),
    writable: of('writable').map((name) => join(root, name)),
  })
  const changes = lines.flatMap((line) => {
    const [names = '', verdict] = line.split(' => ')
    return verdict === undefined ? [] : names.split('; ').map((name) => ({ name, verdict }))
  })
  const lab: Lab = {
    files: Object.fromEntries(files),
    options,
    ...(lines.includes('without git') && { effects: { mayChangeGit: false } }),
  }
  return { lab, changes }
}

describe.each(SCENES)('%s', (_, scenes) => {
  it.each(scenes)('%s', async (_title, lines) => {
    const { lab, changes } = sceneOf(lines)
    const names = changes.map(({ name }) => name)
    const verdicts = await judged(names, lab)
    expect(names.map((name, at) => ({ name, verdict: verdicts[at] }))).toEqual(changes)
  })
})

const NOT_COVERED = 'refused: no Edit rule covers it'

describe('a repository', () => {
  it('is looked for below the root, which may itself lie in a folder of that name', async () => {
    const folder = makeFiles({ '.git/p/a': '' })
    const judge = judgeOf([join(folder, '.git/p')])
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

  it('is that of each repository among the roots, with its own files', async () => {
    const index = makeIndex(['src/n'])
    const folder = makeFiles({
      ...{ 'a/.git/HEAD': 'x', 'b/.git/HEAD': 'x', 'a/.git/objects/': '', 'b/.git/objects/': '' },
      ...{ 'new/a/.git/index': index, 'new/b/.git/index': index },
    })
    const judge = judgeOf(
      ['a', 'b'].map((name) => join(folder, name)),
      { ruled: (path) => ({ behavior: path.startsWith(join(folder, 'a/src')) ? 'allow' : 'ask' }) },
    )
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
