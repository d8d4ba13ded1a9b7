import { expect, it } from 'vitest'
import { messageOf, type RunError } from '../../src/contracts/errors.ts'
import { checkCheckout } from '../../src/github/checkCheckout.ts'
import { createGitHubApi } from '../../src/github/createGitHubApi.ts'
import type { GitHubEvent } from '../../src/github/readEvent.ts'
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

const TARGET = { name: 'pull_request_target', pullRequest: PULL }
const REVIEW = { name: 'pull_request_review', pullRequest: PULL, commentedAt: AT }
const FOLLOWING = { name: 'workflow_run', upstream: RUN }
const OTHER = 'd'.repeat(40)

type Row = readonly [name: string, isGood: boolean, event: Partial<GitHubEvent>, head: string | null]

const CHECKOUTS: readonly Row[] = [
  ['no checkout', true, TARGET, null],
  ['the tip', true, TARGET, TIP],
  ['the base', true, TARGET, BASE],
  ['the head', false, TARGET, HEAD],
  ['a merge', false, TARGET, OTHER],
  ['the head of a pull request without rights', true, { name: 'pull_request', pullRequest: PULL }, HEAD],
  ['the tip', true, FOLLOWING, TIP],
  ['the default branch', true, FOLLOWING, HEAD],
  ['another commit', false, FOLLOWING, OTHER],
  ['another branch', false, { ...FOLLOWING, upstream: { ...RUN, headBranch: 'topic' } }, HEAD],
  ['a branch of a fork', false, { ...FOLLOWING, upstream: { ...RUN, headRepository: 'stranger/shop' } }, HEAD],
  ['the head of a pull request', false, { ...FOLLOWING, upstream: { ...RUN, event: 'pull_request' } }, HEAD],
  ['nothing to follow', false, { name: 'workflow_run' }, HEAD],
  ['the head that was reviewed', true, REVIEW, HEAD],
  ['a later head', false, REVIEW, OTHER],
  ['a comment without a token', false, { name: 'issue_comment', pullRequest: COMMENT, commentedAt: AT }, HEAD],
  ['a comment on an issue', true, { name: 'issue_comment', commentedAt: AT }, HEAD],
]

const headOf = (sha: string) => ({ head: { sha, ref: 'topic', repo: { full_name: 'stranger/shop' } } })
const pushed = (timestamp: unknown, after = HEAD) => [{ after, timestamp }]

/** The pull request that was commented on, and GitHub's log of pushes. */
const COMMENTED: readonly (readonly [name: string, isGood: boolean, pull: unknown, log: unknown])[] = [
  ['pushed before it', true, headOf(HEAD), pushed('2026-11-20T09:59:59Z')],
  ['pushed with it', true, headOf(HEAD), pushed(AT)],
  ['pushed after it', false, headOf(HEAD), pushed('2026-11-20T10:00:01Z')],
  ['not in the log', false, headOf(HEAD), pushed('2026-11-20T09:00:00Z', TIP)],
  ['without a time', false, headOf(HEAD), pushed(null)],
  ['with a log that is none', false, headOf(HEAD), {}],
  ['moved on meanwhile', false, headOf(BASE), pushed('2026-11-20T09:00:00Z')],
  ['of a deleted fork', false, { head: { sha: HEAD, ref: 'x', repo: null } }, []],
  ['without a head', false, {}, []],
  ['unknown to the API', false, undefined, []],
]

// Read it as somebody whose job was refused: `npx vitest run test/github/checkCheckout.test.ts -u` writes it.
it('lets a checkout pass that no outsider could have chosen, and says of every other why not', async () => {
  const told: string[] = []
  const check = async (name: string, isGood: boolean, checked: Promise<void>) => {
    const why = await checked.catch((error: unknown) => error as RunError)
    expect([name, why?.reason]).toEqual([name, isGood ? undefined : 'untrusted_event'])
    told.push(`${name}: ${why === undefined ? 'passes' : messageOf(why)}`)
  }
  for (const [name, isGood, event, head] of CHECKOUTS)
    await check(`${event.name}, ${name}`, isGood, checkCheckout({ ...EVENT, ...event }, head, undefined))
  for (const [name, isGood, pull, log] of COMMENTED) {
    const server = await startGitHubServer(({ path }): GitHubAnswer => {
      if (path === '/repos/octo/shop/pulls/7') return pull === undefined ? undefined : { status: 200, body: pull }
      return path.startsWith('/repos/stranger/shop/activity?ref=refs%2Fheads%2Ftopic&per_page=30')
        ? { status: 200, body: log }
        : undefined
    })
    const api = createGitHubApi({ url: server.url, token: 't' })
    const event = { ...EVENT, name: 'issue_comment', pullRequest: COMMENT, commentedAt: AT }
    await check(`a commented head, ${name}`, isGood, checkCheckout(event, HEAD, api))
  }
  await expect(told.join('\n')).toMatchFileSnapshot('golden/checkouts.txt')
})
