import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { isTemporaryName } from '../../lib/fs/ownedFolder.ts'
import { orElse } from '../../lib/orElse.ts'
import { createPlaceMatcher } from '../../lib/places/placeMatcher.ts'
import { PLACES } from '../../lib/places/places.ts'

/** What a run must know about its workspaces before it starts; absolute paths. */
export type Survey = {
  /** Folders below a workspace that are git repositories themselves: submodules, worktrees, clones. */
  readonly repositories: readonly string[]
  /** Files and whole folders that commands must not read. */
  readonly secrets: readonly string[]
  /** The temporary files of a killed run. */
  readonly leftovers: readonly string[]
  /** A path of another owner or group than this process, if it is not root: a view cannot hold such a path. */
  readonly foreign?: string | undefined
}

/** Must commands find this place empty? Called for every file, folder and link, so it must be fast. */
export type IsHidden = (path: string, kind: 'file' | 'folder') => boolean

const SECRETS = createPlaceMatcher(PLACES.filter(({ kind }) => kind !== 'write-protected'))

/** By the built-in names alone. A folder's name says something about its content, but nothing about itself. */
function hasSecretName(path: string, kind: 'file' | 'folder'): boolean {
  return SECRETS.find(`${path}${kind === 'folder' ? '/any' : ''}`.toLowerCase(), '').length > 0
}

/** Searches workspaces by name, once. Opens no file, and does not enter a folder that is hidden as a whole. */
export function surveyWorkspaces(workspaces: readonly string[], isHidden: IsHidden = hasSecretName): Survey {
  const repositories: string[] = []
  const secrets: string[] = []
  const leftovers: string[] = []
  let foreign: string | undefined
  const isForeign = foreignTo(process.getuid?.() ?? 0, process.getgid?.() ?? 0)
  const isSecretFolder = (path: string) => isHidden(path, 'folder') && secrets.push(path) > 0
  for (const workspace of workspaces) {
    for (const { path, entries } of walkFolders(workspace, isSecretFolder)) {
      if (isForeign) foreign ??= [path, ...entries.map(({ name }) => `${path}/${name}`)].find(isForeign)
      for (const entry of entries) {
        if (entry.name === '.git' && path !== workspace) repositories.push(path)
        if (!((entry.isFile() || entry.isSymbolicLink()) && entry.name !== '.git')) continue
        const file = `${path}/${entry.name}`
        if (isTemporaryName(entry.name)) leftovers.push(file)
        else if (isHidden(file, 'file')) secrets.push(file)
      }
    }
  }
  return { repositories, secrets, leftovers, foreign }
}

function foreignTo(uid: number, gid: number) {
  if (uid === 0) return undefined
  return (path: string) => {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    return stat !== undefined && (stat.uid !== uid || stat.gid !== gid)
  }
}

type WalkedFolder = { readonly path: string; readonly entries: readonly Dirent[] }

/** A folder and those below it, outer ones first, but for `.git` and package folders. `skip` is asked once for each. */
export function* walkFolders(top: string, skip: (path: string) => boolean): Generator<WalkedFolder, void, undefined> {
  const waiting = [top]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const entries = orElse([], () => readdirSync(path, { withFileTypes: true }))
    yield { path, entries }
    for (const entry of entries) {
      if (!entry.isDirectory() || entry.name === '.git' || entry.name === 'node_modules') continue
      const folder = `${path}/${entry.name}`
      if (!skip(folder)) waiting.push(folder)
    }
  }
}
