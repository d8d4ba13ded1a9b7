import { chmodSync, mkdtempSync, realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bubblewrapArguments, type Mount } from './bubblewrapArguments.ts'
import type { Invocation } from './createCommandAccess.ts'
import { createPlaceholders, type Placeholders } from './createPlaceholders.ts'
import { hasAdminCapability } from './hasAdminCapability.ts'
import type { RunNetwork } from './openNetwork.ts'
import { hiddenPlaces, type MountOptions, planMounts, protectedPlaces } from './planMounts.ts'
import { untrackedFiles } from './untrackedFiles.ts'

/** The mounts of one run, ready to start commands in. */
export interface Box {
  /** A folder of the run that children do not see. */
  readonly scratch: string
  invoke(command: Invocation, cwd: string, network: Pick<RunNetwork, 'prefix' | 'isOffline'>): Invocation
  /** Removes the folder and the placeholders. */
  close(): Promise<void>
}

export type BoxOptions = Omit<MountOptions, 'scratch'> & {
  /** Does the policy show this file of secrets to children? */
  readonly isShown: (path: string) => boolean
  /** A child's search path. */
  readonly path: string
}

async function findSecrets({ workspaces, survey, isShown, path }: BoxOptions): Promise<readonly string[]> {
  const found = await untrackedFiles(survey.secrets, workspaces, path)
  return found.filter((file) => !isShown(file))
}

/** Prepares the mounts: makes the run's folders, and placeholders for protected places that do not exist. */
export async function createBox(bwrap: string, given: BoxOptions): Promise<Box> {
  const options = { ...given, hidden: [...given.hidden, ...(await findSecrets(given))] }
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-sandbox-')))
  const later = hiddenPlaces(options).filter((path) => path.endsWith('/'))
  const placeholders = createPlaceholders([...protectedPlaces(options), ...later])
  const clean = () => {
    placeholders.remove()
    return removeTree(scratch)
  }
  const mounts = await plan({ ...options, scratch }, placeholders).catch(async (error: unknown) => {
    await clean()
    throw error
  })
  const user = { isRoot: process.getuid?.() === 0, isAdmin: hasAdminCapability() }
  return {
    scratch,
    invoke({ file, args }, cwd, { prefix, isOffline }) {
      placeholders.make()
      const [first, ...rest] = [
        ...prefix,
        bwrap,
        ...bubblewrapArguments({ mounts, cwd, ...user, isOffline }),
        file,
        ...args,
      ]
      return { file: first ?? bwrap, args: rest }
    },
    close: clean,
  }
}

async function plan(options: MountOptions, placeholders: Placeholders): Promise<Mount[]> {
  placeholders.make()
  return planMounts(options)
}

/** Package managers leave folders without write permission behind. */
async function removeTree(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true })
  } catch {
    chmodSync(folder, 0o700)
  }
}
