import { tmpdir } from 'node:os'
import { isWithin } from '../lib/isWithin.ts'
import { abandonedFolders, ownedFolder } from '../lib/ownedFolder.ts'
import { bubblewrapArguments, type Mount } from './bubblewrapArguments.ts'
import type { BoxedInvocation, Invocation } from './createCommandAccess.ts'
import type { Ground } from './ground.ts'
import { groundMounts } from './groundMounts.ts'
import { hasAdminCapability } from './hasAdminCapability.ts'
import type { RunNetwork } from './openNetwork.ts'
import { groundRoots, hiddenPlaces, type MountOptions, planMounts, protectedPlaces } from './planMounts.ts'
import { removeTree } from './removeTree.ts'
import { INFO_DESCRIPTOR, type ViewPrograms, type ViewWay, viewCommand } from './viewCommand.ts'
import { viewEnd } from './viewEnd.ts'

/** The network and the way to views that a command is started with. */
export type BoxTerms = Pick<RunNetwork, 'prefix' | 'isOffline'> & {
  readonly view?: ViewTerms | undefined
}

/** What a view is mounted with. `folder` holds the views of the run; children do not see it. */
export type ViewTerms = { readonly way: ViewWay; readonly programs: ViewPrograms; readonly folder: string }

/** The mounts of one run, ready to start commands in. */
export interface Box {
  /** A folder of the run that children do not see. */
  readonly scratch: string
  /** Variables of every child. */
  readonly environment: Readonly<Record<string, string>>
  /** The folders of which a ground is made. */
  readonly roots: readonly string[]
  /** Places in the roots that something else is mounted on, such as what is hidden. */
  readonly covered: readonly string[]
  invoke(command: Invocation, cwd: string, terms: BoxTerms, ground: Ground): BoxedInvocation
  /** Removes the folder. */
  close(): Promise<void>
}

export type BoxOptions = Omit<MountOptions, 'scratch'>

const PREFIX = 'kode-run-sandbox-'

/** Prepares the mounts, and removes what killed runs left. */
export async function createBox(bwrap: string, options: BoxOptions): Promise<Box> {
  const abandoned = abandonedFolders(tmpdir(), PREFIX).map(removeTree)
  const scratch = ownedFolder(tmpdir(), PREFIX)
  const clean = async () => {
    await Promise.all([...abandoned, removeTree(scratch)])
  }
  const { mounts: planned, environment } = await attempt(() => planMounts({ ...options, scratch }), clean)
  const user = { isRoot: process.getuid?.() === 0, isAdmin: hasAdminCapability() }
  const roots = groundRoots(options)
  return {
    scratch,
    environment,
    roots,
    covered: planned.flatMap(({ kind, target }) =>
      kind !== 'ground' && roots.some((root) => isWithin(target, root)) ? [target] : [],
    ),
    invoke({ file, args }, cwd, { prefix, isOffline, view }, ground) {
      const protect = ground.kind === 'direct' ? [...protectedPlaces(options), ...hiddenPlaces(options)] : []
      const mounts = [...groundMounts(planned, ground, protect), ...unseen(view?.folder)]
      const starter = ground.kind === 'view' && view !== undefined ? viewCommand(view.way, view.programs, ground) : []
      const inner = bubblewrapArguments({ mounts, cwd, ...user, isOffline, ...viewTerms(ground, view?.way) })
      const [first = bwrap, ...rest] = [...prefix, ...starter, bwrap, ...inner, file, ...args]
      const ended = () => (ground.kind === 'view' ? viewEnd(ground.folder) : Promise.resolve())
      return { file: first, args: rest, ended }
    },
    close: clean,
  }
}

async function attempt<T>(work: () => T, clean: () => Promise<void>): Promise<T> {
  try {
    return work()
  } catch (error) {
    await clean()
    throw error
  }
}

/** Below `/tmp` there is nothing to hide: children have one of their own. */
function unseen(folder: string | undefined): Mount[] {
  return folder === undefined || isWithin(folder, '/tmp') ? [] : [{ kind: 'empty', target: folder }]
}

/** Where a view took a user namespace in which this user is root, the command gets the user's own ids back. */
function viewTerms(ground: Ground, way: ViewWay | undefined) {
  if (ground.kind !== 'view') return {}
  const ids = way === 'root' ? undefined : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  return { ids, infoDescriptor: INFO_DESCRIPTOR }
}
