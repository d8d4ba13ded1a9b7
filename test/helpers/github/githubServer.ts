import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export type GitHubCall = {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly token: string
  readonly body: unknown
}

/** What a route answers: a body for 200, or a status and a body. `undefined` is 404. */
export type GitHubAnswer = { readonly status: number; readonly body: unknown } | undefined

/**
 * GitHub's REST API on loopback: `answer` decides, every call is kept. What nobody answers is 404, as there. `onEnd` takes
 * what closes it; the end of the test by default.
 */
export async function startGitHubServer(
  answer: (call: GitHubCall) => GitHubAnswer,
  onEnd: (close: () => void) => void = onTestFinished,
) {
  const calls: GitHubCall[] = []
  const server = createServer(async (request, response) => {
    const call = await readCall(request)
    calls.push(call)
    const { status, body } = answer(call) ?? { status: 404, body: { message: 'Not Found' } }
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls: calls as readonly GitHubCall[] }
}

async function readCall(request: IncomingMessage): Promise<GitHubCall> {
  const sent = await text(request)
  const { method = '', url = '', headers } = request
  const token = (headers.authorization ?? '').replace('Bearer ', '')
  return { method, path: url, token, body: sent === '' ? undefined : JSON.parse(sent) }
}

export type People = Readonly<Record<string, { readonly type?: string; readonly permission?: string }>>

/** The two questions of the actor gate, answered for these people; anyone else is unknown. */
export function answerForPeople(people: People): (call: GitHubCall) => GitHubAnswer {
  return ({ path }) => {
    const user = /^\/users\/([^/?]+)$/.exec(path)?.[1]
    const collaborator = /^\/repos\/[^/]+\/[^/]+\/collaborators\/([^/?]+)\/permission$/.exec(path)?.[1]
    const person = people[decodeURIComponent(user ?? collaborator ?? '')]
    if (person === undefined) return undefined
    if (user !== undefined) return { status: 200, body: { type: person.type ?? 'User' } }
    return person.permission === undefined ? undefined : { status: 200, body: { permission: person.permission } }
  }
}
