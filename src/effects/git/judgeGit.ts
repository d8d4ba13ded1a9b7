import { basename, dirname, join } from 'node:path'
import type { ChangeVerdict, PathChange } from '../../contracts/effects.ts'
import { type OwnGit, openOwnGit } from '../../git/own/openOwnGit.ts'
import type { RunGit } from '../../git/own/ownGit.ts'
import { isTransientConfig } from '../../git/places/gitConfigs.ts'
import type { GitPlace } from '../../git/places/gitPlace.ts'
import type { CheckoutRepository } from '../../git/repository/findRepositories.ts'
import { isValidObject } from '../../git/repository/gitObjects.ts'
import { readRegular } from '../../lib/fs/readRegular.ts'
import {
  COVERED,
  isUndoing,
  type JudgeContext,
  type PathStates,
  type Refusal,
  type Ruling,
  SCRATCH,
  SKIPPED,
} from '../judge/JudgeChanges.ts'
import { type IncomingChange, incomingChanges } from './incomingChanges.ts'
import { indexChanges, isRefreshedIndex } from './indexChanges.ts'
import { movedRefs } from './movedRefs.ts'
import { stoppedStepProblem } from './stoppedStepProblem.ts'

export type GitChange = { readonly change: PathChange; readonly place: GitPlace }

export type GitJudgeOptions = {
  /** Judges a path in the work tree that a commit or the index changes. Undefined: it may be changed. */
  refusal(path: string): Refusal | undefined
  ruled(path: string): Ruling
  /** Why a link at a path must not point to its target. */
  linkProblem(path: string, target: string): string | undefined
  readonly runGit: RunGit
  /** A folder of the run for a git directory. */
  readonly folder: string
  /** What deleted names pointed to, for the whole run. So a name cannot come back with an unseen target. */
  readonly forgotten: Map<string, string>
  /** What unjudged names pointed to at the start of the run, by git directory. */
  readonly aside: Map<string, readonly string[]>
}

const NO_GIT = 'only a git command that the rules allow may change it'
const MAX_LINKS = 50
const MAX_PACK_BYTES = 1024 ** 3

/** Decides on changes in the git directories of one repository, in the order given. */
export async function judgeGit(
  repository: CheckoutRepository,
  changes: readonly GitChange[],
  { context, options }: { readonly context: JudgeContext; readonly options: GitJudgeOptions },
): Promise<readonly ChangeVerdict[]> {
  const { effects, states } = context
  const first = changes.map((each) => judgeKind(each, context, options))
  const index = indexChanges(repository, changesOf(changes, 'index'), states)
  const quiet = (path: string) => index.unchanged.includes(path)
  if (!effects.mayChangeGit) {
    return changes.map(({ change, place }, at) => {
      const isQuiet = isObject(place) || place.kind === 'transient' || quiet(change.path)
      return isQuiet ? SKIPPED : (first[at] ?? { kind: 'refused', why: NO_GIT })
    })
  }
  // What such a command made is neither read nor shown to git.
  const undoing = changes.find(({ change }, at) => isUndoing({ change, verdict: first[at] ?? COVERED }))
  const problem: Refusal | undefined =
    undoing === undefined
      ? await contentProblem(repository, { changes, index, context, options })
      : { kind: 'refused', why: `it was not checked because ${basename(undoing.change.path)} was not kept` }
  if (problem === undefined) for (const path of index.changed) index.strip(path)
  return changes.map(({ change, place }, at): ChangeVerdict => {
    if (quiet(change.path)) return SKIPPED
    const own = first[at]
    if (own !== undefined) return own
    if (problem !== undefined) return problem.kind === 'refused' && isObject(place) ? SKIPPED : problem
    return isObject(place) || place.name.startsWith('logs/') ? SCRATCH : COVERED
  })
}

function isObject({ kind }: GitPlace): boolean {
  return kind === 'object' || kind === 'pack'
}

function changesOf(changes: readonly GitChange[], kind: GitPlace['kind']): readonly PathChange[] {
  return changes.filter(({ place }) => place.kind === kind).map(({ change }) => change)
}

/** The verdict for a kind of file, whatever its content; undefined if the content matters. */
function judgeKind(
  { change, place }: GitChange,
  { states }: JudgeContext,
  options: GitJudgeOptions,
): ChangeVerdict | undefined {
  const { path, kind, entry } = change
  if (entry !== 'file') return { kind: 'never', why: 'git keeps only files there' }
  if (kind === 'deleted' && /(?:^|\/)HEAD$/.test(place.name) && place.kind === 'ref') {
    return { kind: 'refused', why: 'without it there is no repository' }
  }
  if (place.kind === 'transient') return kind === 'deleted' && path.endsWith('.lock') ? undefined : SKIPPED
  if (place.kind === 'closed') {
    if (place.name.startsWith('objects/info/')) return { kind: 'never', why: 'it points git to other objects' }
    const isPassing = isRefreshedIndex(change, states) || isHarmlessConfig(change, place, states)
    return isPassing ? SKIPPED : ruledExactly(path, options)
  }
  if (isObject(place)) {
    if (kind === 'created') return undefined
    // `git gc` removes what it has packed. The old copy stays, so that no command can remove history.
    return kind === 'modified' ? { kind: 'never', why: 'an object of the repository never changes' } : SKIPPED
  }
  if (place.kind !== 'todo' || kind === 'deleted') return undefined
  const why = stoppedStepProblem(place.name, readRegular(states.now(path))?.toString('utf8') ?? '')
  return why === undefined ? undefined : { kind: 'refused', why }
}

