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

/** If there is more, only the script is copied. */
const MAX_FILES = 1_000
const MAX_BYTES = 10 * 1024 * 1024

/** A copy of a script. `isAlone`: without the files beside it, which are too many or too large. */
export type PinnedScript = { readonly path: string; readonly isAlone: boolean }

export type PinPlace = {
  /** The folder of the project. */
  readonly root: string
  /** Where copies are made; commands can read them. */
  readonly target: string
  /** True for what commands must not read: it is left out. */
  readonly isHidden: (path: string, kind: 'file' | 'folder') => boolean
}

/**
 * Copies a script of the project, with the present content of its folder, to the same place below `target`; of the
 * project's own folder, only the files. Each parent folder there gets its `package.json`, and its `node_modules` as a
 * link: packages are found, but not pinned.
 */
export function pinScript(script: string, { root, target, isHidden }: PinPlace): PinnedScript {
  const folder = dirname(script)
  const copy = join(target, relative(root, folder))
  const isPinned = (path: string) => mayBePinned(path, folder === root && path !== root, isHidden)
  const isAlone = !isSmall(folder, isPinned)
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

/** Regular files, folders and links; pipes are left out, and what is hidden. */
function mayBePinned(path: string, isFileWanted: boolean, isHidden: PinPlace['isHidden']): boolean {
  if (/^(?:node_modules|\.git)$/.test(basename(path))) return false
  const stat = lstatSync(path)
  if (isHidden(path, stat.isDirectory() ? 'folder' : 'file')) return false
  return stat.isFile() || stat.isSymbolicLink() || (stat.isDirectory() && !isFileWanted)
}

function isSmall(folder: string, isPinned: (path: string) => boolean, seen = { files: 0, bytes: 0 }): boolean {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (!isPinned(path)) continue
    seen.files += 1
    if (entry.isFile()) seen.bytes += lstatSync(path).size
    if (seen.files > MAX_FILES || seen.bytes > MAX_BYTES) return false
    if (entry.isDirectory() && !isSmall(path, isPinned, seen)) return false
  }
  return true
}
