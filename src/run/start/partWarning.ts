import { relative } from 'node:path'
import { isWithin } from '../../lib/fs/isWithin.ts'

/** A warning if commands in the sandbox see only a part of the repository, and what would show them the rest. */
export function partWarning(cwd: string, top: string, shown: readonly string[]): string | undefined {
  if (shown.some((folder) => isWithin(top, folder))) return undefined
  const above = relative(cwd, top)
  return `Add --add-dir ${above} to show commands the whole repository ${top}: they see only this folder, no node_modules above it, and git lists the rest as deleted.`
}
