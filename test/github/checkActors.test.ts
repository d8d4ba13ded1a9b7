import { describe, expect, it, onTestFinished } from 'vitest'
import { checkActors } from '../../src/github/checkActors.ts'
import { createGitHubApi } from '../../src/github/createGitHubApi.ts'
import type { Account, GitHubEvent } from '../../src/github/GitHubEvent.ts'
import {
  answerForPeople,
  type GitHubAnswer,
  type GitHubCall,
  startGitHubServer,
} from '../helpers/github/githubServer.ts'

function eventOf(...actors: readonly Account[]): GitHubEvent {
  return {
    ...{ name: 'issue_comment', action: 'created', repository: 'octo/shop', defaultBranch: 'main' },
    ...{ ref: 'refs/heads/main', sha: 'a'.repeat(40), number: 7, pullRequest: undefined, upstream: undefined },
    ...{ commentedAt: undefined, texts: [], actors },
  }
}

async function gate(answer: (call: GitHubCall) => GitHubAnswer, actors: readonly Account[], allowed = {}) {
  const server = await startGitHubServer(answer)
  onTestFinished(() => server.close())
  const api = createGitHubApi({ url: server.url, token: 'token' })
  const rules = { api, allowedBots: [], allowedPeople: [], ...allowed }
  const passed = await checkActors(eventOf(...actors), rules).then(
    () => 'passed',
    (error: unknown) => Reflect.get(error as object, 'reason'),
  )
  return { passed, calls: server.calls }
}

const person = (login: string): Account => ({ login, type: 'User' })

describe('the gate', () => {
  it.each([
    { permission: 'admin', result: 'passed' },
    { permission: 'write', result: 'passed' },
    { permission: 'read', result: 'actor_denied' },
    { permission: 'none', result: 'actor_denied' },
    { permission: 'maintain-all', result: 'actor_denied' },
  ])('for permission $permission: $result', async ({ permission, result }) => {
    const { passed, calls } = await gate(answerForPeople({ a: { permission } }), [person('a')])
    expect(passed).toBe(result)
    expect(calls.map(({ token }) => token)).toEqual(calls.map(() => 'token'))
  })

  it('asks about everyone: one person without access closes it', async () => {
    const people = { a: { permission: 'admin' }, b: { permission: 'read' } }
    expect((await gate(answerForPeople(people), [person('a'), person('b')])).passed).toBe('actor_denied')
  })

  it('asks for the type of an account that only the environment names', async () => {
    const people = { a: { type: 'Bot', permission: 'admin' } }
    expect((await gate(answerForPeople(people), [{ login: 'a', type: '' }])).passed).toBe('actor_denied')
  })

  const yes = answerForPeople({ a: { permission: 'admin' } })
  it.each<{ name: string; answer: (call: GitHubCall) => GitHubAnswer }>([
    { name: 'a deleted account (404)', answer: () => undefined },
    { name: '500', answer: () => ({ status: 500, body: {} }) },
    { name: '403', answer: () => ({ status: 403, body: { message: 'rate limit' } }) },
    { name: 'an answer without the field', answer: () => ({ status: 200, body: {} }) },
    { name: 'a list', answer: () => ({ status: 200, body: ['admin'] }) },
    { name: 'no JSON', answer: () => ({ status: 200, body: '<html>' }) },
    {
      name: 'an error for the second question',
      answer: (call) => (call.path.startsWith('/users') ? yes(call) : { status: 502, body: {} }),
    },
  ])('stays closed for $name', async ({ answer }) => {
    expect((await gate(answer, [person('a')])).passed).toBe('actor_denied')
  })

  it('stays closed without an answer, without a token, and without actors', async () => {
    const rules = { allowedBots: [], allowedPeople: ['*'] }
    const api = createGitHubApi({ url: 'http://127.0.0.1:9', token: 't', timeoutMs: 300 })
    const denied = { reason: 'actor_denied' }
    await expect(checkActors(eventOf(person('a')), { ...rules, allowedPeople: [], api })).rejects.toMatchObject(denied)
    await expect(checkActors(eventOf(person('a')), { ...rules, api: undefined })).rejects.toMatchObject(denied)
    await expect(checkActors(eventOf(), { ...rules, api })).rejects.toMatchObject(denied)
  })

  it('lets listed people without access pass, but never bots from that list', async () => {
    const people = { a: { permission: 'read' }, 'b[bot]': { type: 'Bot' } }
    const answer = answerForPeople(people)
    expect((await gate(answer, [person('a')], { allowedPeople: ['A'] })).passed).toBe('passed')
    expect((await gate(answer, [person('a')], { allowedPeople: ['*'] })).passed).toBe('passed')
    const bot = [{ login: 'b[bot]', type: 'Bot' }]
    expect((await gate(answer, bot, { allowedPeople: ['*', 'b[bot]'] })).passed).toBe('actor_denied')
    expect((await gate(answer, bot, { allowedBots: ['b[bot]'] })).passed).toBe('passed')
  })

  it.each<Account>([
    { login: 'c[bot]', type: 'User' },
    { login: 'c', type: 'Bot' },
  ])('denies a person named like an allowed bot: %o', async (account) => {
    const answer = answerForPeople({ [account.login]: { type: 'User', permission: 'admin' } })
    const allowed = { allowedBots: [account.login], allowedPeople: ['*'] }
    expect((await gate(answer, [account], allowed)).passed).toBe('actor_denied')
  })
})

it('sends the token only over https or to loopback', () => {
  expect(() => createGitHubApi({ url: 'http://github.example', token: 't' })).toThrow('is only sent over https')
})
