import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ChangeVerdict, CommandEffects, EffectsReport, PathChange } from '../../../src/contracts/effects.ts'
import type { JudgeContext } from '../../../src/effects/judge/JudgeChanges.ts'
import { type ApplyViewOptions, applyView, NOTHING_CHANGED, viewStates } from '../../../src/effects/view/applyView.ts'
import { createView } from '../../../src/sandbox/views/createView.ts'
import { makeFiles, writeFiles } from '../../helpers/effects/makeFiles.ts'
import { type MadeLayer, makeLayer } from '../../helpers/effects/makeLayer.ts'
import { recordCalls } from '../../helpers/effects/recordCalls.ts'
import { treeOf } from '../../helpers/runs/treeOf.ts'

const NO_RULE = 'no Edit rule covers it'
const WRITE: CommandEffects = { access: 'write', mayChangeGit: false, by: 'toolu_1' }

/** `src` is covered, `dist` ignored; `.git` below `src` is never kept, FIFOs are left out; nothing else is covered. */
function verdictOf(path: string): ChangeVerdict {
  if (path.startsWith('dist')) return { kind: 'scratch' }
  if (path.endsWith('.git')) return { kind: 'never', why: 'it makes a repository' }
  return path.startsWith('src') ? { kind: 'covered' } : { kind: 'refused', why: NO_RULE }
}

/** Applies a view to its checkout; what the account was told is in `told`, paths are relative to the checkout. */
async function apply(made: MadeLayer, change: Partial<CommandEffects> = {}, more: Partial<ApplyViewOptions> = {}) {
  const layer = makeLayer(made)
  const { root, state, layer: own, view: folder, tar } = layer
  const told: string[] = []
  const name = (path: string) => path.slice(root.length + 1)
  const contexts: JudgeContext[] = []
  const report = await applyView(
    { folder, layers: [own], tar },
    { ...WRITE, ...change },
    {
      state,
      judge: async (changes, context) => {
        contexts.push(context)
        return changes.map((each) => ({ change: each, verdict: verdictOf(name(each.path)) }))
      },
      account: {
        before: (path) => void told.push(`before ${name(path)}: ${treeOf(root)[name(path)]}`),
        after: (changes, by) => void told.push(`after by ${by}: ${changes.map(({ path }) => name(path)).join(' ')}`),
      },
      ...more,
    },
  )
  return { ...layer, report, told, contexts, names: namesIn(root, report) }
}

function namesIn(root: string, { kept, scratch, leftOut, undone }: EffectsReport) {
  const name = ({ kind, path }: PathChange) => `${kind} ${path.slice(root.length + 1)}`
  const why = (each: EffectsReport['undone'][number]) => `${name(each.change)}: ${each.why}`
  return { kept: kept.map(name), scratch, leftOut: leftOut.map(why), undone: undone.map(why) }
}
const NONE = { kept: [], scratch: {}, leftOut: [], undone: [] }

