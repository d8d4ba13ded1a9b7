import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { gitFolderOf } from '../git/places/gitPlaces.ts'
import { WORKTREE_FOLDER } from '../git/states/gitWorktree.ts'
import { statOf } from '../lib/fs/diskPath.ts'
import { namesIn } from '../lib/fs/folders.ts'
import { isWithin } from '../lib/fs/isWithin.ts'
import { ownedFolder } from '../lib/fs/ownedFolder.ts'
import { bubblewrapArguments, hasAdminCapability, type Mount } from './bubblewrapArguments.ts'
import type { Invocation } from './createCommandAccess.ts'
import { checkoutRoots, hiddenPlaces, type MountOptions, planMounts, protectedPlaces } from './mounts/planMounts.ts'
import type { Survey } from './mounts/surveyWorkspaces.ts'
import type { NetworkEntry } from './network/openNetwork.ts'
import type { CheckoutMode } from './views/checkoutMode.ts'
import { checkoutMounts } from './views/checkoutMounts.ts'
import { INFO_DESCRIPTOR, type ViewMethod, type ViewPrograms, viewCommand } from './views/createView.ts'
import { removeTree } from './views/removeTree.ts'
import { waitForViewEnd } from './views/waitForViewEnd.ts'

/** The network and the views that a command is started with. */
export type BoxSettings = NetworkEntry & { readonly view?: ViewSettings | undefined }

/** How to mount a view. `folder` holds the views of the run; children do not see it. */
export type ViewSettings = { readonly way: ViewMethod; readonly programs: ViewPrograms; readonly folder: string }

/** A home for some commands. `folder`: see `CheckoutMode.home`; `environment`: the variables that name it. */
export type FreshHome = {
  readonly folder?: string
  readonly environment: Readonly<Record<string, string>>
  remove(): Promise<void>
}

/** The mounts of one run, ready to start commands in. */
export type Box = Awaited<ReturnType<typeof createBox>>

export type BoxOptions = Omit<MountOptions, 'scratch'> & {
  /** Surveys the workspaces again, when a hidden place is gone or replaced. */
  readonly surveyAgain?: (() => Survey) | undefined
}

export async function createBox(bwrap: string, options: BoxOptions) {
  const scratch = ownedFolder(tmpdir(), 'kode-run-sandbox-')
  const close = () => removeTree(scratch)
  try {
    makeFolders(scratch)
    return { ...openBox(bwrap, options, scratch), close }
  } catch (error) {
    await close()
    throw error
  }
}

function openBox(bwrap: string, options: BoxOptions, scratch: string) {
  const planFor = (survey: BoxOptions['survey']) => {
    const plan = planMounts({ ...options, scratch, survey })
    return { ...plan, survey, state: stateOf(plan.named, options.workspaces) }
  }
  const first = planFor(options.survey)
  let plan = first
  /**
   * Made again if a hidden place is gone or replaced, because a folder with a secret may have been moved. Also for a new
   * worktree, which has all files that git tracks.
   */
  const currentPlan = () => {
    const isOld = plan.state !== stateOf(plan.named, options.workspaces)
    if (isOld) plan = planFor(options.surveyAgain?.() ?? options.survey)
    return plan
  }
  const user = { isRoot: process.getuid?.() === 0, isAdmin: hasAdminCapability() }
  const roots = checkoutRoots(options)
  const written = options.hidden.flatMap((path) => (existsSync(path) ? [realpathSync(path)] : [path]))
  return {
    /** A folder of the run that children do not see. */
    scratch,
    environment: first.environment,
    roots,
    /** Places in the roots that are covered by mounts, such as hidden files. */
    covered: first.mounts.flatMap(({ kind, target }) =>
      kind !== 'checkout' && roots.some((root) => isWithin(target, root)) ? [target] : [],
    ),
    invoke({ file, args }: Invocation, cwd: string, { prefix, isOffline, view }: BoxSettings, checkout: CheckoutMode) {
      const { mounts: planned, survey, environment } = currentPlan()
      const now = { ...options, survey }
      const protect = checkout.kind === 'direct' ? [...protectedPlaces(now), ...hiddenPlaces(now)] : []
      const seen = [...checkoutMounts(planned, checkout, protect), ...unseen(view?.folder)]
      const { home = scratch } = checkout
      const mounts = seen.map((mount) => inHome(mount, scratch, home))
      const starter =
        checkout.kind === 'view' && view !== undefined ? viewCommand(view.way, view.programs, checkout) : []
      const terms = viewTerms(checkout, view?.way)
      const inner = bubblewrapArguments({ mounts, cwd, environment, ...user, isOffline, ...terms })
      const [first = bwrap, ...rest] = [...prefix, ...starter, bwrap, ...inner, file, ...args]
      const ended = () => (checkout.kind === 'view' ? waitForViewEnd(checkout.folder) : Promise.resolve())
      return { file: first, args: rest, written, ended }
    },
    /** A home and temporary folders that no command has written; see `CheckoutMode.home`. */
    freshHome() {
      const folder = mkdtempSync(join(scratch, 'fresh-'))
      makeFolders(folder)
      return { folder, environment: {}, remove: () => removeTree(folder) }
    },
  }
}

/** The folders that children have as their own. */
function makeFolders(scratch: string): void {
  for (const name of ['tmp', 'var-tmp', 'home']) mkdirSync(join(scratch, name))
  for (const name of ['tmp', 'var-tmp']) chmodSync(join(scratch, name), 0o1777)
}

/** A folder of the run that children have as their own is the one of this home. */
function inHome(mount: Mount, scratch: string, home: string): Mount {
  const isOwn = mount.kind === 'writable' && dirname(mount.source) === scratch
  return isOwn ? { ...mount, source: join(home, basename(mount.source)) } : mount
}

function stateOf(named: readonly string[], workspaces: readonly string[]): string {
  return JSON.stringify([named.map(identityOf), workspaces.flatMap(worktreesIn)])
}

/** The worktrees that are complete: git writes the index of a worktree after all its files. */
function worktreesIn(workspace: string): string[] {
  const folder = join(workspace, WORKTREE_FOLDER)
  return namesIn(folder).map((name) => {
    const git = gitFolderOf(join(folder, name))
    return `${name} ${identityOf(join(folder, name))} ${git !== undefined && existsSync(join(git, 'index'))}`
  })
}

function identityOf(path: string): string {
  const stat = statOf(path)
  return stat === undefined ? 'gone' : `${stat.dev}:${stat.ino}`
}

/** Below `/tmp` there is nothing to hide: children have their own. */
function unseen(folder: string | undefined): Mount[] {
  return folder === undefined || isWithin(folder, '/tmp') ? [] : [{ kind: 'empty', target: folder }]
}

/** If a view needed a user namespace where this user is root, the command gets the user's own ids back. */
function viewTerms(checkout: CheckoutMode, way: ViewMethod | undefined) {
  if (checkout.kind !== 'view') return {}
  const ids = way === 'root' ? undefined : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  return { ids, infoDescriptor: INFO_DESCRIPTOR }
}