function isHarmlessConfig({ path, kind }: PathChange, { name }: GitPlace, states: PathStates): boolean {
  if (name !== 'config' || kind !== 'modified') return false
  const [before, now] = [states.before(path), states.now(path)].map((file) => readRegular(file)?.toString('utf8'))
  return before !== undefined && now !== undefined && isTransientConfig(before, now)
}

function ruledExactly(path: string, { ruled }: GitJudgeOptions): ChangeVerdict {
  const { behavior, rule } = ruled(path)
  if (behavior === 'allow') return COVERED
  return { kind: 'refused', why: 'it controls git, and no rule names it', ...(rule !== undefined && { rule }) }
}

type Content = {
  readonly changes: readonly GitChange[]
  readonly index: ReturnType<typeof indexChanges>
  readonly context: JudgeContext
  readonly options: GitJudgeOptions
}

/** Why the changes that new commits, names and the index bring in must not be kept. */
async function contentProblem(
  repository: CheckoutRepository,
  { changes, index, context: { states }, options }: Content,
): Promise<Refusal | undefined> {
  const made = (kind: GitPlace['kind']) =>
    changes.filter(({ place, change }) => place.kind === kind && change.kind === 'created')
  const added = new Map<string, Uint8Array>()
  for (const { change, place } of made('object')) {
    const bytes = readRegular(states.now(change.path)) ?? Buffer.alloc(0)
    if (!isValidObject(place.name, bytes)) return forged(change.path)
    added.set(place.name, bytes)
  }
  if (index.damaged !== undefined) return { kind: 'refused', why: `${index.damaged} cannot be read` }
  const packs = made('pack').filter(({ change }) => change.path.endsWith('.idx'))
  const refs = movedRefs(repository, changesOf(changes, 'ref'), states)
  if (refs.damaged !== undefined) return { kind: 'refused', why: `${refs.damaged} names neither a branch nor a commit` }
  // Names that are not judged may point anywhere by now, so their targets at the start of the run count.
  const aside = options.aside.get(repository.gitDir) ?? refs.tips().aside
  options.aside.set(repository.gitDir, aside)
  const tips = [...new Set([...refs.tips().judged, ...aside])]
  const known = (name: string) => options.forgotten.get(key(repository, name))
  const byIndex = index.brought.map((entry) => ({ ...entry, by: 'the index' }))
  const early = firstRefusal(repository, byIndex, options)
  if (early !== undefined) return early

  const arrived = refs.moved.filter(({ now }) => now !== undefined)
  const links = byIndex.filter(({ mode }) => mode === '120000')
  for (const { name, before, now } of refs.moved)
    if (now === undefined && before !== undefined) options.forgotten.set(key(repository, name), before)
  if (packs.length === 0 && arrived.length === 0 && links.length === 0) return undefined
  for (const { change, place } of made('pack')) {
    const bytes = readRegular(states.now(change.path), MAX_PACK_BYTES)
    if (bytes === undefined) return { kind: 'refused', why: `${change.path} is too large to check` }
    added.set(place.name, bytes)
  }
  const { folder, runGit } = options
  const git = openOwnGit({
    ...{ folder, runGit, added, oidBytes: repository.oidBytes, shallow: repository.shallow },
    objects: join(repository.commonDir, 'objects'),
  })
  for (const { change, place } of packs)
    if (!(await git.isTruePack(join(folder, place.name)))) return forged(change.path)
  const byRefs = await incomingChanges({ git, arrived, head: refs.head, tips, known })
  if (typeof byRefs === 'string') return { kind: 'refused', why: byRefs }
  return (
    firstRefusal(repository, byRefs, options) ??
    (await linkRefusal(repository, [...byRefs, ...links], { git, options }))
  )
}

function forged(path: string): Refusal {
  return { kind: 'never', why: `${path} has content that does not match its name` }
}

function key({ gitDir }: CheckoutRepository, name: string): string {
  return `${gitDir} ${name}`
}

function firstRefusal(
  { top }: CheckoutRepository,
  brought: readonly IncomingChange[],
  { refusal }: GitJudgeOptions,
): Refusal | undefined {
  for (const { path, by } of brought) {
    const refused = refusal(join(top, path))
    if (refused !== undefined) return { ...refused, why: `${by} brings ${path}: ${refused.why}` }
  }
  return undefined
}

/** Links that no file of the work tree may be: the next checkout would create them there. */
async function linkRefusal(
  { top }: CheckoutRepository,
  brought: readonly IncomingChange[],
  { git, options }: { readonly git: OwnGit; readonly options: GitJudgeOptions },
): Promise<Refusal | undefined> {
  const links = brought.filter(({ mode }) => mode === '120000')
  if (links.length > MAX_LINKS) return { kind: 'refused', why: 'more links were committed than can be checked' }
  for (const { path, oid, by } of links) {
    const target = await git.blob(oid)
    if (target === undefined)
      return { kind: 'refused', why: `${by} brings ${path}: the target of this link cannot be read` }
    const why = options.linkProblem(join(top, path), target)
    if (why !== undefined) return { kind: 'never', why: `${by} brings ${path}: ${why}` }
  }
  return undefined
}

/** Folders of a git directory are kept if their content is. */
export function gitFolderVerdict({ path, kind }: PathChange, mayChangeGit: boolean): ChangeVerdict {
  if (kind === 'created' || !mayChangeGit) return SKIPPED
  return /\/(?:hooks|info|modules)$/.test(path) || dirname(path) === '/'
    ? { kind: 'refused', why: 'it controls git' }
    : COVERED
}
