/** A person or bot as GitHub's event payloads name it. */
export type Account = { readonly login: string; readonly type: string }

/** What a stranger wrote: an issue, a pull request, a comment, as it was when the event happened. */
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
  /** `owner/name`; undefined where the fork was deleted. */
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

/** An event of GitHub Actions, checked: what all other modules may rely on. */
export type GitHubEvent = {
  /** `pull_request`, `issue_comment`, `schedule` … */
  readonly name: string
  readonly action: string
  /** `owner/name`. */
  readonly repository: string
  readonly defaultBranch: string
  readonly ref: string
  readonly sha: string
  /** Everyone who had a hand in it, each once: actor, triggering actor, sender, comment's author, upstream actors. */
  readonly actors: readonly Account[]
  /** The issue or pull request it is about. */
  readonly number: number | undefined
  readonly pullRequest: PullRequest | undefined
  readonly upstream: UpstreamRun | undefined
  /** When the comment that set it off was made. */
  readonly commentedAt: string | undefined
  readonly texts: readonly EventText[]
}
