/** A person or bot in GitHub's event payloads. */
export type Account = { readonly login: string; readonly type: string }

/** Text that anyone may have written: an issue, a pull request or a comment, as of the event. */
export type EventText = {
  readonly what: string
  readonly author: string
  readonly title?: string
  readonly body: string
}

/** The pull request an event is about. A comment's payload names only its number. */
export type PullRequest = {
  readonly number: number
  readonly headSha: string | undefined
  /** `owner/name`; undefined if the fork was deleted. */
  readonly headRepository: string | undefined
  readonly baseSha: string | undefined
}

/** The run that a `workflow_run` event follows. */
export type UpstreamRun = {
  readonly name: string
  readonly event: string
  readonly conclusion: string
  readonly headSha: string
  readonly headBranch: string
  readonly headRepository: string | undefined
  readonly url: string
}

/** A validated event of GitHub Actions. */
export type GitHubEvent = {
  /** `pull_request`, `issue_comment`, `schedule` … */
  readonly name: string
  readonly action: string
  /** `owner/name`. */
  readonly repository: string
  readonly defaultBranch: string
  readonly ref: string
  readonly sha: string
  /** Everyone involved, each once: actor, triggering actor, sender, comment's author, upstream actors. */
  readonly actors: readonly Account[]
  /** The issue or pull request it is about. */
  readonly number: number | undefined
  readonly pullRequest: PullRequest | undefined
  readonly upstream: UpstreamRun | undefined
  /** The time of the comment that triggered the event. */
  readonly commentedAt: string | undefined
  readonly texts: readonly EventText[]
}
