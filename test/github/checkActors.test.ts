import { expect, it } from 'vitest'
import { messageOf, type RunError } from '../../src/contracts/errors.ts'
import { type ActorRules, checkActors } from '../../src/github/checkActors.ts'
import { createGitHubApi } from '../../src/github/createGitHubApi.ts'
import type { Account, GitHubEvent } from '../../src/github/readEvent.ts'
import {
  answerForPeople,
  type GitHubAnswer,
  type GitHubCall,
  type People,
  startGitHubServer,
} from '../helpers/github/githubServer.ts'

function eventOf(actors: readonly Account[]): GitHubEvent {
  return {
    ...{ name: 'issue_comment', action: 'created', repository: 'octo/shop', defaultBranch: 'main' },
    ...{ ref: 'refs/heads/main', sha: 'a'.repeat(40), number: 7, pullRequest: undefined, upstream: undefined },
    ...{ commentedAt: undefined, texts: [], actors },
  }
}

const person = (login: string): Account => ({ login, type: 'User' })
const bot: Account = { login: 'b[bot]', type: 'Bot' }
const BOTS: People = { 'b[bot]': { type: 'Bot' } }
const TWO: People = { a: { permission: 'admin' }, b: { permission: 'read' } }
const closed = createGitHubApi({ url: 'http://127.0.0.1:65535', token: 't' })
const bad = { status: 502, body: {} }
const who = (permission: string) => answerForPeople({ a: { permission } })

type Row = readonly [
  name: string,
  isPassed: boolean,
  answer: (call: GitHubCall) => GitHubAnswer,
  actors?: readonly Account[],
  rules?: Partial<ActorRules>,
]

const ROWS: readonly Row[] = [
  // By the access to the repository.
  ...['admin', 'write'].map((permission) => [permission, true, who(permission)] as const),
  ...['read', 'none', 'maintain-all'].map((permission) => [permission, false, who(permission)] as const),
  ['one of two has no access', false, answerForPeople(TWO), [person('a'), person('b')]],
  ['nobody', false, who('admin'), []],
  ['nobody, where everyone may', false, who('admin'), [], { allowedPeople: ['*'] }],
  // Only the environment names it, so that its type is not known.
  ['a hidden bot', false, answerForPeople({ a: { type: 'Bot', permission: 'admin' } }), [{ login: 'a', type: '' }]],
  // By lists: a name in one never makes a person of a bot, or a bot of a person.
  ['a listed person', true, who('read'), [person('a')], { allowedPeople: ['A'] }],
  ['everyone', true, who('read'), [person('a')], { allowedPeople: ['*'] }],
  ['a bot', false, answerForPeople(BOTS), [bot], {}],
  ['a bot in the list of people', false, answerForPeople(BOTS), [bot], { allowedPeople: ['*', 'b[bot]'] }],
  ['a listed bot', true, answerForPeople(BOTS), [bot], { allowedBots: ['b[bot]'] }],
  ...[
    { login: 'c[bot]', type: 'User' },
    { login: 'c', type: 'Bot' },
  ].map((account): Row => {
    const answer = answerForPeople({ [account.login]: { type: 'User', permission: 'admin' } })
    const rules = { allowedBots: [account.login], allowedPeople: ['*'] }
    return [`a person like an allowed bot: ${account.login} (${account.type})`, false, answer, [account], rules]
  }),
  // Whatever GitHub does not say.
  ['a deleted account', false, () => undefined],
  ['500', false, () => ({ status: 500, body: {} })],
  ['403', false, () => ({ status: 403, body: { message: 'rate limit' } })],
  ['an answer without the field', false, () => ({ status: 200, body: {} })],
  ['a list', false, () => ({ status: 200, body: ['admin'] })],
  ['no JSON', false, () => ({ status: 200, body: '<html>' })],
  ['no body', false, () => ({ status: 200, body: '' })],
  ['an error for the second question', false, (call) => (call.path.startsWith('/users') ? who('admin')(call) : bad)],
  ['no token', false, who('admin'), [person('a')], { api: undefined }],
  ['no answer', false, who('admin'), [person('a')], { api: closed }],
]

// Read it as somebody whose job was refused: `npx vitest run test/github/checkActors.test.ts -u` writes it.
it('lets people with access pass, and says of everyone else why not', async () => {
  const told: string[] = []
  for (const [name, isPassed, answer, actors = [person('a')], more] of ROWS) {
    const server = await startGitHubServer(answer)
    const api = createGitHubApi({ url: `${server.url}/`, token: 'token' })
    const rules = { api, allowedBots: [], allowedPeople: [], ...more }
    const why = await checkActors(eventOf(actors), rules).catch((error: unknown) => error as RunError)
    expect([name, why?.reason]).toEqual([name, isPassed ? undefined : 'actor_denied'])
    expect(server.calls.every(({ token }) => token === 'token')).toBe(true)
    told.push(`${name}: ${why === undefined ? 'passes' : messageOf(why)}`)
    told.push(...server.calls.map(({ method, path }) => `  asked: ${method} ${path}`))
  }
  await expect(told.join('\n')).toMatchFileSnapshot('golden/actors.txt')
})

it('sends the token only over https or to loopback', () => {
  expect(() => createGitHubApi({ url: 'http://github.example', token: 't' })).toThrow('is only sent over https')
})
