import { constants, lstatSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { canAccess } from '../../lib/fs/atPath.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { memoize } from '../../lib/memoize.ts'
import { orElse } from '../../lib/orElse.ts'
import { type MountOptions, protectedPlaces } from './planMounts.ts'

/** Below the home folder: files that shells, git and npm read at start, and files that control logins. */
const LOGIN_AND_START_FILES = [
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.profile', '.zshrc', '.zshenv', '.zprofile'],
  ...['.gitconfig', '.config/git', '.npmrc', '.yarnrc.yml', '.ssh', '.docker/config.json'],
]

export type WatchOptions = Pick<MountOptions, 'workspaces' | 'survey' | 'home' | 'readOnly' | 'isOpened'>

/**
 * What a run must leave unchanged unless a call names it: the protected places of the workspaces, the links to them and
 * their targets, the policy, and files that control the user's programs. Absolute, no path twice.
 */
export function watchedPlaces({ home, readOnly, ...options }: WatchOptions): readonly string[] {
  const inside = protectedPlaces(options).map((path) => path.replace(/\/$/, ''))
  const steering = home === undefined ? [] : LOGIN_AND_START_FILES.map((name) => join(home, name))
  const linksTo = createLinkLookup()
  return [...new Set([...[...inside, ...readOnly].flatMap((path) => [...linksTo(path), path]), ...steering])]
}

/** The folders of a search path that this user may write: a file there can replace a program. */
export function writableFolders(path: string, workspaces: readonly string[]): readonly string[] {
  const folders = [...new Set(path.split(delimiter).flatMap(realFolder))]
  return folders.filter(
    (folder) => canAccess(folder, constants.W_OK) && !workspaces.some((workspace) => isWithin(folder, workspace)),
  )
}

/** The links in a path, including the path itself, and its real path. Looks at each folder once. */
function createLinkLookup(): (path: string) => readonly string[] {
  const links = memoize((path: string): readonly string[] => [
    ...(dirname(path) === path ? [] : links(dirname(path))),
    ...(lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? [path] : []),
  ])
  return (path) => [...links(path), ...realFolder(path)]
}

function realFolder(path: string): string[] {
  return orElse([], () => [realpathSync(path)])
}
