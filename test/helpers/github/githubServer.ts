import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export type GitHubCall = {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly token: string
  readonly body: unknown
}

/** What a route answers: a body for 200, or a status and a body. `undefined` is 404. */
export type GitHubAnswer = { readonly status: number; readonly body: unknown } | undefined

export type GitHubServer = {
  readonly url: string
  readonly calls: readonly GitHubCall[]
  close(): Promise<void>
}

/** GitHub's REST API on loopback: `answer` decides, every call is kept. What nobody answers is 404, as there. */
export async function startGitHubServer(answer: (call: GitHubCall) => GitHubAnswer): Promise<GitHubServer> {
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
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readCall(request: IncomingMessage): Promise<GitHubCall> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  const { method = '', url = '', headers } = request
  const token = (headers.authorization ?? '').replace('Bearer ', '')
  return { method, path: url, token, body: text === '' ? undefined : JSON.parse(text) }
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
