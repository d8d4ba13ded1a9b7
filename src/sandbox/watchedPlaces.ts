import { accessSync, constants, lstatSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { isWithin } from '../lib/isWithin.ts'
import { type MountOptions, protectedPlaces } from './planMounts.ts'

/** Below the home folder: what shells, git and npm obey when they are started next, and who may log in. */
const STEERING = [
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.profile', '.zshrc', '.zshenv', '.zprofile'],
  ...['.gitconfig', '.config/git', '.npmrc', '.yarnrc.yml', '.ssh', '.docker/config.json'],
]

export type WatchOptions = Pick<MountOptions, 'workspaces' | 'survey' | 'home' | 'readOnly' | 'isOpened'>

/**
 * What a run leaves as it found it, unless a call names it: the protected places of the workspaces with the links that lead
 * to them and the places these lead to, the policy, what steers the user's programs. Absolute, no path twice.
 */
export function watchedPlaces({ home, readOnly, ...options }: WatchOptions): readonly string[] {
  const inside = protectedPlaces(options).map((path) => path.replace(/\/$/, ''))
  const steering = home === undefined ? [] : STEERING.map((name) => join(home, name))
  return [...new Set([...[...inside, ...readOnly].flatMap((path) => [...linksTo(path), path]), ...steering])]
}

/** The folders of a search path that this user may write: what is put there runs in place of a program. */
export function writableFolders(path: string, workspaces: readonly string[]): readonly string[] {
  const folders = [...new Set(path.split(delimiter).flatMap(realFolder))]
  return folders.filter((folder) => isWritable(folder) && !workspaces.some((workspace) => isWithin(folder, workspace)))
}

/** The links among a path's folders and the path itself, and where the path really is. */
function linksTo(path: string): string[] {
  const parents = dirname(path) === path ? [] : linksTo(dirname(path)).filter((place) => isLink(place))
  const real = isLink(path) || parents.length > 0 ? realFolder(path) : []
  return [...parents, ...(isLink(path) ? [path] : []), ...real]
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

function realFolder(path: string): string[] {
  try {
    return [realpathSync(path)]
  } catch {
    return []
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
