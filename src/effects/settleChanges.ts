import type { ChangeVerdict, CommandEffects, PathChange, RefusedChange } from '../contracts/effects.ts'
import type { JudgedChange } from './JudgeChanges.ts'
import { refusedChange } from './refusedChange.ts'
import type { Survey } from './surveyFiles.ts'

/** `running`: the command goes on. `ended`: others do. `alone`: nothing else works on the checkout. */
export type Ending = 'running' | 'ended' | 'alone'

export type SettledChanges = {
  readonly kept: readonly PathChange[]
  /** What is to be put back. */
  readonly away: readonly PathChange[]
  readonly leftOut: readonly RefusedChange[]
  readonly undone: readonly RefusedChange[]
}

export type SettleOptions = {
  readonly effects: CommandEffects
  readonly ending: Ending
  isStranger(change: PathChange): boolean
}

/**
 * What stays of changes that stand in the checkout already. Where the command worked alone, one that undoes takes the
 * others with it, as in a view; otherwise nobody can tell whose the others are, and they stay as far as they are covered.
 */
export function settleChanges(judged: readonly JudgedChange[], options: SettleOptions): SettledChanges {
  const { effects, ending, isStranger } = options
  const all = judged.map(({ change, verdict }) => ({
    change,
    verdict: isStranger(change) ? STRANGER : limited(change, verdict, effects),
  }))
  const of = (isMeant: (change: PathChange, verdict: ChangeVerdict) => boolean) =>
    all.filter(({ change, verdict }) => isMeant(change, verdict))
  const undone = of(isUndoing)
  const isWhole = ending === 'alone' && undone.length > 0
  const leftOut = isWhole ? [] : of((change, { kind }) => kind === 'refused' && change.kind === 'created')
  const passing = ending === 'running' ? [] : of((_, { kind }) => kind === 'skipped')
  const covered = of((_, { kind }) => kind === 'covered')
  const away = [...undone, ...leftOut, ...passing, ...(isWhole ? [...of(isNew), ...covered] : [])]
  const isAway = new Set(away.map(({ change }) => change))
  return {
    kept: isWhole ? [] : covered.map(({ change }) => change),
    away: all.map(({ change }) => change).filter((change) => isAway.has(change)),
    leftOut: leftOut.flatMap(refusal),
    undone: undone.flatMap(refusal),
  }
}

const STRANGER: ChangeVerdict = { kind: 'never', why: 'it is a hard link to a file outside of the checkout' }

/** A check keeps nothing but what git ignores; what a rule covers is put back without a word. */
function limited(change: PathChange, verdict: ChangeVerdict, { access }: CommandEffects): ChangeVerdict {
  if (verdict.kind !== 'covered') return verdict
  if (access === 'read') return { kind: 'refused', why: 'the command was only to read' }
  if (access !== 'scratch') return verdict
  return change.kind === 'created'
    ? { kind: 'refused', why: 'a check keeps only what git ignores' }
    : { kind: 'skipped' }
}

function isUndoing(change: PathChange, { kind }: ChangeVerdict): boolean {
  return kind === 'never' || (kind === 'refused' && change.kind !== 'created')
}

function isNew(change: PathChange, { kind }: ChangeVerdict): boolean {
  return kind === 'refused' && change.kind === 'created'
}

function refusal({ change, verdict }: JudgedChange): RefusedChange[] {
  const refused = refusedChange(change, verdict)
  return refused === undefined ? [] : [refused]
}

/** Finds files that share their content with one that is not in the checkout: writing them would change that one. */
export function hardLinksOutside(now: Survey, before: Survey): (change: PathChange) => boolean {
  const counts = new Map<bigint, bigint>()
  for (const { stat } of now.values()) if (stat.nlink > 1n) counts.set(stat.ino, (counts.get(stat.ino) ?? 0n) + 1n)
  return ({ path, kind, entry }) => {
    const stat = now.get(path)?.stat
    if (kind === 'deleted' || entry !== 'file' || stat === undefined || stat.nlink < 2n) return false
    return before.get(path)?.stat.ino !== stat.ino && stat.nlink > (counts.get(stat.ino) ?? 0n)
  }
}
