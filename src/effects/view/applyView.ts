import { join, relative } from 'node:path'
import type {
  ChangeVerdict,
  CommandEffects,
  EffectsReport,
  PathChange,
  RefusedChange,
} from '../../contracts/effects.ts'
import { messageOf } from '../../contracts/errors.ts'
import { gitOrder } from '../../git/places/gitPlace.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import type { OpenTar } from '../../sandbox/mounts/openTar.ts'
import type { ViewFolders } from '../../sandbox/views/checkoutMode.ts'
import { isKept, isUndoing, type JudgeChanges, limited, type PathStates, refusals } from '../judge/JudgeChanges.ts'
import { type ChangedEntry, listChanges, readUpper } from './readUpper.ts'
import { type TakenOver, takeOver } from './takeOver.ts'

/** What to report to the account of all changes, and when. */
export type ChangeAccount = {
  /** Before a change is taken over: the present state becomes the before-image, if it is the first. */
  before(path: string): void | Promise<void>
  /** After they were taken over. */
  after(changes: readonly PathChange[], by: string): void | Promise<void>
  /** After changes were taken over that no rule has to cover. */
  ignored?(changes: readonly PathChange[], by: string): void | Promise<void>
}

/** What programs that work on the checkout itself may have changed is not judged yet. */
export type WatchedStates = {
  /** The last judged state, as in `PathStates`; undefined if no program is watched. */
  before(): PathStates['before'] | undefined
  /**
   * Reads the new state of paths before they are taken over, with what git wrote and no rule has to cover, such as its
   * logs. The result makes that the judged state. What a program writes to them meanwhile is still to be judged.
   */
  hold(paths: readonly string[], now: PathStates['now']): Promise<() => void>
}

export type ApplyViewOptions = {
  readonly state: string
  readonly judge: JudgeChanges
  readonly account: ChangeAccount
  readonly watched?: WatchedStates | undefined
}

export const NOTHING_CHANGED: EffectsReport = { state: 'enforced', kept: [], scratch: {}, leftOut: [], undone: [] }

/**
 * Judges the changes in a command's view and takes over the allowed ones. It takes over nothing if the command changed
 * an existing path without a rule. Otherwise it leaves out only new paths without a rule. All processes of the command
 * must have ended. Never throws.
 */
export async function applyView(
  view: ViewFolders & { readonly tar: OpenTar },
  effects: CommandEffects,
  options: ApplyViewOptions,
): Promise<EffectsReport> {
  try {
    const roots = await Promise.all(view.layers.map((layer) => readUpper(layer, view.tar)))
    const changes = roots.flatMap(listChanges)
    if (changes.length === 0) return NOTHING_CHANGED
    const states = viewStates(view.layers, options.watched?.before())
    const verdicts = verdictsOf(roots, await options.judge(changes, { effects, states }))
    const verdictOf = (change: PathChange) => limited(change, verdicts.get(change) ?? UNJUDGED, effects)
    const judged = changes.map((change) => ({ change, verdict: verdictOf(change) }))
    const undone = judged.filter(isUndoing).flatMap(refusals)
    if (undone.length > 0) return { ...NOTHING_CHANGED, undone }
    return await keep({ view, roots, changes, states, verdictOf }, effects, options)
  } catch (error) {
    const why = `its changes cannot be judged (${messageOf(error)})`
    return {
      ...NOTHING_CHANGED,
      undone: view.layers.slice(0, 1).map(({ lower }) => ({ change: rootChange(lower), why })),
    }
  }
}

const UNJUDGED: ChangeVerdict = { kind: 'refused', why: 'no rule was consulted about it' }

type Judged = {
  readonly view: ViewFolders
  readonly roots: readonly ChangedEntry[]
  readonly changes: readonly PathChange[]
  readonly states: PathStates
  readonly verdictOf: (change: PathChange) => ChangeVerdict
}

