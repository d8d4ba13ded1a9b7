import { relative } from 'node:path'
import { readRaw } from '../../lib/fs/atPath.ts'
import { processStat } from '../../lib/process/processIdentity.ts'
import { visibleName } from '../../lib/text/visibleName.ts'
import { someOf } from '../../lib/text/words.ts'
import type { Policy } from '../../policy/Policy.ts'
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
  if (!isPossible || sandbox.state !== 'off') return []
  const keys = credentialsOf(request).filter((value) => value.length >= 8)
  const holders = [...new Set(keys.flatMap(findKeyHolders))]
  if (holders.length === 0) return []
  return [
    `the API key is in the environment of process ${holders.join(', ')}: without the sandbox, every command of this user can read it in /proc; use --api-key-fd or --api-key-file instead`,
  ]
}

/**
 * This process and its ancestors whose environment contains the value, as every process of this user can read it: number
 * and command. A variable deleted from `process.env` is still there. Empty without `/proc`; never throws.
 */
export function findKeyHolders(value: string): string[] {
  const holders: string[] = []
  for (let pid = process.pid; pid > 0; pid = Number(processStat(pid)[1] ?? 0)) {
    if (readRaw(`/proc/${pid}/environ`).includes(value)) holders.push(`${pid} (${readRaw(`/proc/${pid}/comm`).trim()})`)
  }
  return holders
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
