import type { BoxedInvocation, Invocation } from './createCommandAccess.ts'
import { findProgram } from './environment/childPath.ts'

/**
 * Starts a command so that `sudo` and other set-user-id programs gain nothing, for it and all its children
 * (PR_SET_NO_NEW_PRIVS, through util-linux' `setpriv`). The sandbox does this by itself. Undefined if `path` has no
 * `setpriv`.
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