async function keep(judged: Judged, effects: CommandEffects, options: ApplyViewOptions): Promise<EffectsReport> {
  const { view, roots, changes, states, verdictOf } = judged
  const covered = changes.filter((change) => verdictOf(change).kind === 'covered')
  const scratch = changes.filter((change) => verdictOf(change).kind === 'scratch')
  const newOnes = roots.flatMap((root) => leftOut(root, verdictOf))
  const report = { ...NOTHING_CHANGED, kept: covered, scratch: countScratch(view, scratch), leftOut: newOnes }
  for (const { path } of covered) await options.account.before(path)
  const isGit = (path: string) =>
    path.includes('/.git/') || view.layers.slice(1).some(({ lower }) => isWithin(path, lower))
  const ofGit = scratch.filter(({ path }) => isGit(path))
  const paths = [...covered, ...ofGit].map(({ path }) => path)
  const accept = await options.watched?.hold(paths, states.now)
  const taken = await takeOver(roots, covered, verdictOf, {
    state: options.state,
    view: view.folder,
    by: effects.by,
    order: (path) => gitOrder(path, isGit),
  })
  if (taken.state === 'refused') return withOutcome(report, taken, changes)
  try {
    // Files that were put back are the same, with new times.
    await options.account.after(covered, effects.by)
    if (taken.state === 'done' && effects.access === 'write') await options.account.ignored?.(scratch, effects.by)
    if (taken.state !== 'undone') accept?.()
    return withOutcome(report, taken, changes)
  } catch (error) {
    return { ...report, unknown: `the changes were kept, and could not be recorded (${messageOf(error)})` }
  }
}

function withOutcome(report: EffectsReport, taken: TakenOver, changes: readonly PathChange[]): EffectsReport {
  if (taken.state === 'done') return report
  if (taken.state === 'unknown') return { ...report, unknown: taken.why }
  const change = changes.find(({ path }) => path === taken.path) ?? rootChange(taken.path)
  return { ...NOTHING_CHANGED, undone: [{ change, why: taken.why }] }
}

/** What nobody can judge is refused, even if the judge allows a path that looks like it. */
function verdictsOf(
  roots: readonly ChangedEntry[],
  judged: Awaited<ReturnType<JudgeChanges>>,
): ReadonlyMap<PathChange, ChangeVerdict> {
  const verdicts = new Map(judged.map(({ change, verdict }) => [change, verdict] as const))
  const visit = ({ changes, children, obstacle }: ChangedEntry): void => {
    if (obstacle !== undefined) for (const change of changes) verdicts.set(change, { kind: 'refused', why: obstacle })
    children.forEach(visit)
  }
  roots.forEach(visit)
  return verdicts
}

/** New paths that are refused; for a new folder of which nothing is kept, only the folder. */
function leftOut(entry: ChangedEntry, verdictOf: Judged['verdictOf']): RefusedChange[] {
  const own = entry.changes.flatMap((change) => refusals({ change, verdict: verdictOf(change) }))
  const below = entry.children.flatMap((child) => leftOut(child, verdictOf))
  if (own.length === 0) return below
  return keepsAny(entry, verdictOf) ? below : own
}

function keepsAny({ changes, children }: ChangedEntry, verdictOf: Judged['verdictOf']): boolean {
  return changes.some((change) => isKept(verdictOf(change))) || children.some((child) => keepsAny(child, verdictOf))
}

/** Files by top folder. */
function countScratch({ layers }: ViewFolders, changes: readonly PathChange[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { path, entry } of changes) {
    const root = layers.find(({ lower }) => isWithin(path, lower))?.lower ?? '/'
    const [top = ''] = relative(root, path).split('/')
    if (entry !== 'folder') counts[top] = (counts[top] ?? 0) + 1
  }
  return counts
}

function rootChange(path: string): PathChange {
  return { path, kind: 'modified', entry: 'folder' }
}

/** The states of the paths in views: `upper` has what changed, `lower` the old state unless `before` knows another. */
export function viewStates(
  layers: readonly { readonly lower: string; readonly upper: string }[],
  before: PathStates['before'] = (path) => path,
): PathStates {
  // A view inside another one's folder has the files that are in both.
  const inner = layers.toSorted((a, b) => b.lower.length - a.lower.length)
  return {
    before,
    now(path) {
      const layer = inner.find(({ lower }) => isWithin(path, lower))
      return layer === undefined ? path : join(layer.upper, relative(layer.lower, path))
    },
  }
}
