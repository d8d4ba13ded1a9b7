const repository = { full_name: 'octo/shop', default_branch: 'main' }

export type Person = { readonly login: string; readonly type: string }
export const MAINTAINER: Person = { login: 'maintainer', type: 'User' }
export const STRANGER: Person = { login: 'stranger', type: 'User' }

type PullRequestOptions = {
  readonly head: string
  readonly base: string
  readonly from?: string
  readonly user?: Person
  readonly title?: string
}

/** Payloads of GitHub's webhooks, as far as they are looked at and a bit more. */
export function pullRequestEvent(options: PullRequestOptions, name = 'pull_request') {
  const { head, base, from = 'octo/shop', user = MAINTAINER, title = 'Round prices' } = options
  return {
    name,
    payload: {
      action: 'opened',
      repository,
      sender: user,
      pull_request: {
        ...{ number: 7, title, body: 'As talked about.', user },
        head: { sha: head, ref: 'round', repo: { full_name: from } },
        base: { sha: base, ref: 'main', repo: { full_name: 'octo/shop' } },
      },
    },
  }
}

type CommentOptions = { readonly user: Person; readonly body?: string; readonly isPullRequest?: boolean }

export function commentEvent({ user, body = '@agent please fix', isPullRequest = false }: CommentOptions) {
  return {
    name: 'issue_comment',
    payload: {
      action: 'created',
      repository,
      sender: user,
      issue: {
        ...{ number: 7, title: 'Prices are wrong', body: 'They are.', user: STRANGER },
        ...(isPullRequest ? { pull_request: { url: 'https://example.com' } } : {}),
      },
      comment: { body, user, created_at: '2026-11-20T10:00:00Z' },
    },
  }
}

export function workflowRunEvent(head: string, more: Readonly<Record<string, unknown>> = {}) {
  return {
    name: 'workflow_run',
    payload: {
      action: 'completed',
      repository,
      sender: MAINTAINER,
      workflow_run: {
        ...{ name: 'CI', event: 'push', conclusion: 'failure', head_sha: head, head_branch: 'main' },
        head_repository: { full_name: 'octo/shop' },
        html_url: 'https://github.com/octo/shop/actions/runs/1',
        ...{ actor: MAINTAINER, triggering_actor: MAINTAINER },
        ...more,
      },
    },
  }
}

export function plainEvent(name: string) {
  return { name, payload: { action: '', repository, sender: MAINTAINER } }
}
