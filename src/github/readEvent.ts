import * as z from 'zod'
import { messageOf, RunError } from '../contracts/errors.ts'
import { readInputFile } from '../lib/fs/readInputFile.ts'

const MAX_BYTES = 30_000_000

type Environment = Readonly<Record<string, string | undefined>>

/** A person or bot in GitHub's event payloads. */
export type Account = { readonly login: string; readonly type: string }

/** Text that anyone may have written: an issue, a pull request or a comment, as of the event. */
export type EventText = {
  readonly what: string
  readonly author: string
  readonly title?: string
  readonly body: string
}

/** A validated event of GitHub Actions. */
export type GitHubEvent = Readonly<Awaited<ReturnType<typeof readEvent>>>

/**
 * The event that triggered a job of GitHub Actions. Throws `bad_input` if a variable or the payload is missing or
 * malformed. Nothing is guessed, because trust depends on it.
 */
export async function readEvent(environment: Environment) {
  const name = variable(environment, 'GITHUB_EVENT_NAME', /^[a-z_]+$/)
  const sha = variable(environment, 'GITHUB_SHA', /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/)
  const ref = variable(environment, 'GITHUB_REF', /^refs\/[^\s\\~^:?*[\u0000-\u001f\u007f]+$/)
  const payload = parsePayload(await readPayload(environment))
  /** `owner/name`. */
  const repository = variable(environment, 'GITHUB_REPOSITORY', /^[\w.-]+\/[\w.-]+$/)
  if (payload.repository.full_name.toLowerCase() !== repository.toLowerCase()) {
    throw new RunError(
      'bad_input',
      `The event belongs to ${payload.repository.full_name}, but the job to ${repository}.`,
    )
  }
  return {
    ...{ name, sha, ref, repository },
    action: payload.action,
    defaultBranch: payload.repository.default_branch,
    /** Everyone involved, each once: actor, triggering actor, sender, comment's author, upstream actors. */
    actors: actorsOf(payload, environment),
    /** Of the issue or pull request it is about. */
    number: payload.pull_request?.number ?? payload.issue?.number ?? payload.discussion?.number,
    pullRequest: pullRequestOf(payload),
    upstream: upstreamOf(payload),
    /** The time of the comment that triggered the event. */
    commentedAt: payload.comment?.created_at ?? payload.review?.submitted_at ?? undefined,
    texts: textsOf(payload),
  }
}

function variable(environment: Environment, name: string, shape: RegExp): string {
  const value = environment[name] ?? ''
  if (shape.test(value)) return value
  throw new RunError(
    'bad_input',
    `${name} is ${JSON.stringify(value.slice(0, 200))}, which is not a value that GitHub sets.`,
  )
}

async function readPayload(environment: Environment): Promise<string> {
  const file = environment['GITHUB_EVENT_PATH'] ?? ''
  if (file === '') throw new RunError('bad_input', 'GITHUB_EVENT_PATH is not set, so the event is unknown.')
  return readInputFile(file, { label: 'GITHUB_EVENT_PATH', reason: 'bad_input', maxBytes: MAX_BYTES })
}

function parsePayload(text: string): EventPayload {
  try {
    return eventSchema.parse(JSON.parse(text))
  } catch (cause) {
    const detail = cause instanceof z.ZodError ? z.prettifyError(cause) : messageOf(cause)
    throw new RunError('bad_input', `The event payload (GITHUB_EVENT_PATH) is invalid: ${detail}`, { cause })
  }
}

function actorsOf(payload: EventPayload, environment: Environment): readonly Account[] {
  const { sender, comment, review, workflow_run: upstream } = payload
  const named = [environment['GITHUB_ACTOR'], environment['GITHUB_TRIGGERING_ACTOR']]
    .filter((login) => login !== undefined && login !== '')
    .map((login) => ({ login: login ?? '', type: '' }))
  const all = [sender, comment?.user, review?.user, upstream?.actor, upstream?.triggering_actor, ...named]
  const byLogin = new Map<string, Account>()
  for (const account of all) {
    if (account && !byLogin.has(account.login.toLowerCase())) byLogin.set(account.login.toLowerCase(), account)
  }
  return [...byLogin.values()]
}

/** The pull request an event is about. A comment's payload names only its number; a deleted fork has no name. */
function pullRequestOf({ pull_request: pull, issue }: EventPayload) {
  const number = pull?.number ?? (issue?.pull_request ? issue.number : undefined)
  if (number === undefined) return undefined
  return { number, headSha: pull?.head.sha, headRepository: pull?.head.repo?.full_name, baseSha: pull?.base.sha }
}

/** The run that a `workflow_run` event follows. */
function upstreamOf({ workflow_run: run }: EventPayload) {
  if (!run) return undefined
  const { name, event, conclusion, head_sha: headSha, head_branch: headBranch, html_url: url } = run
  return { name, event, conclusion, headSha, headBranch, headRepository: run.head_repository?.full_name, url }
}

function textsOf({ pull_request, issue, discussion, comment, review }: EventPayload): readonly EventText[] {
  const texts: EventText[] = []
  // GitHub gives a comment on a pull request as one on an issue.
  const pull = pull_request ?? (issue?.pull_request ? issue : undefined)
  for (const [what, item] of Object.entries({ 'pull request': pull, issue: pull ? undefined : issue, discussion })) {
    if (!item) continue
    const { number, title, body, user } = item
    texts.push({ what: `${what} #${number}`, author: user?.login ?? 'ghost', title, body })
  }
  for (const [what, item] of Object.entries({ review, comment })) {
    if (item) texts.push({ what, author: item.user?.login ?? 'ghost', body: item.body })
  }
  return texts
}

const sha = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/, 'is not a commit')
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
const account = z.object({ login: z.string().regex(/^[\w-]+(?:\[bot\])?$/), type: z.string().default('') }).nullish()
const repository = z.object({ full_name: z.string().regex(/^[\w.-]+\/[\w.-]+$/) })
const number = z.number().int().positive()

const comment = z.object({ body: text, user: account, created_at: z.string().nullish() })
const issue = z.object({ number, title: text, body: text, user: account })

/** The fields that are used of https://docs.github.com/webhooks; everything else is dropped. */
const eventSchema = z.object({
  action: z.string().default(''),
  repository: repository.extend({ default_branch: z.string().min(1) }),
  sender: account,
  issue: issue.extend({ pull_request: z.object({}).nullish() }).nullish(),
  pull_request: issue
    .extend({
      head: z.object({ sha, repo: repository.nullish() }),
      base: z.object({ sha }),
    })
    .nullish(),
  comment: comment.nullish(),
  review: comment.extend({ submitted_at: z.string().nullish() }).nullish(),
  discussion: issue.nullish(),
  workflow_run: z
    .object({
      name: text,
      event: z.string(),
      conclusion: text,
      head_sha: sha,
      head_branch: text,
      head_repository: repository.nullish(),
      html_url: text,
      actor: account,
      triggering_actor: account,
    })
    .nullish(),
})

type EventPayload = z.infer<typeof eventSchema>
