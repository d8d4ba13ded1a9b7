import { describe, expect, it } from 'vitest'
import type { ChangeVerdict, CommandEffects, PathChange } from '../../../src/contracts/effects.ts'
import { type CommandPhase, decideChanges, hardLinksOutside } from '../../../src/effects/judge/decideChanges.ts'
import type { FileStamp } from '../../../src/effects/watch/surveyFiles.ts'

const COVERED: ChangeVerdict = { kind: 'covered' }
const SCRATCH: ChangeVerdict = { kind: 'scratch' }
const SKIPPED: ChangeVerdict = { kind: 'skipped' }
const REFUSED: ChangeVerdict = { kind: 'refused', why: 'no Edit rule covers it' }
const NEVER: ChangeVerdict = { kind: 'never', why: 'devices are never kept' }

type Row = readonly [path: string, kind: PathChange['kind'], verdict: ChangeVerdict]

/** What becomes of changes, by their paths. */
function decide(rows: readonly Row[], ending: CommandPhase, access: CommandEffects['access'] = 'direct', shared = '') {
  const judged = rows.map(([path, kind, verdict]) => ({ change: { path, kind, entry: 'file' as const }, verdict }))
  const { kept, away, leftOut, undone } = decideChanges(judged, {
    effects: { access, mayChangeGit: false, by: 't' },
    ending,
    sharesOutside: ({ path }) => path === shared,
  })
  const whys = (refused: typeof undone) => refused.map(({ change, why }) => `${change.path}: ${why}`)
  return {
    kept: kept.map(({ path }) => path),
    away: away.map(({ path }) => path),
    leftOut: whys(leftOut),
    undone: whys(undone),
  }
}

describe('changes that are in the checkout already', () => {
  it('stay where rules cover them or git ignores them; only the covered ones are told', () => {
    const rows: Row[] = [
      ['/a', 'modified', COVERED],
      ['/b', 'created', COVERED],
      ['/c', 'deleted', COVERED],
      ['/dist', 'created', SCRATCH],
    ]
    for (const ending of ['running', 'ended', 'alone'] as const)
      expect(decide(rows, ending)).toEqual({ kept: ['/a', '/b', '/c'], away: [], leftOut: [], undone: [] })
  })

  it('go one by one where they are new and no rule covers them, however the command ends', () => {
    const rows: Row[] = [
      ['/a', 'modified', COVERED],
      ['/new', 'created', REFUSED],
    ]
    for (const ending of ['running', 'ended', 'alone'] as const)
      expect(decide(rows, ending)).toEqual({
        kept: ['/a'],
        away: ['/new'],
        leftOut: ['/new: no Edit rule covers it'],
        undone: [],
      })
  })

  it.each([
    ['modified', REFUSED, 'no Edit rule covers it'],
    ['deleted', REFUSED, 'no Edit rule covers it'],
    ['mode', REFUSED, 'no Edit rule covers it'],
    ['created', NEVER, 'devices are never kept'],
  ] as const)('go all together where the command was alone, for one that is refused: %s', (kind, verdict, why) => {
    const rows: Row[] = [
      ['/a', 'modified', COVERED],
      ['/bad', kind, verdict],
      ['/new', 'created', REFUSED],
      ['/dist', 'created', SCRATCH],
    ]
    expect(decide(rows, 'alone')).toEqual({
      kept: [],
      away: ['/a', '/bad', '/new'],
      leftOut: [],
      undone: [`/bad: ${why}`],
    })
    // Nobody can tell who made the others.
    for (const ending of ['running', 'ended'] as const)
      expect(decide(rows, ending)).toEqual({
        kept: ['/a'],
        away: ['/bad', '/new'],
        leftOut: ['/new: no Edit rule covers it'],
        undone: [`/bad: ${why}`],
      })
  })

  it('come back with what took their place', () => {
    const rows: Row[] = [
      ['/a', 'deleted', COVERED],
      ['/a', 'created', REFUSED],
    ]
    expect(decide(rows, 'ended')).toMatchObject({
      kept: [],
      away: ['/a', '/a'],
      leftOut: ['/a: no Edit rule covers it'],
    })
  })

  it('come back without anything below them', () => {
    const rows: Row[] = [
      ['/a', 'deleted', REFUSED],
      ['/a/b', 'created', COVERED],
      ['/a/c', 'created', SCRATCH],
      ['/ab', 'created', COVERED],
    ]
    expect(decide(rows, 'running')).toMatchObject({ kept: ['/ab'], away: ['/a', '/a/b', '/a/c'] })
  })

  it('that pass by themselves stay while the command goes on, and go without a word', () => {
    const rows: Row[] = [['/pipe', 'created', SKIPPED]]
    expect(decide(rows, 'running').away).toEqual([])
    for (const ending of ['ended', 'alone'] as const)
      expect(decide(rows, ending)).toEqual({ kept: [], away: ['/pipe'], leftOut: [], undone: [] })
  })

  it('leave a covered file removed where only a pipe took its place', () => {
    const judged = (verdict: ChangeVerdict) =>
      decideChanges(
        [
          { change: { path: '/a', kind: 'deleted', entry: 'file' }, verdict },
          { change: { path: '/a', kind: 'created', entry: 'fifo' }, verdict: SKIPPED },
        ],
        { effects: { access: 'write', mayChangeGit: false, by: 't' }, ending: 'alone', sharesOutside: () => false },
      )
    expect(judged(COVERED)).toMatchObject({ kept: [{ kind: 'deleted' }], away: [{ kind: 'created' }], undone: [] })
    expect(judged(REFUSED)).toMatchObject({ kept: [], away: [{ kind: 'deleted' }, { kind: 'created' }] })
  })

  it('never stay where the file is one from outside the checkout, whatever the rules say', () => {
    for (const verdict of [COVERED, SCRATCH])
      expect(decide([['/a', 'modified', verdict]], 'ended', 'direct', '/a')).toEqual({
        kept: [],
        away: ['/a'],
        leftOut: [],
        undone: ['/a: it is a hard link to a file outside the checkout'],
      })
  })
})

