import { findKeyHolders, keyWarning } from '../../sandbox/integrity/findKeyHolders.ts'
import type { Tool } from '../../Tool.ts'
import type { RunRequest } from '../RunRequest.ts'
import type { Children } from './openChildren.ts'

/** Warnings about a key that remains in environments where the model's commands could read it. */
export function keyWarnings(
  { apiKey }: Pick<RunRequest, 'apiKey'>,
  { sandbox }: Pick<Children, 'sandbox'>,
  pool: readonly Tool[],
): readonly string[] {
  const isPossible = pool.some(({ name, mcpInfo }) => SHELLS.includes(name) || mcpInfo !== undefined)
  if (apiKey === undefined || !isPossible) return []
  return keyWarning(findKeyHolders(apiKey), sandbox.state !== 'off')
}

const SHELLS = ['Bash', 'PowerShell']
