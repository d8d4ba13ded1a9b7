import { relative } from 'node:path'
import { visibleName } from '../../lib/text/visibleName.ts'
import { someOf } from '../../lib/text/words.ts'
import type { Policy } from '../../policy/Policy.ts'
import { findKeyHolders, keyWarning } from '../../sandbox/integrity/findKeyHolders.ts'
import type { Tool } from '../../Tool.ts'
import { credentialsOf, type RunRequest } from '../RunRequest.ts'
import type { Children } from './openChildren.ts'

/** Warnings about a key that remains in environments where the model's commands could read it. */
export function keyWarnings(
  request: Pick<RunRequest, 'apiKey' | 'environment' | 'config'>,
  { sandbox }: Pick<Children, 'sandbox'>,
  pool: readonly Tool[],
): readonly string[] {
  const isPossible = pool.some(({ name }) => SHELLS.includes(name)) || hasServers(pool)
  if (!isPossible) return []
  const holders = credentialsOf(request)
    .filter((value) => value.length >= 8)
    .flatMap(findKeyHolders)
  const each = new Map(holders.map((holder) => [holder.pid, holder])).values()
  return keyWarning([...each], sandbox.state !== 'off')
}

const SHOWN = 5

/** Names the secrets of the checkout that commands can read because no sandbox hides them. */
export function secretWarnings(
  cwd: string,
  { readableSecrets: paths }: Pick<Children, 'readableSecrets'>,
  { rules }: Pick<Policy, 'rules'>,
  pool: readonly Tool[],
): readonly string[] {
  const isPossible = rules.some(({ list, tool }) => list === 'allow' && SHELLS.includes(tool)) || hasServers(pool)
  if (paths.length === 0 || !isPossible) return []
  const names = paths.map((path) => visibleName(relative(cwd, path)))
  return [
    `Commands can read ${someOf(names, SHOWN)}, because no sandbox hides secrets of the project here. Their values are redacted wherever they are recorded, but a command can use or send them: keep them out of the checkout, or see kode-run doctor for a sandbox`,
  ]
}

function hasServers(pool: readonly Tool[]): boolean {
  return pool.some(({ mcpInfo }) => mcpInfo !== undefined)
}

const SHELLS = ['Bash', 'PowerShell']