describe('changes of a command that may not change that much', () => {
  const rows: Row[] = [
    ['/a', 'modified', COVERED],
    ['/new', 'created', COVERED],
    ['/dist', 'created', SCRATCH],
  ]

  it('are refused where it was meant only to read', () => {
    expect(decide(rows, 'ended', 'read')).toEqual({
      kept: [],
      away: ['/a', '/new'],
      leftOut: ['/new: the command was meant only to read'],
      undone: ['/a: the command was meant only to read'],
    })
  })

  it('are put back after a check: without a word where they were changed, with one where they are new', () => {
    expect(decide(rows, 'ended', 'scratch')).toEqual({
      kept: [],
      away: ['/a', '/new'],
      leftOut: ['/new: a check keeps only what git ignores'],
      undone: [],
    })
    expect(decide([['/a', 'modified', REFUSED]], 'ended', 'scratch').undone).toEqual(['/a: no Edit rule covers it'])
  })

  it('stay where it may write', () => {
    for (const access of ['write', 'direct'] as const)
      expect(decide(rows, 'ended', access).kept).toEqual(['/a', '/new'])
  })
})

describe('a file that shares its content with one outside', () => {
  type Stamps = Readonly<Record<string, readonly [ino: number, nlink: number]>>
  const stamped = (stamps: Stamps) =>
    Object.entries(stamps).map(([path, [ino, nlink]]) => {
      return [path, { ino: String(ino), nlink, kind: 'file' } as unknown as FileStamp] as const
    })
  /** What was found or has gone, and what was there before. */
  const shares = (found: Stamps, before: Stamps, change: Partial<PathChange> = {}, gone: readonly string[] = []) =>
    hardLinksOutside(
      { found: new Map(stamped(found)), gone: new Set(gone) },
      new Map(stamped(before).map(([path, stamp]) => [path, { stamp }])),
    )({ path: '/a', kind: 'created', entry: 'file', ...change })

  it('is one with more names than the checkout has of it', () => {
    expect(shares({ '/a': [1, 2] }, {})).toBe(true)
    expect(shares({ '/a': [1, 3], '/b': [1, 3] }, {})).toBe(true)
    expect(shares({ '/a': [1, 2], '/b': [2, 2], '/c': [2, 2] }, {})).toBe(true)
    expect(shares({ '/a': [1, 2], '/b': [1, 2] }, {})).toBe(false)
    expect(shares({ '/a': [1, 1] }, {})).toBe(false)
  })

  it('counts the names that nobody touched, and none that were touched or have gone', () => {
    expect(shares({ '/a': [1, 2] }, { '/b': [1, 2] })).toBe(false)
    expect(shares({ '/a': [1, 2] }, { '/b': [1, 2] }, {}, ['/b'])).toBe(true)
    expect(shares({ '/a': [1, 2], '/b': [2, 1] }, { '/b': [1, 2] })).toBe(true)
  })

  it('is none that was shared before: the command did not make it so', () => {
    expect(shares({ '/a': [1, 2] }, { '/a': [1, 2] }, { kind: 'modified' })).toBe(false)
    expect(shares({ '/a': [1, 2] }, { '/a': [9, 2] }, { kind: 'modified' })).toBe(true)
  })

  it('is no folder, no link, and nothing that is gone', () => {
    const now: Stamps = { '/a': [1, 2] }
    expect(shares(now, {}, { entry: 'folder' })).toBe(false)
    expect(shares(now, {}, { entry: 'link' })).toBe(false)
    expect(shares(now, {}, { kind: 'deleted' })).toBe(false)
    expect(shares({}, {})).toBe(false)
  })
})
