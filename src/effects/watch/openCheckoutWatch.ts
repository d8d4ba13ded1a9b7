import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CommandEffects, EffectsReport, PathChange } from '../../contracts/effects.ts'
import type { RunGit } from '../../git/own/ownGit.ts'
import { gitPlace } from '../../git/places/gitPlace.ts'
import type { WorktreePlaces } from '../../git/states/gitWorktree.ts'
import { isUndecodable } from '../../lib/fs/diskPath.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { memoize } from '../../lib/memoize.ts'
import { createCommandOrder } from '../commandOrder.ts'
import { type CommandPhase, decideChanges, hardLinksOutside } from '../judge/decideChanges.ts'
import type { JudgeChanges, JudgedChange, PathStates } from '../judge/JudgeChanges.ts'
import type { Account } from '../openAccount.ts'
import type { Checkout } from '../openCheckout.ts'
import { compareBackups, nextBaseline, seenAs, touchedFiles } from './compareBackups.ts'
import { countIndexed, findGitContents } from './gitContents.ts'
import { openBackups } from './openBackups.ts'
import { isObjectFile, openWatchedObjects } from './openObjectLinks.ts'
import { restoredFiles, restorePaths } from './restorePaths.ts'
import { stampAt, surveyFiles } from './surveyFiles.ts'

export type WatchOptions = {
  readonly checkout: Checkout
  /** What the run itself writes, such as its records: never put back. Absolute and resolved. */
  readonly own?: readonly string[] | undefined
  readonly judge: JudgeChanges
  readonly account: Pick<Account, 'ready' | 'before' | 'after' | 'restored'>
  /** A folder of the run for the backups. */
  readonly folder: string
  readonly runGit: RunGit
  /** With fewer files than this, their contents are copied, although git may have them; 2,000 by default. */
  readonly largeFrom?: number
  /** Places that are watched although git ignores them, by name. */
  isProtected(path: string): boolean
  /** Files that are watched even if git ignores them, because a rule forbids changing them. */
  isForbidden(path: string): boolean
}

/** Watches the checkout for one command. */
export type Watched = {
  /** Compares while the command still runs, such as after each call; puts back only what is refused. */
  look(): Promise<EffectsReport>
  /**
   * Compares after the command ended. A refused change to an existing path undoes all others, as in a view, unless the
   * access is `direct` or something else is watched too.
   */
  settle(): Promise<EffectsReport>
}

export type CheckoutWatch = ReturnType<typeof openCheckoutWatch>

/**
 * Compares the checkout with its earlier state, judges the differences, and puts back what is refused. It sees
 * everything that git does not ignore, protected or forbidden places, and git's own files and objects. In other ignored
 * folders it sees only new repositories, links and devices. A change made while nothing is watched belongs to nobody
 * and stays.
 */
