import { relative } from 'node:path'
import { isWithin } from '../../lib/fs/isWithin.ts'

/** A warning if commands in the sandbox see only a part of the repository, and what would show them the rest. */
export function partWarning(cwd: string, top: string, workspaces: readonly string[]): string | undefined {
  if (workspaces.some((folder) => isWithin(top, folder))) return undefined
  const above = relative(cwd, top)
  return `Commands see only this folder of the repository ${top}: not a node_modules above it, and git lists the rest as deleted. To show them all of it, add --add-dir ${above}; or start in that folder, where the rules then begin.`
}
