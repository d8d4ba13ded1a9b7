import { lstatSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { messageOf } from '../../contracts/errors.ts'
import { namesIn } from '../../lib/fs/folders.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { ownedFolder } from '../../lib/fs/ownedFolder.ts'
import { orElse } from '../../lib/orElse.ts'
import { hasAdminCapability } from '../bubblewrapArguments.ts'
import type { Box, ViewSettings } from '../createBox.ts'
import { findProgram } from '../environment/childPath.ts'
import { canListAttributes, type OpenTar, openTar } from '../mounts/openTar.ts'
import type { NetworkEntry } from '../network/openNetwork.ts'
import { runProbe } from '../probeSandbox.ts'
import type { Layer } from './checkoutMode.ts'
import { createView, type ViewMethod } from './createView.ts'
import type { ViewMemory } from './openViewMemory.ts'
import { removeTree } from './removeTree.ts'

/** The name of view folders; a run has one, with its owner in it. */
export const VIEW_PREFIX = '.kode-run-view-'

/** Whether commands work on views of the checkout, and how or why not, in words. */
export type Views = {
  readonly state: 'enforced' | 'watched'
  readonly detail: string
  /** Where the views of this run are made. */
  readonly folder?: string
  readonly terms?: ViewSettings
  /** Reads the upper folders. */
  readonly tar?: OpenTar
  /**
   * Call it after a command in a view, with what went wrong before the view stood. Returns that if the views were not
   * tested in this run, and do not work.
   */
  readonly confirm?: (problem?: string) => string | undefined
}

type ViewsOptions = {
  readonly box: Box
  readonly bwrap: string
  /** Whether the sandbox starts at all, for a machine where no view can be made. */
  readonly starts: () => Promise<boolean>
  /** A child's search path. */
  readonly path: string
  readonly network: NetworkEntry
  /** Folders where views may be made, the best first. */
  readonly candidates: readonly string[]
  /** A path of the checkout that belongs to another owner or group. */
  readonly foreign?: string | undefined
  /** Which views need no test; without it, each is tested. */
  readonly memoryFor?: ((programs: readonly string[]) => ViewMemory) | undefined
}

/**
 * Finds a folder and a method for which views really work: it copies up a file and a folder of each owner in the
 * checkout. Folders on the checkout's own file system come first, so that changes can be renamed into the checkout.
 */
export async function openViews(options: ViewsOptions): Promise<Views> {
  const { box, bwrap, path } = options
  const programs = findPrograms(bwrap, path)
  if ('missing' in programs)
    return { state: 'watched', detail: `${programs.missing} is missing: install the packages util-linux and tar` }
  const { tar, ...starters } = programs
  if (options.foreign !== undefined && !hasAdminCapability())
    return { state: 'watched', detail: notOurs(options.foreign) }
  const memory = options.memoryFor?.(Object.values(programs))
  const ways: readonly ViewMethod[] = hasAdminCapability() ? ['root'] : ['user', 'bwrap']
  const problems: string[] = []
  for (const parent of placesFor(box, options.candidates)) {
    // Where this place is missing or not writable, another one may work.
    const folder = orElse(undefined, () => ownedFolder(parent, VIEW_PREFIX))
    if (folder === undefined) continue
    const reader = openTar(tar, folder)
    for (const way of ways) {
      const terms = { way, programs: starters, folder }
      const kind = [way, parent, options.network.isOffline, options.network.prefix.length]
      const isKnown = memory?.has(kind) === true
      const problem = isKnown ? undefined : await problemOf(options, { ...terms, tar: reader })
      if (problem === undefined) {
        if (!isKnown) memory?.add(kind)
        const detail = `overlay (${way}${isKnown ? ', tested in an earlier run' : ''})`
        return { state: 'enforced', detail, folder, terms, tar: reader, confirm: confirming(isKnown, memory) }
      }
      problems.push(problem)
      if (!(await options.starts())) break
    }
    await closeViews({ folder, tar: reader })
    if (!(await options.starts())) break
  }
  return { state: 'watched', detail: explain(problems[0] ?? 'no folder is available for them') }
}

function confirming(isKnown: boolean, memory: ViewMemory | undefined): NonNullable<Views['confirm']> {
  let isOpen = isKnown
  return (problem) => {
    const lost = isOpen ? problem : undefined
    if (problem !== undefined) memory?.forget()
    isOpen = false
    return lost
  }
}

export async function closeViews({ folder, tar }: Pick<Views, 'folder' | 'tar'>): Promise<void> {
  tar?.close()
  if (folder !== undefined) await removeTree(folder)
}

/** The programs that mount and read views, from the packages util-linux and tar. */
function findPrograms(bwrap: string, path: string) {
  const find = (name: string) => findProgram(name, path) ?? ''
  const found = { bwrap, unshare: find('unshare'), mount: find('mount'), sh: find('sh'), tar: find('tar') }
  const missing = Object.entries(found).find(([, file]) => file === '')
  return missing === undefined ? found : { missing: missing[0] }
}

/** First on the file system of a root. Never below one (the kernel rejects it) or in its work tree (git sees it). */
function placesFor({ roots, scratch }: Box, candidates: readonly string[]): string[] {
  const [root = '/'] = roots
  const trees = roots.map((path) => (basename(path) === '.git' ? dirname(path) : path))
  const [top = root] = trees.filter((tree) => isWithin(root, tree)).sort((one, other) => one.length - other.length)
  const free = candidates.filter((path) => !trees.some((tree) => isWithin(path, tree)))
  const isNear = (path: string) => deviceOf(path) === deviceOf(root)
  return [...[...free, dirname(top)].filter(isNear), ...free.filter((path) => !isNear(path)), scratch]
}

function deviceOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.dev
}

