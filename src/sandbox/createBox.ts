import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bubblewrapArguments, type Mount } from './bubblewrapArguments.ts'
import type { BoxedInvocation, Invocation } from './createCommandAccess.ts'
import { hasAdminCapability } from './hasAdminCapability.ts'
import { type Ground, openGround } from './openGround.ts'
import type { RunNetwork } from './openNetwork.ts'
import { hiddenPlaces, type MountOptions, planMounts, protectedPlaces } from './planMounts.ts'
import { removeTree } from './removeTree.ts'
import { untrackedFiles } from './untrackedFiles.ts'

/** The mounts of one run, ready to start commands in. */
export interface Box {
  /** A folder of the run that children do not see. */
  readonly scratch: string
  /** `ended` is to be called once, when the command has ended. */
  invoke(command: Invocation, cwd: string, network: Pick<RunNetwork, 'prefix' | 'isOffline'>): BoxedInvocation
  /** Removes the folder and the placeholders. */
  close(): Promise<void>
}

export type BoxOptions = Omit<MountOptions, 'scratch' | 'unseen'> & {
  /** Does the policy show this file of secrets to children? */
  readonly isShown: (path: string) => boolean
  /** A child's search path. */
  readonly path: string
}

async function findSecrets({ workspaces, survey, isShown, path }: BoxOptions): Promise<readonly string[]> {
  const found = await untrackedFiles(survey.secrets, workspaces, path)
  return found.filter((file) => !isShown(file))
}

/** Prepares the mounts, and removes what killed runs left. */
export async function createBox(bwrap: string, given: BoxOptions): Promise<Box> {
  const options = { ...given, hidden: [...given.hidden, ...(await findSecrets(given))] }
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-sandbox-')))
  const later = hiddenPlaces(options).filter((path) => path.endsWith('/'))
  const ground = openGround([...protectedPlaces(options), ...later], scratch)
  const clean = async () => {
    await ground.close()
    await removeTree(scratch)
  }
  const mounts = await plan({ ...options, scratch, unseen: [ground.folder] }, ground).catch(async (error: unknown) => {
    await clean()
    throw error
  })
  const user = { isRoot: process.getuid?.() === 0, isAdmin: hasAdminCapability() }
  return {
    scratch,
    invoke({ file, args }, cwd, { prefix, isOffline }) {
      const ended = ground.enter()
      const [first, ...rest] = [
        ...prefix,
        bwrap,
        ...bubblewrapArguments({ mounts, cwd, ...user, isOffline }),
        file,
        ...args,
      ]
      return { file: first ?? bwrap, args: rest, ended }
    },
    close: clean,
  }
}

async function plan(options: MountOptions, ground: Ground): Promise<Mount[]> {
  const leave = ground.enter()
  try {
    return planMounts(options)
  } finally {
    await leave()
  }
}
