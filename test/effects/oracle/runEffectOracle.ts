import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { EffectsReport } from '../../../src/contracts/effects.ts'
import { createRandom } from '../../helpers/oracle/random.ts'
import { makeProject } from '../corpus/makeProject.ts'
import { removeAll } from '../corpus/playEffectRow.ts'
import { copyLocked, differences, gitState, SAFE_GIT, type TreeState, treeState } from '../corpus/treeState.ts'
import { generateLine } from './generateLine.ts'
import { LINE_ENVIRONMENT, type OracleRules, openOracle } from './openOracle.ts'

export type EffectOracleReport = {
  readonly lines: number
  /** Lines after which something was changed. */
  readonly changed: number
  readonly undone: number
  /** Differences outside of the rules: must be none. */
  readonly violations: readonly string[]
  /** Lines whose allowed changes did not all arrive: must be none. */
  readonly losses: readonly string[]
  /** Lines that were undone though all that they change was allowed. */
  readonly overRefused: readonly string[]
}

export type EffectOracleOptions = {
  readonly lines: number
  readonly seed: number
  /** Of so many lines each first is played on a copy without judge too. */
  readonly twinEvery?: number
  readonly onProgress?: (done: number) => void
  readonly onFound?: (text: string) => void
}

const RULES: readonly OracleRules[] = [
  { allow: [/^src\//, /^test\//], deny: [] },
  { allow: [/^src\//], deny: [/^src\/lib(?:\/|$)/] },
  { allow: [/^/], deny: [] },
  { allow: [/^/], deny: [/^docs(?:\/|$)/] },
  { allow: [/\.js$/], deny: [] },
  { allow: [/^docs\//, /^new(?:\/|$)/], deny: [/\.md$/] },
  { allow: [], deny: [] },
  { allow: [/^/], deny: [/^dist\/old\.js$/, /(?:^|\/)package\.json$/] },
]

/** Random lines under random rules: after each the tree differs from before only where the rules, or what git ignores, say. */
export async function runEffectOracle(options: EffectOracleOptions): Promise<EffectOracleReport> {
  const random = createRandom(options.seed)
  const violations: string[] = []
  const losses: string[] = []
  const overRefused: string[] = []
  const counts = { changed: 0, undone: 0 }
  let place = makeProject()
  let oracle = await openOracle(place.base, place.project)
  let changesHere = 0
  for (let line = 0; line < options.lines; line++) {
    if (changesHere > 12) {
      await oracle.close()
      removeAll(place.base)
      place = makeProject()
      oracle = await openOracle(place.base, place.project)
      changesHere = 0
    }
    const { base, project } = place
    const still = join(base, 'still')
    if (!existsSync(still)) copyTree(project, still)
    const script = generateLine(random)
    const rules = random.pick(RULES)
    const mayChangeGit = random.below(4) > 0
    const before = treeState(project)
    const report = await oracle.run(script, rules, mayChangeGit)
    const after = treeState(project)
    const found = (list: string[], what: string) => {
      const rule = `${rules.allow.join(' ')} but ${rules.deny.join(' ') || 'nothing'}${mayChangeGit ? '' : ', no git'}`
      const text = `${what}\n    line ${line}, seed ${options.seed}: ${script}\n    rules: ${rule}\n    report: ${shownReport(report, project)}`
      list.push(text)
      options.onFound?.(text)
    }
    const changes = differences(before, after)
    const wrong = judgeChanges({ project, still, changes, before, after, rules, mayChangeGit, report })
    if (wrong.length > 0) found(violations, `VIOLATION ${wrong.join('; ')}`)
    if (typeof report !== 'string' && report.undone.length > 0) counts.undone++
    if (line % (options.twinEvery ?? 3) === 0 && typeof report !== 'string') {
      const twin = playTwin(still, script, before)
      const isAllowed = isAllAllowed(twin, { still, rules, mayChangeGit })
      if (report.undone.length > 0 && isAllowed)
        found(overRefused, `REFUSED though all is allowed: ${twin.changes.join(', ')}`)
      if (report.undone.length === 0 && report.leftOut.length === 0 && !OTHERWISE_HERE.test(oracle.printed())) {
        const missing = twin.changes.filter(
          (change) => !changes.includes(change) && !PASSING.test(kindOf(twin.after, change)),
        )
        const more = changes.filter((change) => !twin.changes.includes(change) && !isReplaced(twin, change))
        const lost = [...missing, ...more].filter((change) => !/^. \.git\//.test(change) && isNoName(change))
        if (lost.length > 0) found(losses, `LOST or more: ${lost.join(', ')}`)
      }
      removeAll(join(still, '../twin'))
    }
    if (changes.length > 0 || wrong.length > 0) {
      counts.changed++
      changesHere++
      removeAll(still)
      if (wrong.length > 0) changesHere = 100
    }
    options.onProgress?.(line + 1)
  }
  await oracle.close()
  removeAll(place.base)
  return { lines: options.lines, ...counts, violations, losses, overRefused }
}

/** A view gives a file its own copy, and is removed a moment after its command: how many names a file has says nothing. */
const isNoName = (change: string): boolean => !change.startsWith('l ')
/** What a view of the kernel does not do, and a copy that is cut where its folder lists itself. */
const OTHERWISE_HERE = /cross-device link|into itself/

const PASSING = /^(?:fifo|socket)$/
/** A file is gone for something that is never kept. */
const isReplaced = ({ after }: Twin, change: string): boolean =>
  change.startsWith('- ') && PASSING.test(kindOf(after, change))

type Twin = { readonly changes: readonly string[]; readonly after: TreeState; readonly folder: string }

/** What the line does where nothing judges it. */
function playTwin(still: string, script: string, before: TreeState): Twin {
  const folder = join(still, '../twin')
  removeAll(folder)
  copyTree(still, folder)
  // Where the line works in the sandbox there is no folder above that it could write.
  const words = [
    ...['--ro-bind', '/', '/', '--bind', folder, folder, '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
    ...['--bind', folder, folder],
  ]
  const command = ['--unshare-pid', '--die-with-parent', '--chdir', folder, 'bash', '-c', script]
  spawnSync('bwrap', [...words, ...command], { env: LINE_ENVIRONMENT, stdio: 'ignore', timeout: 20_000 })
  const after = treeState(folder)
  return { changes: differences(before, after), after, folder }
}

type Wanted = {
  readonly still: string
  readonly rules: OracleRules
  readonly mayChangeGit: boolean
}

type Case = Wanted & {
  readonly project: string
  readonly changes: readonly string[]
  readonly before: TreeState
  readonly after: TreeState
  readonly report: EffectsReport | string
}

const PROTECTED = /(?:^|\/)(?:\.github\/workflows(?:\/|$)|\.gitmodules$|\.gitattributes$|\.npmrc$)/i

/** What is wrong with the differences, by rules that are read here anew. */
export function judgeChanges({ project, still, before, changes, after, rules, mayChangeGit, report }: Case): string[] {
  if (typeof report === 'string') return [report]
  if (report.undone.length > 0) return changes.filter(isNoName).map((change) => `undone, but ${change}`)
  const { plain, inGit } = partsOf(changes)
  const ignored = ignoredIn(still, plain.map(pathOf), after)
  /** A folder comes and goes with its content. */
  const isFolder = (change: string) =>
    /^[-+]/.test(change) && (change.startsWith('+') ? after : before).get(change.slice(2))?.kind === 'folder'
  const wrong = plain.flatMap((change) => {
    const path = change.slice(2)
    const isCovered = isRuled(path, rules) || (isFolder(change) && isRuled(join(path, 'any'), rules))
    const isDenied = rules.deny.some((rule) => rule.test(path))
    if (change.startsWith('l ')) return []
    if (isDenied) return [`denied: ${change}`]
    if (!isCovered && !ignored.has(path)) return [`not covered: ${change}`]
    if (/(?:^|\/)\.git$/.test(path) && change.startsWith('+')) return [`a new repository: ${change}`]
    return entryProblem(after, path, project)
  })
  return [...wrong, ...(inGit.length === 0 ? [] : gitProblems({ project, still, inGit, rules, mayChangeGit }))]
}

function isRuled(path: string, { allow, deny }: OracleRules): boolean {
  return allow.some((rule) => rule.test(path)) && !deny.some((rule) => rule.test(path)) && !PROTECTED.test(path)
}

function entryProblem(after: TreeState, path: string, project: string): string[] {
  const entry = after.get(path)
  if (entry === undefined) return []
  if ((Number.parseInt(entry.mode, 8) & 0o6000) !== 0 && entry.kind === 'file') return [`set-id: ${path}`]
  if (!['file', 'link', 'folder'].includes(entry.kind)) return [`${entry.kind}: ${path}`]
  if (entry.kind !== 'link') return []
  const target = resolve(dirname(join(project, path)), Buffer.from(entry.content, 'latin1').toString())
  return relative(project, target).startsWith('..') ? [`a link out: ${path}`] : []
}

const GIT_NAMES =
  /^. \.git\/(?:objects(?:\/(?:[0-9a-f]{2}|pack)(?:\/|$)|\/info\/(?:packs|commit-graph)|$)|refs(?:\/|$)|logs(?:\/|$)|HEAD$|index$|packed-refs$|ORIG_HEAD$|COMMIT_EDITMSG$|MERGE_(?:HEAD|MSG|MODE|RR)$|CHERRY_PICK_HEAD$|REVERT_HEAD$|AUTO_MERGE$|SQUASH_MSG$|FETCH_HEAD$|gc\.log$|info\/refs$|BISECT_[A-Z_]+$|rr-cache|objects\/info$)/

type GitCase = Wanted & { readonly project: string; readonly inGit: readonly string[] }

function gitProblems({ project, still, inGit, rules, mayChangeGit }: GitCase): string[] {
  const strange = inGit.filter((change) => !GIT_NAMES.test(change))
  const [was, is] = [gitState(still), gitState(project)]
  const meant = differences(was, is)
  if (!mayChangeGit) {
    return inGit.filter((change) => !/^~ \.git\/index$/.test(change)).concat(meant)
  }
  const moved = meant.filter((change) => /^~ git:(?:HEAD$|refs\/heads\/)/.test(change))
  const commitOf = (at: string, name: string) => git(at, 'rev-parse', '-q', '--verify', `${name}^{commit}`).trim()
  const brought = moved.flatMap((change) => {
    const name = change.slice('~ git:'.length)
    const [from, to] = [commitOf(still, name), commitOf(project, name)]
    if (from === '' || to === '') return []
    return git(project, 'diff-tree', '-r', '-z', '--no-renames', '--name-only', from, to)
      .split('\0')
      .filter((path) => path !== '')
  })
  const index = meant
    .filter((change) => change.slice(2).startsWith('git:index/'))
    .map((change) => change.slice('~ git:index/'.length))
  const uncovered = [...new Set([...brought, ...index])].filter((path) => !isRuled(path, rules))
  const broken = meant.filter((change) => /git:(?:broken|fsck)/.test(change) && was.get('git:fsck')?.content === '')
  return [
    ...strange.map((change) => `of git: ${change}`),
    ...uncovered.map((path) => `git brings ${path}`),
    ...broken.map((change) => `${change}: ${is.get('git:broken')?.content ?? is.get('git:fsck')?.content}`),
  ]
}

function isAllAllowed({ changes, after, folder }: Twin, { still, rules, mayChangeGit }: Wanted): boolean {
  const { plain, inGit } = partsOf(changes)
  const ignored = ignoredIn(still, plain.map(pathOf), after)
  const isPlainAllowed = plain.every((change) => {
    const path = change.slice(2)
    if (/(?:^|\/)\.git(?:\/|$)/.test(path) || PROTECTED.test(path)) return false
    const isAllowed = isRuled(path, rules) || (ignored.has(path) && !rules.deny.some((rule) => rule.test(path)))
    return isAllowed && entryProblem(after, path, folder).length === 0
  })
  return (
    isPlainAllowed &&
    (inGit.length === 0 || gitProblems({ project: folder, still, inGit, rules, mayChangeGit }).length === 0)
  )
}

const pathOf = (change: string): string => change.slice(2)

function partsOf(changes: readonly string[]) {
  const isOfGit = (change: string) => /^. \.git(?:\/|$)/.test(change)
  return { plain: changes.filter((change) => !isOfGit(change)), inGit: changes.filter(isOfGit) }
}

function kindOf(state: TreeState, change: string): string {
  return state.get(change.slice(2))?.kind ?? ''
}

/**
 * By git itself, in the tree as it was before the line. What has the name of a secret needs a rule, unless it lies in a
 * folder that is ignored whole.
 */
function ignoredIn(still: string, paths: readonly string[], after: TreeState): ReadonlySet<string> {
  const isSecret = (path: string) => /(?:^|\/)\.env$/.test(path)
  const asked = paths.map((path) => (isSecret(path) ? dirname(path) : path)).filter((path) => path !== '.')
  const found = checkIgnored(still, asked, (path) => after.get(path)?.kind === 'folder')
  return new Set(paths.filter((path) => found.has(isSecret(path) ? dirname(path) : path)))
}

function checkIgnored(still: string, paths: readonly string[], isFolder: (path: string) => boolean): Set<string> {
  if (paths.length === 0) return new Set()
  const input = paths.map((path) => `${path}${isFolder(path) ? '/' : ''}\0`).join('')
  const { stdout } = spawnSync('git', [...SAFE_GIT, '-C', still, 'check-ignore', '-z', '--stdin'], {
    input,
    encoding: 'utf8',
    env: SAFE_ENV,
  })
  return new Set(stdout.split('\0').flatMap((path) => (path === '' ? [] : [path.replace(/\/$/, '')])))
}

const SAFE_ENV = {
  PATH: LINE_ENVIRONMENT.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
}

function git(at: string, ...words: string[]): string {
  const { stdout } = spawnSync('git', [...SAFE_GIT, '-C', at, ...words], { encoding: 'utf8', env: SAFE_ENV })
  return stdout
}

export function copyTree(from: string, to: string): void {
  removeAll(to)
  copyLocked(from, to)
}

export function shownReport(report: EffectsReport | string, project: string): string {
  if (typeof report === 'string') return report
  const name = (path: string) => relative(project, path)
  return JSON.stringify({
    ...report,
    kept: report.kept.map(({ path, kind }) => `${kind} ${name(path)}`),
    leftOut: report.leftOut.map(({ change, why }) => `${change.kind} ${name(change.path)}: ${why}`),
    undone: report.undone.map(({ change, why }) => `${change.kind} ${name(change.path)}: ${why}`),
  })
}
