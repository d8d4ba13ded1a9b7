import { isTemporaryName } from '../lib/temporaryName.ts'
import { walkFolders } from './walkFolders.ts'

/** What a run must know of its workspaces before it starts; absolute paths. */
export type Survey = {
  /** Folders below a workspace that are git repositories of their own: submodules, worktrees, clones. */
  readonly repositories: readonly string[]
  /** Files that people keep out of a repository because secrets are in them. */
  readonly secrets: readonly string[]
  /** What a killed run left of a file it was writing. */
  readonly leftovers: readonly string[]
}

const SECRETS = [
  /^\.env(?:rc|\.(?:local|prod|production|staging|live|secrets?|[\w-]+\.local))?$/,
  /^(?:\.netrc|\.pgpass|id_(?:rsa|dsa|ecdsa|ed25519)|gha-creds-[\da-f]+\.json)$/,
  /(?:key|private)[^/]*\.pem$/,
]

/** Looks through workspaces by the names of their files, once; opens none. */
export function surveyWorkspaces(workspaces: readonly string[]): Survey {
  const repositories: string[] = []
  const secrets: string[] = []
  const leftovers: string[] = []
  for (const workspace of workspaces) {
    for (const { path, entries } of walkFolders(workspace)) {
      for (const entry of entries) {
        if (entry.name === '.git' && path !== workspace) repositories.push(path)
        if (!entry.isFile()) continue
        if (SECRETS.some((name) => name.test(entry.name))) secrets.push(`${path}/${entry.name}`)
        if (isTemporaryName(entry.name)) leftovers.push(`${path}/${entry.name}`)
      }
    }
  }
  return { repositories, secrets, leftovers }
}
