import { dirname, join, relative } from 'node:path'
import { type IgnoreRules, ignoreRulesAbove, isIgnored } from '../../files/ignoreRules.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import type { ToolUseContext } from '../../Tool.ts'
import type { SearchQuery } from './SearchQuery.ts'

/**
 * Where ripgrep starts, what it leaves out, and how to read its answers. Applies the same `.gitignore` files as Glob and
 * LS: from the working directory down, none above. Ripgrep itself would go up to the root of the file system, where a `*`
 * in a home folder hides everything.
 */
export async function openScope(query: SearchQuery, context: ToolUseContext) {
  const { base, isFile } = query
  const whole = {
    ...{ cwd: isFile ? dirname(base) : base, base, args: [] },
    toPath: (found: string) => found,
    isLeftOut: (_path: string) => false,
  }
  const root = context.workingDirectories.find((directory) => isWithin(base, directory))
  if (isFile || root === undefined || root === base) return whole
  const rules = await ignoreRulesAbove(context.files, context.workingDirectories, base)
  const between = rules.filter(({ folder }) => folder !== root)
  return {
    // Its patterns are relative to ripgrep's working directory, and only apply to relative names.
    cwd: root,
    base: relative(root, base),
    args: rules.length === between.length ? [] : [`--ignore-file=${join(root, '.gitignore')}`],
    /** The absolute path of a file in ripgrep's output. */
    toPath: (found: string) => join(root, found),
    /** True for a file that a `.gitignore` between the working directory and the base ignores. */
    isLeftOut: (path: string) => isBelowIgnored(between, base, path),
  }
}

function isBelowIgnored(rules: IgnoreRules, base: string, path: string): boolean {
  if (rules.length === 0) return false
  const names = relative(base, path).split('/')
  return names.some((_, index) => {
    const isFolder = index < names.length - 1
    return isIgnored(rules, join(base, ...names.slice(0, index + 1)), isFolder)
  })
}
