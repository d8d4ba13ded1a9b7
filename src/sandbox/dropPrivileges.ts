import { findProgram } from './childPath.ts'
import type { BoxedInvocation, Invocation } from './createCommandAccess.ts'

/**
 * Puts a command where `sudo` and every other set-user program gain nothing, for it and all its children
 * (PR_SET_NO_NEW_PRIVS, by util-linux' `setpriv`). The sandbox does so by itself. Undefined where `path` has no `setpriv`.
 */
export function dropPrivileges(path: string): ((command: Invocation) => BoxedInvocation) | undefined {
  const setpriv = findProgram('setpriv', path)
  if (setpriv === undefined) return undefined
  return ({ file, args }) => ({
    file: setpriv,
    args: ['--no-new-privs', '--', file, ...args],
    ended: () => Promise.resolve(),
  })
}
