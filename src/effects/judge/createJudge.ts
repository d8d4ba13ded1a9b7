import { readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ChangeVerdict, PathChange } from '../../contracts/effects.ts'
import type { RunGit } from '../../git/own/ownGit.ts'
import { gitPlace } from '../../git/places/gitPlace.ts'
import { statOf } from '../../lib/fs/diskPath.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { foldersAbove } from '../../lib/fs/paths.ts'
import { memoize } from '../../lib/memoize.ts'
import { orElse } from '../../lib/orElse.ts'
import { isRefreshedIndex } from '../git/indexChanges.ts'
import { type GitChange, gitFolderVerdict, judgeGit } from '../git/judgeGit.ts'
import type { Checkout, FindScratch } from '../openCheckout.ts'
import {
  COVERED,
  type JudgeChanges,
  type JudgeContext,
  type Refusal,
  type Ruling,
  SCRATCH,
  SKIPPED,
} from './JudgeChanges.ts'
import { type LinkPlaces, linkTarget } from './linkTarget.ts'
import { refuseLostContent } from './refuseLostContent.ts'

export type JudgeOptions = {
  readonly checkout: Checkout
  /** Folders of the run where everything may be changed. */
  readonly writable: readonly string[]
  /** The Edit rules, and the built-in protections unless a rule opens them. */
  ruled(path: string): Ruling
  /** True for a place that is protected by its name, even if a rule opens it. */
  isProtected(path: string): boolean
  /** Why a path is never changed, whatever the rules say: the policy, the records, the runner's command files. */
  never(path: string): string | undefined
  /** False for a file that commands do not see: git takes it for deleted, and that must not be committed. */
  isSeen?(path: string): boolean
  /** Folders outside of the checkout that a link in an ignored folder may point to: the system's, toolchains. */
  readonly linkable?: readonly string[]
  /** Where the files of commits of a repository are judged, if not in its work tree: in the worktree that the run entered. */
  topOf?(top: string): string
  /** `folder` is the run's own, for a git directory. */
  readonly git: { readonly runGit: RunGit; readonly folder: string }
}

/**
 * The judge of one run. It checks in this order: what is never kept, rules that forbid, what git ignores, rules that
 * allow. Changes in git's own directories are judged by the changes they bring in.
 */
export function createJudge(options: JudgeOptions): JudgeChanges {
  const { roots, repositories } = options.checkout
  const memory = { forgotten: new Map<string, string>(), aside: new Map<string, readonly string[]>() }
  return async (changes, context) => {
    // If something replaces a path, the new content counts, not the removed one.
    const byPath = new Map<string, PathChange>()
    for (const change of changes) {
      if (change.kind !== 'deleted' || !byPath.has(change.path)) byPath.set(change.path, change)
    }
    const placed = changes.map((change) => ({ change, place: gitPlace(change.path, repositories) }))
    const inGit = placed.filter((each): each is GitChange => each.place !== undefined)
    const linkAt = (path: string) => {
      const change = byPath.get(path)
      return change === undefined ? orElse(undefined, () => readlinkSync(path)) : change.target
    }
    const links = { roots, linkAt }
    const findScratch = options.checkout.findScratch(context.states.before, true)
    const judge = createPathJudge(options, context, { links, findScratch })
    const verdicts = new Map<PathChange, ChangeVerdict>()
    for (const { change, place } of placed) if (place === undefined) verdicts.set(change, judge.path(change))
    const git = {
      ...{ refusal: judge.refusal, ruled: options.ruled, ...memory, ...options.git },
      linkProblem: (path: string, target: string) => (linkTarget(path, target, links).isInside ? undefined : LEAVES),
    }
    for (const repository of repositories) {
      const own = inGit.filter(({ place }) => place.repository === repository)
      const files = own.filter(({ change }) => change.entry !== 'folder')
      const top = options.topOf?.(repository.top) ?? repository.top
      const judged = await judgeGit({ ...repository, top }, files, { context, options: git })
      for (const [at, { change }] of files.entries()) verdicts.set(change, judged[at] ?? COVERED)
      for (const { change } of own)
        if (change.entry === 'folder') verdicts.set(change, gitFolderVerdict(change, context.effects.mayChangeGit))
    }
    foldersWithContent(verdicts)
    const judged = changes.map((change) => ({ change, verdict: verdicts.get(change) ?? NOT_COVERED }))
    const ofGit = new Set(inGit.map(({ change }) => change))
    return refuseLostContent(judged, context.states, (change) => ofGit.has(change))
  }
}

const LEAVES = 'the link leaves the checkout'
const NOT_COVERED: Refusal = { kind: 'refused', why: 'no Edit rule covers it' }
const UNSEEN: Refusal = {
  kind: 'refused',
  why: 'it is outside the checkout, where commands see no files; name the paths to commit',
}

type Surroundings = { readonly links: LinkPlaces; readonly findScratch: FindScratch }