describe('what a command changed in its view', () => {
  it('is nothing, which nobody is asked about', async () => {
    const { report, contexts, told } = await apply({ checkout: { 'src/a': 'a' }, view: { 'src/a': 'a' } })
    expect([report, contexts, told]).toEqual([NOTHING_CHANGED, [], []])
    expect(report).toEqual({ state: 'enforced', ...NONE })
  })

  it('is taken over where it is covered or ignored; what else is new is left out and named', async () => {
    const { names, report, told, root } = await apply({
      checkout: { 'src/a': 'old', b: 'b' },
      view: { 'src/a': 'new', 'src/n': 'n', 'dist/x/y': 'y', 'dist/z': 'z', junit: 'j', dist2: 'file' },
    })
    expect(names).toEqual({
      kept: ['modified src/a', 'created src/n'],
      scratch: { dist: 2, dist2: 1 },
      leftOut: [`created junit: ${NO_RULE}`],
      undone: [],
    })
    expect([report.state, report.unknown]).toEqual(['enforced', undefined])
    const folders = { src: 'folder', dist: 'folder', 'dist/x': 'folder' }
    const files = { 'src/a': 'new', 'src/n': 'n', 'dist/x/y': 'y', 'dist/z': 'z', dist2: 'file', b: 'b' }
    expect(treeOf(root)).toEqual({ ...folders, ...files })
    expect(told).toEqual(['before src/a: old', 'before src/n: undefined', 'after by toolu_1: src/a src/n'])
  })

  it.each([
    ['an existing path that no rule covers', { b: 'new' }, `modified b: ${NO_RULE}`],
    ['what is never kept', { 'src/.git': '' }, 'created src/.git: it makes a repository'],
    ['a name that may have been there', { 'src/a\ufffd': 'x' }, 'modified src/a\ufffd: its name is not UTF-8'],
  ])('is undone as a whole with %s', async (_, view, undone) => {
    const checkout = { 'src/a': 'old', b: 'b', 'src/a\ufffd': 'x' }
    const { names, told, root } = await apply({
      checkout,
      view: { 'src/a': 'new', 'dist/x': 'x', junit: 'j', ...view },
    })
    expect(names).toEqual({ ...NONE, undone: [undone] })
    expect(told).toEqual([])
    expect(treeOf(root)).toEqual({ src: 'folder', ...checkout })
  })

  it('is named by the folder where all that is in a new one is left out, and else file by file', async () => {
    const { names, root } = await apply(
      { view: { 'out/a': '', 'out/deep/b': '', 'src/n': '', 'lib/a': '', 'lib/dist': '' } },
      {},
      {
        judge: async (changes) =>
          changes.map((change) => ({
            change,
            verdict: /\/(?:src.*|dist)$/.test(change.path) ? { kind: 'covered' } : { kind: 'refused', why: NO_RULE },
          })),
      },
    )
    expect(names.leftOut).toEqual([`created lib/a: ${NO_RULE}`, `created out: ${NO_RULE}`])
    expect(Object.keys(treeOf(root))).toEqual(['lib', 'lib/dist', 'src', 'src/n'])
  })

  it('is, in a covered new folder, named where it is left out', async () => {
    const { names } = await apply({ view: { 'src/n/a\ufffd': '', 'src/n/b': '' } })
    expect(names.leftOut).toEqual(['created src/n/a\ufffd: its name is not UTF-8'])
    expect(names.kept).toEqual(['created src', 'created src/n', 'created src/n/b'])
  })

  it('is refused where the judge says nothing about it, or speaks of another change', async () => {
    const judge: ApplyViewOptions['judge'] = async (changes) =>
      changes.map((change) => ({ change: { ...change }, verdict: { kind: 'covered' } }))
    const { names } = await apply({ checkout: { 'src/a': '' }, view: { 'src/a': 'x', 'src/b': '' } }, {}, { judge })
    expect(names).toEqual({ ...NONE, undone: ['modified src/a: no rule was consulted about it'] })
  })

  it('is judged with what the command may do and where both states are', async () => {
    const { contexts, at, atUpper } = await apply({ view: { 'src/a': 'x' } }, { mayChangeGit: true })
    const [{ effects, states } = { effects: WRITE, states: undefined }] = contexts
    expect(effects).toEqual({ ...WRITE, mayChangeGit: true })
    expect([states?.before(at('src/a')), states?.now(at('src/a'))]).toEqual([at('src/a'), atUpper('src/a')])
  })
})

describe('a check', () => {
  it('keeps only what git ignores: the rest is named where it is new, and dropped in silence where it is covered', async () => {
    const made = {
      checkout: { 'src/a': 'old' },
      view: { 'src/a': 'new', 'dist/x': 'x', 'src/report': 'r', junit: 'j' },
    }
    const { names, root, told } = await apply(made, { access: 'scratch' })
    expect(names).toEqual({
      ...{ ...NONE, scratch: { dist: 1 } },
      leftOut: [`created junit: ${NO_RULE}`, 'created src/report: a check keeps only what git ignores'],
    })
    expect(treeOf(root)).toEqual({ src: 'folder', 'src/a': 'old', dist: 'folder', 'dist/x': 'x' })
    expect(told).toEqual(['after by toolu_1: '])
  })
})

