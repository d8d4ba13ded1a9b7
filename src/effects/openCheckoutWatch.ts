import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CommandEffects, EffectsReport, PathChange } from '../contracts/effects.ts'
import { isUnnameable } from '../lib/diskPath.ts'
import { isWithin } from '../lib/isWithin.ts'
import { compareImages } from './compareImages.ts'
import { findRepositories } from './findRepositories.ts'
import type { JudgeChanges, JudgedChange, PathStates } from './JudgeChanges.ts'
import type { Account } from './openAccount.ts'
import { type Image, openImages } from './openImages.ts'
import { putBack } from './putBack.ts'
import { remember } from './remember.ts'
import { createScratchLookup } from './scratchLookup.ts'
import { type Ending, hardLinksOutside, settleChanges } from './settleChanges.ts'
import { surveyFiles } from './surveyFiles.ts'
import { type GitObjects, listGitObjects, lostObjects } from './watchedObjects.ts'

export type WatchOptions = {
  /** Absolute and resolved; git directories outside of the others too. */
  readonly roots: readonly string[]
  /** Files and folders that the run itself writes, such as its records: they are never put back. Absolute and resolved. */
  readonly own?: readonly string[] | undefined
  readonly judge: JudgeChanges
  readonly account: Pick<Account, 'before' | 'after' | 'restored'>
  /** A folder of the run's own for the images. */
  readonly folder: string
  readonly excludesFile?: string | undefined
  /** Places that are watched though git ignores them, by their names. */
  isProtected?(path: string): boolean
  /** Files that are watched wherever git ignores them: what a rule forbids. */
  isForbidden?(path: string): boolean
}

/** What watches one command. */
export type Watched = {
  /** Compares while the command still runs, as after each call; only what is refused is put back. */
  look(): Promise<EffectsReport>
  /**
   * Compares when it has ended. A change that undoes takes all others with it, as in a view, unless the access is `direct`
   * or something else is watched too.
   */
  settle(): Promise<EffectsReport>
}

export interface CheckoutWatch {
  /** Notes how the checkout stands before a command that works on it. */
  watch(effects: CommandEffects): Promise<Watched>
  /** After an in-process tool changed these paths. */
  note(paths: readonly string[]): Promise<void>
  close(): Promise<void>
}

/**
 * Compares the checkout with how it stood before, judges what differs, and puts back what is refused. It sees all that git
 * does not ignore, what is protected or forbidden, and git's own files; of its objects only that they are there; of
 * ignored folders else only new repositories, links and devices. What was changed while nothing is watched belongs to nobody and stays.
 */
export function openCheckoutWatch(options: WatchOptions): CheckoutWatch {
  const { roots, own, folder, excludesFile, account } = options
  const repositories = findRepositories(roots)
  const images = openImages(folder)
  const isProtected = options.isProtected && remember(options.isProtected)
  const isForbidden = options.isForbidden && remember(options.isForbidden)
  let objects: GitObjects = new Map()
  const active = new Map<Watched, CommandEffects>()
  const reports = new Map<Watched, EffectsReport>()

  const states: PathStates = {
    now: (path) => path,
    before(path) {
      const image = images.known.get(path)
      if (image !== undefined) return image.copy ?? (image.stat.isDirectory() ? folder : undefined)
      return roots.some((root) => isWithin(path, root)) ? undefined : path
    },
  }
  const survey = async (before: PathStates['before']) => {
    const known = await repositories
    const isScratch = createScratchLookup({ roots, repositories: known, excludesFile, before })
    return surveyFiles({ roots, own, repositories: known, isScratch, isWide: true, isProtected, isForbidden })
  }
  const compare = async (effects: CommandEffects, ending: Ending): Promise<EffectsReport> => {
    const now = await survey(states.before)
    const changes = compareImages(images.known, now)
    const objectsNow = listGitObjects(await repositories)
    const lost = lostObjects(objects, objectsNow)
    objects = objectsNow
    if (changes.length === 0) return { ...NOTHING, ...(lost !== undefined && { unknown: lost }) }
    const judged = (await options.judge(changes, { effects, states })).map(named)
    const isStranger = hardLinksOutside(now, images.known)
    const outcomes = settleChanges(judged, { effects, ending, isStranger })
    const { kept, away, leftOut, undone } = outcomes
    for (const { path, entry } of kept) if (entry !== 'folder') await account.before(path, states.before(path))
    const failed = putBack(away, { roots, known: images.known, kept })
    await account.restored(restoredFiles(away, images.known, failed))
    await account.after(kept, effects.by)
    const next = new Map(await survey((path) => path))
    // What only passes by while something runs must be seen once more, when it has ended.
    for (const { change, verdict } of judged)
      if (verdict.kind === 'skipped' && change.kind === 'created') next.delete(change.path)
    images.keep(next)
    const open = failed.length > 0 ? [`these could not be put back: ${failed.join(', ')}`] : []
    const unknown = [...open, ...(lost === undefined ? [] : [lost])].join('; ')
    return { ...{ state: 'watched', kept, scratch: {}, leftOut, undone }, ...(unknown !== '' && { unknown }) }
  }
  /** While something runs on, nobody can tell its changes from others: all are judged as what may be done by any of it. */
  const together = (effects?: CommandEffects): CommandEffects => {
    const all = [...(effects === undefined ? [] : [effects]), ...active.values()]
    const [first = NOBODY] = all
    return { ...first, mayChangeGit: all.some(({ mayChangeGit }) => mayChangeGit) }
  }
  /** The folders that a tool had to make for its file. */
  const newParents = (paths: readonly string[]): ReadonlySet<string> => {
    const made = new Set<string>()
    for (const path of paths) {
      for (let folder = dirname(path); isInside(folder) && !images.known.has(folder); folder = dirname(folder)) {
        made.add(folder)
      }
    }
    return made
  }
  const isInside = (folder: string) => roots.some((root) => folder !== root && isWithin(folder, root))
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
  const watchNow = async (effects: CommandEffects): Promise<Watched> => {
    if (active.size === 0) {
      images.keep(await survey((path) => path))
      objects = listGitObjects(await repositories)
    } else {
      const [oldest] = active.keys()
      const report = await compare(together(), 'running')
      if (oldest !== undefined) reports.set(oldest, joined(reports.get(oldest), report))
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
  return {
    watch: (effects) => inTurn(() => watchNow(effects)),
    note: (paths) =>
      inTurn(async () => (active.size === 0 ? undefined : images.keepAt([...newParents(paths), ...paths]))),
    close: () => inTurn(() => rm(folder, { recursive: true, force: true })),
  }
}

/** A name that is not UTF-8 cannot be told from others, so no rule can cover it. */
function named(judged: JudgedChange): JudgedChange {
  if (!isUnnameable(judged.change.path)) return judged
  return { change: judged.change, verdict: { kind: 'refused', why: 'its name is not UTF-8' } }
}

/** What stands again, with the stamp that it had. */
function restoredFiles(away: readonly PathChange[], known: ReadonlyMap<string, Image>, failed: readonly string[]) {
  return away.flatMap(({ path }) => {
    const image = known.get(path)
    return image === undefined || image.stat.isDirectory() || failed.includes(path) ? [] : [{ path, word: image.word }]
  })
}

const NOTHING: EffectsReport = { state: 'watched', kept: [], scratch: {}, leftOut: [], undone: [] }
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
