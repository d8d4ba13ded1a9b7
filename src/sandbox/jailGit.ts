import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readRegular } from '../lib/fs/readRegular.ts'
import { bubblewrapArguments, hasAdminCapability } from './bubblewrapArguments.ts'
import type { BoxedInvocation, Invocation } from './createCommandAccess.ts'
import { findProgram } from './environment/childPath.ts'
import { isSystem, readOnly, systemFolders } from './mounts/systemMounts.ts'

/**
 * Puts our own git into a sandbox of its own, because it reads objects that commands may have written. It sees the
 * system and these objects read-only, has no network and no other processes, and may write only its start folder.
 * Undefined without a sandbox.
 */
export function jailGit(
  sandbox: { readonly state: string },
  path: string,
): ((command: Invocation, cwd: string) => BoxedInvocation) | undefined {
  const bwrap = sandbox.state === 'enforced' ? findProgram('bwrap', path) : undefined
  if (bwrap === undefined) return undefined
  const user = { isRoot: process.getuid?.() === 0, isAdmin: hasAdminCapability(), isOffline: true }
  const programs = [...systemFolders(), ...prefixOf(findProgram('git', path)).map(readOnly)]
  return ({ file, args }, cwd) => {
    const objects = [...alternatesOf(join(cwd, 'objects'))].map(readOnly)
    const mounts = [...programs, ...objects, { kind: 'writable', source: cwd, target: cwd } as const]
    return {
      file: bwrap,
      args: [...bubblewrapArguments({ mounts, cwd, ...user }), file, ...args],
      ended: () => Promise.resolve(),
    }
  }
}

/** Where git is installed outside of the system folders. */
function prefixOf(program: string | undefined): string[] {
  if (program === undefined) return []
  const prefix = dirname(dirname(realpathSync(program)))
  return isSystem(prefix) || prefix === '/' ? [] : [prefix, dirname(program)]
}

/** The size limit for a list of object folders; a larger file is not such a list. */
const MAX_BYTES = 64 * 1024

/** The alternate object folders of one folder, and theirs. */
function alternatesOf(objects: string, found = new Set<string>()): ReadonlySet<string> {
  const list = readRegular(join(objects, 'info', 'alternates'), MAX_BYTES)?.toString('utf8') ?? ''
  for (const line of list.split('\n')) {
    const folder = line === '' ? undefined : resolve(objects, line)
    if (folder === undefined || found.has(folder) || !existsSync(folder)) continue
    found.add(folder)
    alternatesOf(folder, found)
  }
  return found
}
