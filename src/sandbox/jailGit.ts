import { bubblewrapArguments } from './bubblewrapArguments.ts'
import { findProgram } from './childPath.ts'
import type { BoxedInvocation, Invocation } from './createCommandAccess.ts'
import { hasAdminCapability } from './hasAdminCapability.ts'

/**
 * Puts our own git into a sandbox of its own: it reads objects that commands may have written. It sees the machine
 * read-only, no network, and may write its own folder. Undefined where there is no sandbox.
 */
export function jailGit(
  sandbox: { readonly state: string },
  path: string,
): ((command: Invocation, cwd: string) => BoxedInvocation) | undefined {
  const bwrap = sandbox.state === 'enforced' ? findProgram('bwrap', path) : undefined
  if (bwrap === undefined) return undefined
  const user = { isRoot: process.getuid?.() === 0, isAdmin: hasAdminCapability(), isOffline: true }
  return ({ file, args }, cwd) => {
    const mounts = [
      { kind: 'readOnly', source: '/', target: '/' },
      { kind: 'writable', source: cwd, target: cwd },
    ] as const
    return {
      file: bwrap,
      args: [...bubblewrapArguments({ mounts, cwd, ...user }), file, ...args],
      ended: () => Promise.resolve(),
    }
  }
}
