import {
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

/** If the folder is larger, only the script is copied. */
const MAX_FILES = 1_000
const MAX_BYTES = 10 * 1024 * 1024

/** A copy of a script. `isAlone`: without its folder, which is the project itself or too large. */
export type PinnedScript = { readonly path: string; readonly isAlone: boolean }

/**
 * Copies a script of the project, with the present content of its folder, to the same place below `target`. Each parent
 * folder there gets its `package.json`, and its `node_modules` as a link: packages are found, but not pinned.
 */
export function pinScript(script: string, root: string, target: string): PinnedScript {
  const folder = dirname(script)
  const copy = join(target, relative(root, folder))
  const isAlone = folder === root || !isSmall(folder)
  mkdirSync(copy, { recursive: true })
  const path = join(copy, basename(script))
  if (!isAlone) cpSync(folder, copy, { recursive: true, verbatimSymlinks: true, force: true, filter: isPinned })
  // A link would lead back to its present target.
  rmSync(path, { force: true })
  copyFileSync(realpathSync(script), path)
  for (let at = folder; ; at = dirname(at)) {
    copyBeside(at, join(target, relative(root, at)))
    if (at === root) break
  }
  return { path, isAlone }
}

function copyBeside(folder: string, copy: string): void {
  const settings = join(folder, 'package.json')
  if (lstatSync(settings, { throwIfNoEntry: false })?.isFile() === true) cpSync(settings, join(copy, 'package.json'))
  const link = join(copy, 'node_modules')
  const isLinked = lstatSync(link, { throwIfNoEntry: false }) !== undefined
  if (!isLinked && existsSync(join(folder, 'node_modules'))) symlinkSync(join(folder, 'node_modules'), link)
}

/** Regular files, folders and links; pipes are left out. */
function isPinned(path: string): boolean {
  if (/^(?:node_modules|\.git)$/.test(basename(path))) return false
  const stat = lstatSync(path)
  return stat.isFile() || stat.isDirectory() || stat.isSymbolicLink()
}

function isSmall(folder: string, seen = { files: 0, bytes: 0 }): boolean {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (!isPinned(path)) continue
    seen.files += 1
    if (entry.isFile()) seen.bytes += lstatSync(path).size
    if (seen.files > MAX_FILES || seen.bytes > MAX_BYTES) return false
    if (entry.isDirectory() && !isSmall(path, seen)) return false
  }
  return true
}
