import type { ChangeVerdict, CommandEffects, PathChange } from '../../contracts/effects.ts'
import type { KnownStamps, Survey } from '../watch/surveyFiles.ts'
import { isUndoing, type JudgedChange, limited, refusals } from './JudgeChanges.ts'

/**
 * `running`: the command still runs. `ended`: it ended, and other commands still run. `alone`: it ended, and nothing
 * else works on the checkout.
 */
export type CommandPhase = 'running' | 'ended' | 'alone'

export type DecideOptions = {
  readonly effects: CommandEffects
  readonly ending: CommandPhase
  /** Whether a file shares its content with one outside the checkout. */
  sharesOutside(change: PathChange): boolean
}

/**
 * Decides which changes stay that are already in the checkout. If the command worked alone, one refused change to an
 * existing path undoes all others, as in a view. Otherwise nobody can tell who made the others, so the covered ones
 * stay.
 */
export function decideChanges(judged: readonly JudgedChange[], options: DecideOptions) {
  const { effects, ending, sharesOutside } = options
  const all = judged.map(({ change, verdict }) => ({
    change,
    verdict: sharesOutside(change) ? SHARED_OUTSIDE : limited(change, verdict, effects),
  }))
  const of = (wanted: ChangeVerdict['kind']) => all.filter(({ verdict }) => verdict.kind === wanted)
  const undone = all.filter(isUndoing)
  const isWhole = ending === 'alone' && undone.length > 0
  const added = of('refused').filter(({ change }) => change.kind === 'created')
  const leftOut = isWhole ? [] : added
  const passing = ending === 'running' ? [] : of('skipped')
  const covered = of('covered')
  // Removing a refused change restores what it replaced. What only passes, such as a pipe, replaces nothing.
  const restored = new Set([...undone, ...added, ...(isWhole ? covered : [])].map(({ change }) => change.path))
  const passed = new Set(passing.map(({ change }) => change))
  // Nothing can be below a file that comes back.
  const files = all.flatMap(({ change: { path, kind, entry } }) =>
    kind === 'deleted' && entry !== 'folder' && restored.has(path) ? [`${path}/`] : [],
  )
  const isBelowFile = (path: string) => files.some((file) => path.startsWith(file))
  const isAway = (change: PathChange) =>
    passed.has(change) || restored.has(change.path) || (change.kind === 'created' && isBelowFile(change.path))
  return {
    kept: covered.map(({ change }) => change).filter((change) => !isAway(change)),
    /** What to put back. */
    away: all.map(({ change }) => change).filter(isAway),
    leftOut: leftOut.flatMap(refusals),
    undone: undone.flatMap(refusals),
  }
}

const SHARED_OUTSIDE: ChangeVerdict = { kind: 'never', why: 'it is a hard link to a file outside the checkout' }

/** Finds files that share their content with a file outside the checkout: writing them would change that file. */
export function hardLinksOutside({ found, gone }: Survey, known: KnownStamps): (change: PathChange) => boolean {
  let counts: ReadonlyMap<bigint, number> | undefined
  const count = () => {
    const unchanged = [...known].filter(([path]) => !found.has(path) && !gone.has(path)).map(([, { stamp }]) => stamp)
    const names = new Map<bigint, number>()
    for (const { kind, nlink, ino } of [...found.values(), ...unchanged])
      if (kind !== 'folder' && nlink > 1) names.set(ino, (names.get(ino) ?? 0) + 1)
    return names
  }
  return ({ path, kind, entry }) => {
    const stamp = found.get(path)
    if (kind === 'deleted' || entry !== 'file' || stamp === undefined || stamp.nlink < 2) return false
    counts ??= count()
    return known.get(path)?.stamp.ino !== stamp.ino && stamp.nlink > (counts.get(stamp.ino) ?? 0)
  }
}
