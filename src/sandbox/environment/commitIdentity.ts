import { gitConfigs, userConfigs } from '../mounts/gitConfigs.ts'
import { gitPlaces } from '../mounts/gitPlaces.ts'

/** The author of a commit. */
export type CommitIdentity = { readonly name: string; readonly email: string }

export type IdentityOptions = {
  /** The variables of the process, including the event's actor. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workspaces: readonly string[]
  readonly home: string | undefined
}

/**
 * The author of the run's commits: the actor of the event with the host's no-reply address, or `kode-run`. Undefined if
 * git's own settings name somebody. They are read without running git.
 */
export function commitIdentity({ environment, workspaces, home }: IdentityOptions): CommitIdentity | undefined {
  const paths = [...workspaces.flatMap((workspace) => gitPlaces(workspace).configs), ...userConfigs(home)]
  const users = gitConfigs(paths, home).map(({ text }) => userSection(text))
  if (
    users.some((section) => /^\s*name\s*=/im.test(section)) &&
    users.some((section) => /^\s*email\s*=/im.test(section))
  ) {
    return undefined
  }
  const { GITHUB_ACTOR: actor = '', GITHUB_ACTOR_ID: id = '', GITHUB_SERVER_URL: server = '' } = environment
  const host = /^https?:\/\/([\w.-]+)/.exec(server)?.[1] ?? 'github.com'
  const name = /^[\w.[\]-]+$/.test(actor) ? actor : 'kode-run'
  const number = name === actor && /^\d+$/.test(id) ? `${id}+` : ''
  return { name, email: `${number}${name}@users.noreply.${host}` }
}

/** The lines of `[user]`, including a setting on the line of the header. */
function userSection(text: string): string {
  const sections = text.split(/^(?=\s*\[)/m).filter((section) => /^\s*\[\s*user\s*\]/i.test(section))
  return sections.map((section) => section.replace(/^\s*\[[^\]]*\]/, '')).join('')
}