describe('a view that cannot be applied', () => {
  const MADE: MadeLayer = { checkout: { 'src/a': 'old', 'src/b': 'old' }, view: { 'src/a': 'new', 'src/b': 'new' } }

  it('is undone if nobody can judge it', async () => {
    const { names, root } = await apply(MADE, {}, { judge: () => Promise.reject(new Error('no git')) })
    expect(names).toEqual({ ...NONE, undone: ['modified : its changes cannot be judged (no git)'] })
    expect(treeOf(root)['src/a']).toBe('old')
  })

  it('is undone if the account cannot be told before', async () => {
    const account = { before: () => Promise.reject(new Error('no space')), after: () => undefined }
    const { names, report, root } = await apply(MADE, {}, { account })
    expect(names).toEqual({ ...NONE, undone: ['modified : its changes cannot be judged (no space)'] })
    expect(report.undone[0]?.change.entry).toBe('folder')
    expect(treeOf(root)['src/a']).toBe('old')
  })

  it('is undone if somebody changed a file meanwhile, which is named, and the account hears of nothing', async () => {
    const told: string[] = []
    const before = (path: string) => {
      if (path.endsWith('n')) writeFileSync(path, 'of a person')
    }
    const account = { before, after: () => void told.push('after') }
    const { names, root, at, report } = await apply({ ...MADE, view: { ...MADE.view, 'src/n': 'n' } }, {}, { account })
    expect(names).toEqual({ ...NONE, undone: ['created src/n: something else changed it meanwhile'] })
    expect(report.undone[0]?.change).toEqual({ path: at('src/n'), kind: 'created', entry: 'file' })
    expect([treeOf(root)['src/a'], treeOf(root)['src/n'], told]).toEqual(['old', 'of a person', []])
  })

  it('is undone if a step fails after another, and the account hears of the new times', async () => {
    const judge: ApplyViewOptions['judge'] = async (changes, { states }) => {
      for (const { path } of changes) if (path.endsWith('/src/b')) rmSync(states.now(path))
      return changes.map((change) => ({ change, verdict: { kind: 'covered' } }))
    }
    const { names, root, told } = await apply(MADE, {}, { judge })
    const why = expect.stringMatching(/^modified src\/b: it could not be taken over \(ENOENT/)
    expect(names).toEqual({ ...NONE, undone: [why] })
    expect(treeOf(root)).toMatchObject({ 'src/a': 'old', 'src/b': 'old' })
    expect(told.at(-1)).toBe('after by toolu_1: src/a src/b')
  })

  it('was taken over, and says so, if the account fails after it', async () => {
    const account = { before: () => undefined, after: () => Promise.reject(new Error('no space')) }
    const { names, report, root } = await apply(MADE, {}, { account })
    expect(report.unknown).toBe('the changes were kept, and could not be recorded (no space)')
    expect(names.kept).toEqual(['modified src/a', 'modified src/b'])
    expect(treeOf(root)['src/b']).toBe('new')
  })
})

describe('a checkout whose git directory lies elsewhere', () => {
  /** Applies changes in both places, all of them judged alike. */
  async function both(kind: 'covered' | 'scratch') {
    const git = { 'git/objects/pack/p': '', 'git/refs/heads/x': '' }
    const folder = makeFiles({ 'p/a': 'a', 'p/objects/old': '', 'views/': '', ...git })
    const roots = ['p', 'git'].map((name) => join(folder, name))
    const view = createView(join(folder, 'views'), roots)
    const [first, second] = view.layers.map(({ upper }) => upper)
    writeFiles(first ?? '', {
      ...{ a: 'new', 'refs/x': 'no ref', 'objects/z': 'no object', '.git/refs/heads/y': 'r', '.git/objects/ab': 'o' },
      'dist/x': '',
    })
    writeFiles(second ?? '', { 'refs/heads/n': 'ref', 'objects/ab/c': 'object', index: 'index' })
    const areOpaque = async (paths: readonly string[]) => paths.map(() => false)
    const tar = { program: 'tar', start: () => undefined, areOpaque, close: () => undefined }
    const { calls } = recordCalls(folder)
    const report = await applyView({ ...view, tar }, WRITE, {
      state: join(folder, 'state'),
      judge: async (changes) => changes.map((change) => ({ change, verdict: { kind } })),
      account: { before: () => undefined, after: () => undefined },
    })
    return { folder, report, calls }
  }

  it('gets objects first and names last, in both places', async () => {
    const { folder, report, calls } = await both('covered')
    expect([report.undone, report.unknown]).toEqual([[], undefined])
    const put = calls.flatMap((call) => /^rename views\/\S+ (.*)$/.exec(call)?.[1] ?? [])
    expect(put).toEqual([
      ...['p/.git', 'p/a', 'p/dist', 'p/objects/z', 'p/refs', 'git/objects/ab', 'git/index', 'git/refs/heads/n'],
    ])
    expect(readFileSync(join(folder, 'git/refs/heads/n'), 'utf8')).toBe('ref')
  })

  it('counts ignored files by the top folder of each', async () => {
    const { report } = await both('scratch')
    expect(report.scratch).toEqual({ '.git': 2, a: 1, dist: 1, refs: 2, index: 1, objects: 2 })
  })
})

const { before, now } = viewStates([
  { lower: '/p', upper: '/views/0/upper' },
  { lower: '/p/inner/git', upper: '/views/1/upper' },
  { lower: '/other', upper: '/views/2/upper' },
])

it.each([
  ['in the view of the folder that holds it', '/p/src/a', '/views/0/upper/src/a'],
  ['in the inner one of two', '/p/inner/git/HEAD', '/views/1/upper/HEAD'],
  ['in the outer one beside the inner', '/p/inner/gitx', '/views/0/upper/inner/gitx'],
  ['in another view', '/other/a', '/views/2/upper/a'],
  ['where it is, outside of all views', '/q/a', '/q/a'],
])('finds the new state of a path %s, and the old one where it is', (_, path, at) => {
  expect([now(path), before(path)]).toEqual([at, path])
})
