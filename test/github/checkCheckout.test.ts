import { describe, expect, it, onTestFinished } from 'vitest'
import { checkCheckout } from '../../src/github/checkCheckout.ts'
import { createGitHubApi } from '../../src/github/createGitHubApi.ts'
import type { GitHubEvent } from '../../src/github/GitHubEvent.ts'
import { type GitHubAnswer, startGitHubServer } from '../helpers/github/githubServer.ts'

const TIP = 'a'.repeat(40)
const HEAD = 'b'.repeat(40)
const BASE = 'c'.repeat(40)
const EVENT: GitHubEvent = {
  ...{ name: 'push', action: '', repository: 'octo/shop', defaultBranch: 'main', ref: 'refs/heads/main', sha: TIP },
  ...{ actors: [], number: 7, pullRequest: undefined, upstream: undefined, commentedAt: undefined, texts: [] },
}
const PULL = { number: 7, headSha: HEAD, headRepository: 'stranger/shop', baseSha: BASE }
const RUN = {
  ...{ name: 'CI', event: 'push', conclusion: 'failure', headSha: HEAD, headBranch: 'main', url: '' },
  headRepository: 'octo/shop',
}
const COMMENT = { ...PULL, headSha: undefined, headRepository: undefined, baseSha: undefined }
const AT = '2026-11-20T10:00:00Z'

describe('a checkout', () => {
  it.each<{ name: string; event: Partial<GitHubEvent>; head: string | null; good: boolean }>([
    { name: 'none', event: { name: 'pull_request_target', pullRequest: PULL }, head: null, good: true },
    { name: 'the tip', event: { name: 'pull_request_target', pullRequest: PULL }, head: TIP, good: true },
    { name: 'the base', event: { name: 'pull_request_target', pullRequest: PULL }, head: BASE, good: true },
    { name: 'the head', event: { name: 'pull_request_target', pullRequest: PULL }, head: HEAD, good: false },
    { name: 'a merge', event: { name: 'pull_request_target', pullRequest: PULL }, head: 'd'.repeat(40), good: false },
    { name: 'the head', event: { name: 'pull_request', pullRequest: PULL }, head: HEAD, good: true },
    { name: 'the tip', event: { name: 'workflow_run', upstream: RUN }, head: TIP, good: true },
    { name: 'the default branch', event: { name: 'workflow_run', upstream: RUN }, head: HEAD, good: true },
    {
      name: 'a branch named like it, of a fork',
      event: { name: 'workflow_run', upstream: { ...RUN, headRepository: 'stranger/shop' } },
      ...{ head: HEAD, good: false },
    },
    {
      name: 'the head of a pull request',
      event: { name: 'workflow_run', upstream: { ...RUN, event: 'pull_request' } },
      ...{ head: HEAD, good: false },
    },
    {
      name: 'the head that was reviewed',
      event: { name: 'pull_request_review', pullRequest: PULL, commentedAt: AT },
      ...{ head: HEAD, good: true },
    },
    {
      name: 'a later head',
      event: { name: 'pull_request_review', pullRequest: PULL, commentedAt: AT },
      ...{ head: 'd'.repeat(40), good: false },
    },
  ])('$event.name with $name in the workspace: $good', async ({ event, head, good }) => {
    const check = checkCheckout({ ...EVENT, ...event }, head, undefined)
    if (good) await expect(check).resolves.toBeUndefined()
    else await expect(check).rejects.toMatchObject({ reason: 'untrusted_event' })
  })
})

describe('the head of a comment', () => {
  const head = (sha: string) => ({ head: { sha, ref: 'topic', repo: { full_name: 'stranger/shop' } } })
  const pushed = (timestamp: unknown, after = HEAD) => [{ after, timestamp }]
  it.each<{ name: string; pull: unknown; log: unknown; good: boolean }>([
    { name: 'pushed before it', pull: head(HEAD), log: pushed('2026-11-20T09:59:59Z'), good: true },
    { name: 'pushed after it', pull: head(HEAD), log: pushed('2026-11-20T10:00:01Z'), good: false },
    { name: 'not in the log', pull: head(HEAD), log: pushed('2026-11-20T09:00:00Z', TIP), good: false },
    { name: 'without a time', pull: head(HEAD), log: pushed(null), good: false },
    { name: 'moved on meanwhile', pull: head(BASE), log: pushed('2026-11-20T09:00:00Z'), good: false },
    { name: 'of a deleted fork', pull: { head: { sha: HEAD, ref: 'x', repo: null } }, log: [], good: false },
    { name: 'unknown to the API', pull: undefined, log: [], good: false },
  ])('$name: $good', async ({ pull, log, good }) => {
    const server = await startGitHubServer(({ path }): GitHubAnswer => {
      if (path === '/repos/octo/shop/pulls/7') return pull === undefined ? undefined : { status: 200, body: pull }
      return path.startsWith('/repos/stranger/shop/activity?ref=refs%2Fheads%2Ftopic')
        ? { status: 200, body: log }
        : undefined
    })
    onTestFinished(() => server.close())
    const api = createGitHubApi({ url: server.url, token: 't' })
    const check = checkCheckout({ ...EVENT, name: 'issue_comment', pullRequest: COMMENT, commentedAt: AT }, HEAD, api)
    if (good) await expect(check).resolves.toBeUndefined()
    else await expect(check).rejects.toMatchObject({ reason: 'untrusted_event' })
  })
})