function createPathJudge(options: JudgeOptions, { states }: JudgeContext, { links, findScratch }: Surroundings) {
  const { writable, linkable = [], ruled } = options
  const isProtected = memoize(options.isProtected)
  const hadGit = memoize((folder: string) => {
    const git = states.before(join(folder, '.git'))
    return git !== undefined && statOf(git) !== undefined
  })

  const scratchAt = (path: string, isFolder: boolean): boolean => {
    if (writable.some((folder) => isWithin(path, folder))) return true
    const top = findScratch(path, isFolder)
    return top !== undefined && !isProtected(top)
  }
  const refusal = (path: string): Refusal | undefined => {
    const never = options.never(path)
    if (never !== undefined) return { kind: 'never', why: never }
    if (options.isSeen?.(path) === false) return UNSEEN
    const { behavior, rule } = ruled(path)
    if (behavior === 'allow') return undefined
    if (rule !== undefined)
      return { kind: 'refused', why: `${rule.list === 'deny' ? 'denied' : 'not allowed'} by ${rule.text}`, rule }
    return isProtected(path) ? { kind: 'refused', why: 'it is a protected place that no rule names' } : NOT_COVERED
  }
  /** A folder comes and goes with its content: the rule `out/**` allows creating `out`. */
  const folderRefusal = (path: string): Refusal | undefined => {
    const own = refusal(path)
    return own === NOT_COVERED && refusal(join(path, ANY_NAME)) === undefined ? undefined : own
  }
  const neverReason = (change: PathChange, isScratch: boolean): string | undefined => {
    const { path, kind, entry, target } = change
    const own = options.never(path)
    if (own !== undefined || kind === 'deleted') return own
    if (entry === 'device') return 'devices are never kept'
    if (change.isSetId === true) return 'files with a set-uid or set-gid bit are never kept'
    if (entry === 'link' && target !== undefined) {
      const end = linkTarget(path, target, links)
      if (!end.isInside && !(isScratch && linkable.some((folder) => isWithin(end.path, folder)))) return LEAVES
    }
    const repository = innerRepository(path, links.roots)
    return repository !== undefined && (repository === path || !hadGit(dirname(repository))) ? NESTED : undefined
  }
  return {
    refusal,
    path(change: PathChange): ChangeVerdict {
      const { path, entry, kind } = change
      const isPassing = entry === 'fifo' || entry === 'socket'
      const isScratch = scratchAt(path, entry === 'folder')
      const never = neverReason(change, isScratch)
      if (never !== undefined) return { kind: 'never', why: never }
      if ((isPassing && kind !== 'deleted') || isRefreshedIndex(change, states)) return SKIPPED
      if (!isScratch) return (entry === 'folder' && kind !== 'mode' ? folderRefusal(path) : refusal(path)) ?? COVERED
      const { rule } = ruled(path)
      return rule === undefined || rule.list === 'allow' ? SCRATCH : (refusal(path) ?? SCRATCH)
    },
  }
}

/** No rule can name it; only a rule that covers all names does. */
const ANY_NAME = '\u0001'

const NESTED = 'a command may not create a git repository inside the checkout'

/** The `.git` at or above a path, below a root. */
function innerRepository(path: string, roots: readonly string[]): string | undefined {
  if (!/\/\.git(?:\/|$)/i.test(path)) return undefined
  const root = roots.find((each) => isWithin(path, each)) ?? ''
  const [found] = /^.*?\/\.git(?=\/|$)/i.exec(path.slice(root.length)) ?? []
  return found === undefined ? undefined : root + found
}

/**
 * A folder that was made or removed with its content shares the fate of the content, unless a rule forbids it. Changes
 * the verdicts of such folders in place. A removed folder stays if something in it stays.
 */
export function foldersWithContent(verdicts: Map<PathChange, ChangeVerdict>): void {
  const files = [...verdicts].filter(([{ entry }, { kind }]) => entry !== 'folder' || kind === 'scratch')
  const foldersOf = (wanted: ChangeVerdict['kind'], changes = files) =>
    foldersAbove(changes.flatMap(([{ path }, { kind }]) => (kind === wanted ? [path] : [])))
  const [covered, scratch] = [foldersOf('covered'), foldersOf('scratch')]
  const staying = foldersOf(
    'skipped',
    files.filter(([{ kind }]) => kind === 'deleted'),
  )
  for (const [change, verdict] of verdicts) {
    if (change.entry !== 'folder' || change.kind === 'mode') continue
    if (change.kind === 'deleted' && staying.has(change.path) && !('why' in verdict)) {
      verdicts.set(change, SKIPPED)
      continue
    }
    const isOpen = verdict.kind === 'skipped' || (verdict.kind === 'refused' && verdict.rule === undefined)
    if (!isOpen) continue
    if (covered.has(change.path)) verdicts.set(change, COVERED)
    else if (scratch.has(change.path)) verdicts.set(change, SCRATCH)
  }
}
