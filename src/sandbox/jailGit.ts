import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { alternatesOf } from '../git/places/alternates.ts'
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
