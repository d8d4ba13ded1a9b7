import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gitFolderOf } from '../git/places/gitPlaces.ts'
import { WORKTREE_FOLDER } from '../git/states/gitWorktree.ts'
import { isWithin } from '../lib/fs/isWithin.ts'
import { ownedFolder } from '../lib/fs/ownedFolder.ts'
import { orElse } from '../lib/orElse.ts'
import { bubblewrapArguments, hasAdminCapability, type Mount } from './bubblewrapArguments.ts'
import type { Invocation } from './createCommandAccess.ts'
import {
  checkoutRoots,
  hiddenPlaces,
  type MountOptions,
  type MountPlan,
  planMounts,
  protectedPlaces,
} from './mounts/planMounts.ts'
import type { Survey } from './mounts/surveyWorkspaces.ts'
import type { RunNetwork } from './network/openNetwork.ts'
import type { CheckoutMode } from './views/checkoutMode.ts'
import { checkoutMounts } from './views/checkoutMounts.ts'
import { INFO_DESCRIPTOR, type ViewMethod, type ViewPrograms, viewCommand } from './views/createView.ts'
import { removeTree } from './views/removeTree.ts'
import { waitForViewEnd } from './views/waitForViewEnd.ts'

/** The network and the views that a command is started with. */
export type BoxSettings = Pick<RunNetwork, 'prefix' | 'isOffline'> & {
  readonly view?: ViewSettings | undefined
}

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

/** Prepares the mounts. */
export async function createBox(bwrap: string, options: BoxOptions) {
  const scratch = ownedFolder(tmpdir(), 'kode-run-sandbox-')
  const clean = () => removeTree(scratch)
  const first = await prepare(options, scratch).catch((error: unknown) => clean().then(() => Promise.reject(error)))
  const currentPlan = followPlan(first, options, () =>
    planFor({ ...options, scratch, survey: options.surveyAgain?.() ?? options.survey }),
  )
  const user = { isRoot: process.getuid?.() === 0, isAdmin: hasAdminCapability() }
  const roots = checkoutRoots(options)
  const written = options.hidden.flatMap((path) => (existsSync(path) ? [realpathSync(path)] : [path]))
  return {
    /** A folder of the run that children do not see. */
    scratch,
    /** Variables of every child. */
    environment: first.environment,
    /** The folders that commands see as the checkout. */
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
      const mounts = checkout.home === undefined ? seen : seen.map((mount) => inHome(mount, scratch, checkout.home))
      const starter =
        checkout.kind === 'view' && view !== undefined ? viewCommand(view.way, view.programs, checkout) : []
      const inner = bubblewrapArguments({
        mounts,
        cwd,
        environment,
        ...user,
        isOffline,
        ...viewTerms(checkout, view?.way),
      })
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
    /** Removes the folder. */
    close: clean,
  }
}

const OWN_FOLDERS = ['tmp', 'var-tmp', 'home']

function inHome(mount: Mount, scratch: string, home = scratch): Mount {
  const own = OWN_FOLDERS.find((name) => mount.kind === 'writable' && mount.source === join(scratch, name))
  return own === undefined || mount.kind !== 'writable' ? mount : { ...mount, source: join(home, own) }
}

/** The folders that children have as their own. */
function makeFolders(scratch: string): void {
  for (const name of OWN_FOLDERS) mkdirSync(join(scratch, name))
  for (const name of ['tmp', 'var-tmp']) chmodSync(join(scratch, name), 0o1777)
}

async function prepare(options: BoxOptions, scratch: string): Promise<Plan> {
  makeFolders(scratch)
  return planFor({ ...options, scratch })
}

type Plan = ReturnType<typeof planFor>

function planFor(options: MountOptions) {
  const plan = planMounts(options)
  return { ...plan, survey: options.survey, state: stateOf(options, plan) }
}

/**
 * The plan. It is made again if a hidden place is gone or replaced, because a folder with a secret may have been moved.
 * It is also made again for a new worktree, which has all files that git tracks.
 */
function followPlan(first: Plan, { workspaces }: BoxOptions, planAgain: () => Plan): () => Plan {
  let plan = first
  return () => {
    if (plan.state !== stateOf({ workspaces }, plan)) plan = planAgain()
    return plan
  }
}

function stateOf({ workspaces }: Pick<MountOptions, 'workspaces'>, { named }: Pick<MountPlan, 'named'>): string {
  return JSON.stringify([named.map(identityOf), workspaces.flatMap(worktreesIn)])
}

/** The worktrees that are complete: git writes the index of a worktree after all its files. */
function worktreesIn(workspace: string): string[] {
  const folder = join(workspace, WORKTREE_FOLDER)
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names.map((name) => {
    const git = gitFolderOf(join(folder, name))
    return `${name} ${identityOf(join(folder, name))} ${git !== undefined && existsSync(join(git, 'index'))}`
  })
}

function identityOf(path: string): string {
  return orElse('gone', () => {
    const { dev, ino } = lstatSync(path)
    return `${dev}:${ino}`
  })
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
