import { RunError } from '../contracts/errors.ts'
import { isSame } from './classifyEvent.ts'
import { type GitHubApi, GitHubError } from './createGitHubApi.ts'
import type { GitHubEvent } from './readEvent.ts'

/**
 * Refuses a checkout that outsiders could have chosen: the head of a pull request under an event that has the
 * repository's rights, and a head that came after the comment that asked for the run. Throws `untrusted_event`.
 */
export async function checkCheckout(
  event: GitHubEvent,
  head: string | null,
  api: GitHubApi | undefined,
): Promise<void> {
  if (head === null || head === event.sha || head === event.pullRequest?.baseSha) return
  if (event.name === 'pull_request_target') {
    throw refused(
      `pull_request_target runs with the rights of this repository, and the workspace holds ${head}, which is not its base. Check out the base; put the head in a folder below it (\`path:\`) or use pull_request.`,
    )
  }
  if (event.name === 'workflow_run') return checkUpstream(event, head)
  if (event.commentedAt !== undefined && event.pullRequest !== undefined) {
    await checkPinned(event, event.pullRequest, { head, api })
  }
}

/** Accepts a run on the default branch of this repository, which is as trusted as that branch. Refuses any other head. */
function checkUpstream({ upstream, repository, defaultBranch }: GitHubEvent, head: string): void {
  const isOwn =
    upstream?.event === 'push' &&
    upstream.headBranch === defaultBranch &&
    isSame(upstream.headRepository, repository) &&
    upstream.headSha === head
  if (isOwn) return
  throw refused(
    `workflow_run has the rights of this repository, and the workspace holds ${head}, which is not of its default branch. Check out the default branch; put the head in a folder below it (\`path:\`).`,
  )
}

type Pull = NonNullable<GitHubEvent['pullRequest']>
type Asked = { readonly head: string; readonly api: GitHubApi | undefined }

/** Requires the head that the author of the comment saw: GitHub's activity log has it, the payload does not. */
async function checkPinned(event: GitHubEvent, pull: Pull, { head, api }: Asked): Promise<void> {
  if (pull.headSha !== undefined) {
    if (pull.headSha === head) return
    throw refused(`The workspace holds ${head}; the comment was made on ${pull.headSha}. Check out that commit.`)
  }
  if (api === undefined) throw refused('Without `github_token`, the head that the comment was made on is unknown.')
  try {
    const pushedAt = await pushTime(api, event.repository, { number: pull.number, head })
    if (pushedAt <= Date.parse(event.commentedAt ?? '')) return
  } catch (cause) {
    if (!(cause instanceof GitHubError)) throw cause
    throw refused(`The head that the comment was made on is unknown: ${cause.message}`, cause)
  }
  throw refused(`${head} was pushed after the comment was made. Review it, then comment again.`)
}

type Activity = { readonly after?: unknown; readonly timestamp?: unknown }

/** The time when `head` became the pull request's head, by GitHub's clock. Anyone can set a commit's own dates. */
async function pushTime(
  api: GitHubApi,
  repository: string,
  { number, head }: { readonly number: number; readonly head: string },
): Promise<number> {
  const { body } = await api.call('GET', `/repos/${repository}/pulls/${number}`)
  const pull = body as { head?: { sha?: unknown; ref?: unknown; repo?: { full_name?: unknown } | null } }
  const { sha, ref, repo } = pull.head ?? {}
  if (sha !== head) throw new GitHubError(`the head of #${number} is ${String(sha)}, the workspace holds ${head}`, 200)
  if (!repo) throw new GitHubError(`the fork of #${number} is gone`, 200)
  const query = new URLSearchParams({ ref: `refs/heads/${String(ref)}`, per_page: '30' })
  const log = await api.call('GET', `/repos/${String(repo.full_name)}/activity?${query}`)
  const entries: readonly Activity[] = Array.isArray(log.body) ? log.body : []
  const pushed = entries.find(({ after }) => after === head)
  const time = typeof pushed?.timestamp === 'string' ? Date.parse(pushed.timestamp) : Number.NaN
  if (Number.isNaN(time)) throw new GitHubError(`GitHub's activity log does not show when ${head} was pushed`, 200)
  return time
}

function refused(message: string, cause?: unknown): RunError {
  return new RunError('untrusted_event', message, { cause })
}