export function openCheckoutWatch(options: WatchOptions) {
  const { checkout, own, folder, account, runGit, largeFrom = 2000 } = options
  const { roots, repositories } = checkout
  const backups = openBackups(folder, runGit)
  const isProtected = memoize(options.isProtected)
  const isForbidden = memoize(options.isForbidden)
  const objects = openWatchedObjects(repositories, join(folder, 'objects'))
  const closing = new AbortController()
  const active = new Map<Watched, CommandEffects>()
  const reports = new Map<Watched, EffectsReport>()

  const states: PathStates = {
    now: (path) => path,
    before(path) {
      const backup = backups.known.get(path)
      if (backup !== undefined) return backup.copy ?? (backup.stamp.kind === 'folder' ? folder : undefined)
      return roots.some((root) => isWithin(path, root)) ? undefined : path
    },
  }
  /** A folder that a command locked is opened again; one that was locked before stays as it is. */
  const wasOpen = (path: string) => ((backups.known.get(path)?.stamp.mode ?? 0o500) & 0o500) === 0o500
  const survey = async (before: PathStates['before'], mayOpen?: (path: string) => boolean, signal?: AbortSignal) => {
    const sight = { repositories, isScratch: checkout.findScratch(before, true) }
    const { isNoted } = objects
    const listed = { roots, own, isWide: true, isProtected, isForbidden, isNoted, mayOpen, signal }
    return surveyFiles({ ...listed, ...sight, known: backups.known })
  }
  const compare = async (effects: CommandEffects, ending: CommandPhase): Promise<EffectsReport> => {
    const lost = objects.restore()
    const now = await survey(states.before, wasOpen)
    const changes = compareBackups(backups.known, now)
    await backups.fetch(changes.map(({ path }) => path))
    const touched = touchedFiles(backups.known, now, changes)
    backups.touch(touched)
    const given = { effects, states: { ...states, rewrote: seenAs(now.found) } }
    const judged = (await options.judge(changes, given)).map(named)
    const sharesOutside = hardLinksOutside(now, backups.known)
    const outcomes = decideChanges(judged, { effects, ending, sharesOutside })
    const { kept, away, leftOut, undone } = outcomes
    for (const { path } of kept) await account.before(path, states.before(path))
    const failed = restorePaths(away, { roots, known: backups.known })
    await account.restored([...touched, ...restoredFiles(away, backups.known, failed)])
    await account.after(kept, effects.by)
    const steersSight = ({ path }: PathChange) =>
      path.endsWith('/.gitignore') || gitPlace(path, repositories) !== undefined
    // What git ignores in a new folder is seen only while the folder is new.
    const isPassing = ({ change, verdict: { kind } }: JudgedChange) =>
      kind === 'skipped' || (kind === 'scratch' && ['file', 'folder'].includes(change.entry) && !steersSight(change))
    // A file that only exists while a command runs must be checked again after the command ended.
    const passing = judged.filter((each) => each.change.kind === 'created' && isPassing(each))
    const putBack = new Set(away.map(({ path }) => path))
    const made = judged.flatMap(({ change: { path, kind }, verdict }) => {
      const isNew = kind === 'created' && verdict.kind === 'scratch' && isObjectFile(path) && !putBack.has(path)
      const stamp = now.found.get(path)
      return isNew && stampAt(path, stamp) === stamp ? [path] : []
    })
    objects.accept(made)
    const again = new Set([...putBack, ...passing.map(({ change }) => change.path), ...made])
    const haveIgnoreRulesChanged = kept.some(steersSight)
    const after = haveIgnoreRulesChanged ? await survey((path) => path) : now
    backups.keep(nextBaseline({ known: backups.known, now, again, after }))
    const open = failed.length > 0 ? [`these could not be restored: ${failed.join(', ')}`] : []
    const unknown = [...open, ...(lost === undefined ? [] : [lost])].join('; ')
    return { ...{ state: 'watched', kept, scratch: {}, leftOut, undone }, ...(unknown !== '' && { unknown }) }
  }
  /** While commands run, nobody can tell their changes apart: they are judged by what any of them may do. */
  const together = (effects?: CommandEffects): CommandEffects => {
    const all = [...(effects === undefined ? [] : [effects]), ...active.values()]
    return { ...(all[0] ?? NOBODY), mayChangeGit: all.some(({ mayChangeGit }) => mayChangeGit) }
  }
  /** The folders that a tool had to create for its file. */
  const newParents = (paths: readonly string[]): ReadonlySet<string> => {
    const made = new Set<string>()
    for (const path of paths)
      for (let folder = dirname(path); isInside(folder) && !backups.known.has(folder); folder = dirname(folder))
        made.add(folder)
    return made
  }
  const isInside = (folder: string) => roots.some((root) => folder !== root && isWithin(folder, root))
  const { inTurn } = createCommandOrder()
  const begin = async (isEarly = false) => {
    if (isEarly && countIndexed(repositories) < largeFrom) return
    const signal = isEarly ? closing.signal : undefined
    objects.note()
    const differing = await survey((path) => path, undefined, signal)
    const isLarge = backups.known.size === 0 && differing.found.size >= largeFrom && objects.areHeld()
    const git = isLarge ? await findGitContents(differing.found, repositories, runGit) : undefined
    // Contents are copied only for a command.
    const files = [...differing.found.values()].filter(({ kind }) => kind !== 'folder').length
    const isUseful = !isEarly || (git?.size ?? 0) > files / 2
    if (isUseful && signal?.aborted !== true) await backups.begin(differing, git)
  }
  const watchNow = async (effects: CommandEffects): Promise<Watched> => {
    await account.ready()
    if (active.size === 0) await begin()
    else {
      const report = await compare(together(), 'running')
      for (const oldest of [...active.keys()].slice(0, 1)) reports.set(oldest, joined(reports.get(oldest), report))
    }
    const finish = (own: Watched, report: EffectsReport) => {
      const all = joined(reports.get(own), report)
      reports.delete(own)
      return all
    }
    const watched: Watched = {
      look: () => inTurn(async () => finish(watched, await compare(together(effects), 'running'))),
      settle: () =>
        inTurn(async () => {
          const isAlone = active.size === 1 && effects.access !== 'direct'
          const report = await compare(together(effects), isAlone ? 'alone' : 'ended')
          active.delete(watched)
          return finish(watched, report)
        }),
    }
    active.set(watched, effects)
    return watched
  }
  const noteNow = (paths: readonly string[]) => {
    if (active.size > 0) backups.keepAt([...newParents(paths), ...paths])
  }
  const holdNow = (paths: readonly string[], now: PathStates['now']) => {
    const held = active.size === 0 ? [] : [...newParents(paths), ...paths]
    const accept = backups.hold(held.filter((path) => !isObjectFile(path)).map((path) => [path, now(path)] as const))
    return () => {
      accept()
      objects.accept(held)
    }
  }
  const noteWithin = async (places: readonly WorktreePlaces[]) => {
    if (active.size === 0) return
    const paths = [...backups.known.keys(), ...(await survey((path) => path)).found.keys()]
    const isOwn = (path: string) =>
      places.some(({ own, shared }) => shared.includes(path) || own.some((folder) => isWithin(path, folder)))
    backups.keepAt([...new Set(paths)].filter(isOwn))
  }
  return {
    /** Reads a large checkout whose contents git has before the first command needs it, until `close` at most. */
    prepare: () => void inTurn(() => begin(true)).catch(() => undefined),
    /** Records the state of the checkout before a command works on it. */
    watch: (effects: CommandEffects) => inTurn(() => watchNow(effects)),
    /** See `WatchedStates`. */
    before: () => (active.size === 0 ? undefined : states.before),
    hold: (paths: readonly string[], now: PathStates['now']) => inTurn(async () => holdNow(paths, now)),
    /**
     * Lets an in-process tool change these paths while nothing is compared: neither its temporary file nor its change
     * is taken for a command's. `work` must not call `hold`.
     */
    change: <T>(paths: readonly string[], work: () => Promise<T>) => inTurn(() => work().finally(() => noteNow(paths))),
    /** The same for a worktree that kode-run makes or removes. Its `places` are asked for before and after. */
    changeWorktree: <T>(places: () => WorktreePlaces, work: () => Promise<T>) =>
      inTurn(() => {
        const before = places()
        return work().finally(() => noteWithin([before, places()]))
      }),
    close() {
      closing.abort()
      return inTurn(async () => {
        backups.close()
        await rm(folder, { recursive: true, force: true })
      })
    },
  }
}

/** A name that is not UTF-8 cannot be distinguished from others, so no rule can cover it. */
function named(judged: JudgedChange): JudgedChange {
  if (!isUndecodable(judged.change.path)) return judged
  return { change: judged.change, verdict: { kind: 'refused', why: 'its name is not UTF-8' } }
}

const NOBODY: CommandEffects = { access: 'direct', mayChangeGit: false, by: '' }
function joined(first: EffectsReport | undefined, second: EffectsReport): EffectsReport {
  if (first === undefined) return second
  const unknown = [first.unknown, second.unknown].filter((each) => each !== undefined).join('; ')
  return {
    ...{ state: 'watched', scratch: {} },
    kept: [...first.kept, ...second.kept],
    leftOut: [...first.leftOut, ...second.leftOut],
    undone: [...first.undone, ...second.undone],
    ...(unknown !== '' && { unknown }),
  }
}
