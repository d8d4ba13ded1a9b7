import { gitConfigs, userConfigs } from './gitConfigs.ts'
import { gitPlaces } from './gitPlaces.ts'

/** Who a commit says it is from. */
export type CommitIdentity = { readonly name: string; readonly email: string }

export type IdentityOptions = {
  /** The process's variables: the event's actor is among them. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workspaces: readonly string[]
  readonly home: string | undefined
}

/**
 * Who commits in the name of the run: the actor of the event, by the address that the host keeps for those who show no
 * other, or `kode-run`. Undefined where git's own settings name somebody: those are read, git is not run.
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

/** The lines of `[user]`, also of one whose first setting stands behind its name. */
function userSection(text: string): string {
  const sections = text.split(/^(?=\s*\[)/m).filter((section) => /^\s*\[\s*user\s*\]/i.test(section))
  return sections.map((section) => section.replace(/^\s*\[[^\]]*\]/, '')).join('\n')
}
