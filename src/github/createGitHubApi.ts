import { innerMessageOf, messageOf } from '../contracts/errors.ts'
import { isObject } from '../lib/isObject.ts'

/** GitHub's REST API with one token. */
export type GitHubApi = ReturnType<typeof createGitHubApi>

type CallOptions = { readonly body?: unknown; readonly accept?: readonly number[] }

/** An error of the GitHub API; `status` is 0 without an answer. */
export class GitHubError extends Error {
  override readonly name = 'GitHubError'
  readonly status: number
  constructor(message: string, status: number, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

const LONGEST_MS = 20_000

/** A client for the API at `url`. Follows no redirects, so the token reaches only this host. */
export function createGitHubApi({ url, token }: { readonly url: string; readonly token: string }) {
  const base = new URL(url)
  const isLoopback = ['127.0.0.1', '[::1]', 'localhost'].includes(base.hostname)
  if (base.protocol !== 'https:' && !isLoopback) throw new GitHubError(`${url}: the token is only sent over https.`, 0)
  return {
    /** Throws `GitHubError` for an answer that is not 2xx, unless `accept` names its status. */
    async call(method: string, path: string, { body, accept = [] }: CallOptions = {}) {
      const label = `${method} ${path}`
      const response = await fetch(`${url.replace(/\/$/, '')}${path}`, {
        method,
        redirect: 'error',
        signal: AbortSignal.timeout(LONGEST_MS),
        headers: {
          accept: 'application/vnd.github+json',
          authorization: `Bearer ${token}`,
          'user-agent': 'kode-run',
          'x-github-api-version': '2022-11-28',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch((cause: unknown) => {
        throw new GitHubError(`${label}: no answer (${innerMessageOf(cause)})`, 0, { cause })
      })
      const answer = { status: response.status, body: await readJson(response, label) }
      if (response.ok || accept.includes(response.status)) return answer
      throw new GitHubError(`${label}: ${response.status} ${messageIn(answer.body)}`.trimEnd(), response.status)
    },
  }
}

async function readJson(response: Response, label: string): Promise<unknown> {
  try {
    const text = await response.text()
    return text === '' ? null : JSON.parse(text)
  } catch (cause) {
    throw new GitHubError(
      `${label}: ${response.status}, and the answer cannot be read (${messageOf(cause)})`,
      response.status,
      { cause },
    )
  }
}

function messageIn(body: unknown): string {
  const message = fieldOf(body, 'message')
  return typeof message === 'string' ? message.slice(0, 300) : ''
}

/** A field of the object in an answer; undefined if it is not there. */
export function fieldOf(body: unknown, name: string): unknown {
  return isObject(body) ? body[name] : undefined
}

/** A string field of an answer. Throws `GitHubError` if it is missing. */
export function textField(body: unknown, name: string): string {
  const value = fieldOf(body, name)
  if (typeof value !== 'string') throw new GitHubError(`GitHub's answer has no ${name}`, 200)
  return value
}
