import { describe, expect, it } from 'vitest'
import type { ChangeVerdict, CommandEffects, PathChange } from '../../../src/contracts/effects.ts'
import { type CommandPhase, decideChanges, hardLinksOutside } from '../../../src/effects/judge/decideChanges.ts'
import type { FileStamp } from '../../../src/effects/watch/surveyFiles.ts'
import { listOf, table } from '../../helpers/table.ts'

const VERDICTS: Readonly<Record<string, ChangeVerdict>> = {
  ...{ covered: { kind: 'covered' }, scratch: { kind: 'scratch' }, skipped: { kind: 'skipped' } },
  refused: { kind: 'refused', why: 'no rule' },
  never: { kind: 'never', why: 'a device' },
}

/** What becomes of changes, such as `a modified, new created refused, p created skipped fifo`. */
function decide(changes: string, ending: CommandPhase, access: CommandEffects['access'], shared = ''): string {
  const judged = listOf(changes).map((change) => {
    const [path = '', kind, verdict = 'covered', entry = 'file'] = change.split(' ')
    return { change: { path, kind, entry } as PathChange, verdict: VERDICTS[verdict] as ChangeVerdict }
  })
  const decided = decideChanges(judged, {
    effects: { access, mayChangeGit: false, by: 't' },
    ending,
    sharesOutside: ({ path }) => path === shared,
  })
  const names = (all: readonly PathChange[]) =>
    all.map(({ path, entry }) => (entry === 'file' ? path : `${path}:${entry}`))
  const whys = (refused: typeof decided.undone) => refused.map(({ change, why }) => `${change.path} (${why})`)
  const parts = [
    ...[['kept', names(decided.kept)] as const, ['away', names(decided.away)] as const],
    ...[['left out', whys(decided.leftOut)] as const, ['undone', whys(decided.undone)] as const],
  ]
  return parts.flatMap(([name, paths]) => (paths.length === 0 ? [] : [`${name} ${paths.join(' ')}`])).join(', ')
}

describe('changes that are in the checkout already', () => {
  it.each(table`
    stay where rules cover them or git ignores them; only the covered ones are told | running ended alone | direct write
      | a modified, b created, c deleted, dist created scratch | kept a b c
    go one by one where they are new and no rule covers them | running ended alone | direct
      | a modified, new created refused | kept a, away new, left out new (no rule)
    go all together where the command was alone and one is refused: written | alone | direct
      | a modified, bad modified refused, new created refused, dist created scratch | away a bad new, undone bad (no rule)
    so, too: deleted | alone | direct | a modified, bad deleted refused | away a bad, undone bad (no rule)
    so, too: a mode  | alone | direct | a modified, bad mode refused    | away a bad, undone bad (no rule)
    so, too: what is never kept | alone | direct | a modified, bad created never | away a bad, undone bad (a device)
    go one by one where nobody can tell who made the others | running ended | direct
      | a modified, bad modified refused, new created refused, dist created scratch
      | kept a, away bad new, left out new (no rule), undone bad (no rule)
    so, too: deleted | running ended | direct | a modified, bad deleted refused | kept a, away bad, undone bad (no rule)
    so, too: a mode  | running ended | direct | a modified, bad mode refused    | kept a, away bad, undone bad (no rule)
    so, too: what is never kept | running ended | direct
      | a modified, bad created never | kept a, away bad, undone bad (a device)
    come back with what took their place | ended | direct
      | a deleted, a created refused | away a a, left out a (no rule)
    come back without anything below them | running | write
      | a deleted refused, a/b created, a/c created scratch, ab created | kept ab, away a a/b a/c, undone a (no rule)
    that pass by themselves stay while the command goes on | running | direct | pipe created skipped |
    that pass by themselves go without a word at its end | ended alone | direct | pipe created skipped | away pipe
    leave a covered file removed where only a pipe took its place | alone | write
      | a deleted, a created skipped fifo | kept a, away a:fifo
    come back where a pipe took the place of a file that no rule covers | alone | write
      | a deleted refused, a created skipped fifo | away a a:fifo, undone a (no rule)
    are refused where it was meant only to read | ended | read | a modified, new created, dist created scratch
      | away a new, left out new (the command was meant only to read), undone a (the command was meant only to read)
    go after a check: without a word where they were changed, with one where they are new | ended | scratch
      | a modified, new created, dist created scratch | away a new, left out new (a check keeps only what git ignores)
    go after a check that no rule covers | ended | scratch | a modified refused | away a, undone a (no rule)
  `)('%s', (_, endings = '', accesses = '', changes = '', expected = '') => {
    for (const ending of endings.split(' ') as CommandPhase[])
      for (const access of accesses.split(' ') as CommandEffects['access'][])
        expect([ending, access, decide(changes, ending, access)]).toEqual([ending, access, expected])
  })

  it('never stay where the file is one from outside the checkout, whatever the rules say', () => {
    for (const verdict of ['covered', 'scratch'])
      expect(decide(`a modified ${verdict}`, 'ended', 'direct', 'a')).toBe(
        'away a, undone a (it is a hard link to a file outside the checkout)',
      )
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
