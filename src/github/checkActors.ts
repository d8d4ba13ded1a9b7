import { RunError } from '../contracts/errors.ts'
import { type GitHubApi, GitHubError, textField } from './createGitHubApi.ts'
import type { Account, GitHubEvent } from './readEvent.ts'

export type ActorRules = {
  /** Undefined without a token; then nobody passes. */
  readonly api: GitHubApi | undefined
  /** Exact names (`dependabot[bot]`). Each must also be a bot according to the API. */
  readonly allowedBots: readonly string[]
  /** People who do not need write access; `*` means everyone, but never a bot. */
  readonly allowedPeople: readonly string[]
}

/**
 * Lets an event pass only if everyone involved has write access to the repository. Any doubt throws `actor_denied`,
 * before any request to a model.
 */
export async function checkActors(event: GitHubEvent, rules: ActorRules): Promise<void> {
  const { actors, repository } = event
  if (actors.length === 0) throw denied('The event does not name who caused it.')
  for (const account of actors) await checkActor(account, repository, rules)
}

async function checkActor({ login, type }: Account, repository: string, rules: ActorRules): Promise<void> {
  const { api } = rules
  if (api === undefined) throw denied(`The access of ${login} cannot be checked: give \`github_token\`.`)
  const isBot = type === 'Bot' || login.endsWith('[bot]') || (await ask(login, () => typeOf(api, login))) === 'Bot'
  if (isBot) {
    if (!isListed(login, rules.allowedBots)) throw denied(`${login} is a bot: \`allowed_bots\` does not name it.`)
    const real = await ask(login, () => typeOf(api, login))
    if (real !== 'Bot') throw denied(`${login} is in \`allowed_bots\`, but according to GitHub it is a ${real}.`)
    return
  }
  if (rules.allowedPeople.includes('*') || isListed(login, rules.allowedPeople)) return
  const permission = await ask(login, () => permissionOf(api, repository, login))
  if (permission !== 'admin' && permission !== 'write') {
    throw denied(`${login} has ${permission === 'read' ? 'only read' : 'no write'} access to ${repository}.`)
  }
}

/** An answer of the API. An error denies the actor. */
async function ask(login: string, question: () => Promise<string>): Promise<string> {
  try {
    return await question()
  } catch (cause) {
    if (!(cause instanceof GitHubError)) throw cause
    throw denied(`GitHub does not say what access ${login} has: ${cause.message}`, cause)
  }
}

async function typeOf(api: GitHubApi, login: string): Promise<string> {
  const { body } = await api.call('GET', `/users/${encodeURIComponent(login)}`)
  return textField(body, 'type')
}

/** `maintain` counts as `write` there, `triage` as `read`. */
async function permissionOf(api: GitHubApi, repository: string, login: string): Promise<string> {
  const path = `/repos/${repository}/collaborators/${encodeURIComponent(login)}/permission`
  const { body } = await api.call('GET', path)
  return textField(body, 'permission')
}

function isListed(login: string, names: readonly string[]): boolean {
  return names.some((name) => name.toLowerCase() === login.toLowerCase())
}

function denied(message: string, cause?: unknown): RunError {
  return new RunError('actor_denied', message, { cause })
}
