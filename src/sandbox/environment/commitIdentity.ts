import { gitConfigs, userConfigs } from '../../git/places/gitConfigs.ts'
import { gitPlaces } from '../../git/places/gitPlaces.ts'

export type CommitIdentity = { readonly name: string; readonly email: string }

export type IdentityOptions = {
  /** The variables of the process, including the event's actor. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workspaces: readonly string[]
  readonly home: string | undefined
}

/**
 * The author of the run's commits: the actor of the event with the host's no-reply address, or `kode-run`. Undefined if
 * git's own settings name somebody, also in each submodule; if only the repository does, its author. The settings are
 * read without running git.
 */
export function commitIdentity({ environment, workspaces, home }: IdentityOptions): CommitIdentity | undefined {
  const usersOf = (paths: readonly string[]) =>
    gitConfigs(paths, home)
      .map(({ text }) => userSection(text))
      .join('\n')
  const own = usersOf(userConfigs(home))
  // The repository first, then its submodules, which do not read its settings.
  const [first = '', ...modules] = workspaces
    .flatMap((workspace) => gitPlaces(workspace).configs)
    .map((path) => usersOf([path]))
  const isNamed = (users: string) => NAME.test(users) && EMAIL.test(users)
  if (isNamed(`${first}\n${own}`)) {
    if (modules.every((users) => isNamed(`${users}\n${own}`))) return undefined
    const [name, email] = [NAME, EMAIL].map((setting) => setting.exec(`${own}\n${first}`)?.[1] ?? '')
    return { name: unquoted(name), email: unquoted(email) }
  }
  const { GITHUB_ACTOR: actor = '', GITHUB_ACTOR_ID: id = '', GITHUB_SERVER_URL: server = '' } = environment
  const host = /^https?:\/\/([\w.-]+)/.exec(server)?.[1] ?? 'github.com'
  const name = /^[\w.[\]-]+$/.test(actor) ? actor : 'kode-run'
  const number = name === actor && /^\d+$/.test(id) ? `${id}+` : ''
  return { name, email: `${number}${name}@users.noreply.${host}` }
}

const NAME = /^\s*name\s*=\s*(.+?)\s*$/im
const EMAIL = /^\s*email\s*=\s*(.+?)\s*$/im

function unquoted(value = ''): string {
  return value.replace(/^"(.*)"$/, '$1')
}

/** The lines of `[user]`, including a setting on the line of the header. */
function userSection(text: string): string {
  const sections = text.split(/^(?=\s*\[)/m).filter((section) => /^\s*\[\s*user\s*\]/i.test(section))
  return sections.map((section) => section.replace(/^\s*\[[^\]]*\]/, '')).join('')
}