async function problemOf(
  { box, network }: ViewsOptions,
  { tar, ...view }: ViewSettings & { readonly tar: OpenTar },
): Promise<string | undefined> {
  const folders = createView(view.folder, box.roots)
  try {
    const tried = folders.layers.flatMap((layer) => copyUpsIn(layer, box.covered))
    const words = ['-c', COPY_UP_SCRIPT, 'sh', ...tried.map(({ path }) => path)]
    const script = { file: view.programs.sh, args: words }
    const checkout = { kind: 'view', direct: [], ...folders } as const
    const { file, args, ended } = box.invoke(script, '/', { ...network, view }, checkout)
    const [problem, canList] = await Promise.all([runProbe(file, args), canListAttributes(tar, folders.folder)])
    await ended()
    if (problem !== undefined) return problem
    const areCopied = tried.every(({ copy }) => lstatSync(copy, { throwIfNoEntry: false })?.isFile())
    if (!areCopied) return 'what a command writes does not appear in its view'
    return canList ? undefined : `${tar.program} does not list extended attributes, as GNU tar does`
  } catch (error) {
    return messageOf(error)
  } finally {
    await removeTree(folders.folder)
  }
}

function notOurs(what: string): string {
  return `files of the checkout belong to an owner or group that a user namespace does not map (${what}): give the whole checkout to the user and the main group of this process`
}

function explain(problem: string): string {
  return /Value too large/.test(problem) ? notOurs(problem) : `no view of the checkout can be mounted: ${problem}`
}

/** The maximum number of entries of one root to test with. */
const MAX_TRIED = 16

/**
 * What a view must be able to copy up: one file and one folder of each owner and group near the top of a root that this
 * user may write, except `covered` ones; a folder with `/` at its end. `copy`: where the copy appears. A mount alone
 * proves nothing: an owner or group that a user namespace does not map fails only when a file is copied up ("Value too
 * large").
 */
function copyUpsIn({ lower, upper }: Layer, covered: readonly string[]) {
  const uid = process.getuid?.() ?? 0
  const found = new Map<string, { readonly path: string; readonly copy: string }>()
  const inside = [lower, join(lower, '.git')].flatMap((folder) => namesIn(folder).map((name) => join(folder, name)))
  for (const path of [lower, ...inside].filter((place) => !covered.includes(place))) {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat === undefined || !(stat.isFile() || stat.isDirectory())) continue
    const isWritable = uid === 0 || (stat.uid === uid && (stat.mode & 0o200) !== 0)
    const key = `${stat.isFile()} ${stat.uid}:${stat.gid}`
    if (!isWritable || found.has(key)) continue
    const [end, probe] = stat.isFile() ? ['', ''] : ['/', PROBE]
    found.set(key, { path: `${path}${end}`, copy: join(upper, relative(lower, path), probe) })
  }
  return [...found.values()].slice(0, MAX_TRIED)
}

const PROBE = '.kode-run-probe'

/** Tries the copies in the view. On failure it describes the problem on stderr, with a nonzero exit code. */
const COPY_UP_SCRIPT = `for f do case $f in */) : >"$f/${PROBE}" || exit 1 ;; *) : >>"$f" || exit 1 ;; esac; done`
