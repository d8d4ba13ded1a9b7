import { findKeyHolders, keyWarning } from '../../sandbox/integrity/findKeyHolders.ts'
import type { Tool } from '../../Tool.ts'
import type { RunRequest } from '../RunRequest.ts'
import type { Children } from './openChildren.ts'

/** What remains of the key in environments, where commands of the model could look for it; empty elsewhere. */
export function keyWarnings(
  { apiKey }: Pick<RunRequest, 'apiKey'>,
  { sandbox }: Pick<Children, 'sandbox'>,
  pool: readonly Tool[],
): readonly string[] {
  const isPossible = pool.some(({ name, mcpInfo }) => SHELLS.includes(name) || mcpInfo !== undefined)
  if (apiKey === undefined || !isPossible) return []
  return keyWarning(findKeyHolders(apiKey), sandbox.state === 'enforced')
}

const SHELLS = ['Bash', 'PowerShell']
