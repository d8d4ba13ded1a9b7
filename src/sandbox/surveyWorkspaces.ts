import type { Dirent } from 'node:fs'
import { createPlaceMatcher } from '../lib/placeMatcher.ts'
import { PLACES } from '../lib/places.ts'
import { isTemporaryName } from '../lib/temporaryName.ts'
import { walkFolders } from './walkFolders.ts'

/** What a run must know of its workspaces before it starts; absolute paths. */
export type Survey = {
  /** Folders below a workspace that are git repositories of their own: submodules, worktrees, clones. */
  readonly repositories: readonly string[]
  /** Files and whole folders that commands must not read. */
  readonly secrets: readonly string[]
  /** What a killed run left of a file it was writing. */
  readonly leftovers: readonly string[]
}

/** Must commands find this place empty? Asked for every file, folder and link, so it must be quick. */
export type IsHidden = (path: string, kind: 'file' | 'folder') => boolean

const SECRETS = createPlaceMatcher(PLACES.filter(({ kind }) => kind !== 'write-protected'))

/** By the built-in names alone. A folder's name says something of what lies in it, and nothing of itself. */
function hasSecretName(path: string, kind: 'file' | 'folder'): boolean {
  return SECRETS.find(`${path}${kind === 'folder' ? '/any' : ''}`.toLowerCase(), '').length > 0
}

/** Looks through workspaces by the names in them, once; opens no file, and does not enter what is hidden as a whole. */
export function surveyWorkspaces(workspaces: readonly string[], isHidden: IsHidden = hasSecretName): Survey {
  const repositories: string[] = []
  const secrets: string[] = []
  const leftovers: string[] = []
  const isSecretFolder = (path: string) => isHidden(path, 'folder') && secrets.push(path) > 0
  for (const workspace of workspaces) {
    for (const { path, entries } of walkFolders(workspace, isSecretFolder)) {
      for (const entry of entries) {
        if (entry.name === '.git' && path !== workspace) repositories.push(path)
        if (!isFileLike(entry)) continue
        const file = `${path}/${entry.name}`
        if (isTemporaryName(entry.name)) leftovers.push(file)
        else if (isHidden(file, 'file')) secrets.push(file)
      }
    }
  }
  return { repositories, secrets, leftovers }
}

function isFileLike(entry: Dirent): boolean {
  return (entry.isFile() || entry.isSymbolicLink()) && entry.name !== '.git'
}
