import type { GitHubEvent } from './readEvent.ts'

/** How far an event can be trusted, and why (for the log). */
export type EventTrust = {
  /** `trusted`: caused by people with write access. `semi`: their code, not yet merged. `untrusted`: caused by anyone. */
  readonly level: 'trusted' | 'semi' | 'untrusted'
  readonly why: string
  /** True if everyone who triggered it must have write access. */
  readonly isGated: boolean
}

const TRUSTED = ['schedule', 'workflow_dispatch', 'repository_dispatch', 'merge_group', 'release']

/**
 * The trust in an event. Events that are not named here are untrusted. Sources: GitHub's "Events that trigger
 * workflows", and which of them an account without write access can cause.
 */
export function classifyEvent(event: GitHubEvent): EventTrust {
  const { name, ref, defaultBranch, repository, pullRequest } = event
  if (TRUSTED.includes(name)) return { level: 'trusted', why: `${name} needs write access`, isGated: false }
  if (name === 'push') {
    const isDefault = ref === `refs/heads/${defaultBranch}`
    return isDefault
      ? { level: 'trusted', why: `a push to ${defaultBranch}`, isGated: false }
      : { level: 'semi', why: 'a push to a branch other than the default', isGated: false }
  }
  if (name === 'pull_request' && isSame(pullRequest?.headRepository, repository)) {
    return { level: 'semi', why: 'a pull request from a branch of this repository', isGated: false }
  }
  const why = name === 'pull_request' ? 'a pull request from a fork' : `anyone can cause ${name}`
  return { level: 'untrusted', why, isGated: true }
}

/** Compares repository names, which ignore case. */
export function isSame(repository: string | undefined, other: string): boolean {
  return repository?.toLowerCase() === other.toLowerCase()
}

/**
 * The commit whose files may steer the run instead of the checkout: the base of a pull request, or the default branch
 * for its comments and for `workflow_run`. Undefined for events without foreign files.
 */
export function baseCommitOf({ name, pullRequest, sha }: GitHubEvent): string | undefined {
  if (pullRequest?.baseSha !== undefined) return pullRequest.baseSha
  return pullRequest !== undefined || name === 'workflow_run' ? sha : undefined
}
