import { relative } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { type FileAccess, FileError } from '../contracts/files.ts'
import { isWithin } from '../lib/fs/isWithin.ts'
import { readTextFile } from './readTextFile.ts'

/** The `.gitignore` files that apply to a folder, the outermost first. Immutable. */
export type IgnoreRules = readonly { readonly folder: string; readonly rules: Ignore }[]

/** Rules for `folder`: those of its parents and its own. An unreadable `.gitignore` has no rules. */
export async function extendIgnoreRules(outer: IgnoreRules, files: FileAccess, folder: string): Promise<IgnoreRules> {
  try {
    const { text } = await readTextFile(files, `${folder === '/' ? '' : folder}/.gitignore`)
    return [...outer, { folder, rules: ignore({ ignorecase: false }).add(text) }]
  } catch (error) {
    if (error instanceof FileError) return outer
    throw error
  }
}

/** True if git would ignore the entry: the innermost file that has a rule for it decides. */
export function isIgnored(rules: IgnoreRules, path: string, isFolder: boolean): boolean {
  for (const { folder, rules: own } of rules.toReversed()) {
    const { ignored, unignored } = own.test(relative(folder, path) + (isFolder ? '/' : ''))
    if (ignored || unignored) return ignored
  }
  return false
}

/** The rules above a folder, from its working directory. None if those would ignore the folder itself. */
export async function ignoreRulesAbove(
  files: FileAccess,
  workingDirectories: readonly string[],
  folder: string,
): Promise<IgnoreRules> {
  const root = workingDirectories.find((directory) => isWithin(folder, directory))
  if (root === undefined) return []
  let rules: IgnoreRules = []
  let current = root
  for (const name of relative(root, folder).split('/').filter(Boolean)) {
    rules = await extendIgnoreRules(rules, files, current)
    current = `${current === '/' ? '' : current}/${name}`
    if (isIgnored(rules, current, true)) return []
  }
  return rules
}
