import { createServer, type IncomingHttpHeaders } from 'node:http'
import { expect, test } from 'vitest'
import type { HookSettings } from '../../src/contracts/settings.ts'
import type { HookEnding } from '../../src/hooks/HookReply.ts'
import { OUTPUT_LIMIT } from '../../src/hooks/runCommandHook.ts'
import { runHttpHook } from '../../src/hooks/runHttpHook.ts'
import { listenHere } from '../helpers/listenHere.ts'
import { createTestHooks, hookedCall } from '../helpers/tools/testHooks.ts'

type Reply = { readonly status?: number; readonly body?: string; readonly location?: string }

async function serve(reply: Reply) {
  const seen: { headers: IncomingHttpHeaders; body: string }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    seen.push({ headers: request.headers, body })
    response.writeHead(reply.status ?? 200, reply.location === undefined ? {} : { location: reply.location })
    response.end(reply.body)
  })
  return { url: `${await listenHere(server)}/hook`, seen }
}

async function run(reply: Reply, more: Partial<Extract<HookSettings, { type: 'http' }>> = {}) {
  const { url, seen } = await serve(reply)
  const hook: HookSettings = { type: 'http', url, ...more }
  const env = { HOOK_TOKEN: 'secret-1', OTHER: 'secret-2' }
  const { hooks, signal } = createTestHooks({ PreToolUse: [{ hooks: [hook] }] }, { env })
  return { verdict: await hooks.preToolUse(hookedCall('Bash', { command: 'ls' }), signal), seen, url }
}

test('the event is posted as JSON; only the listed variables are filled into headers', async () => {
  const { seen, verdict } = await run(
    { body: '' },
    { headers: { authorization: 'Bearer $HOOK_TOKEN', other: '[${OTHER}]' }, allowedEnvVars: ['HOOK_TOKEN'] },
  )
  expect(verdict.decision).toBe('none')
  expect(seen).toHaveLength(1)
  const headers = { authorization: 'Bearer secret-1', other: '[]', 'content-type': 'application/json' }
  expect(seen[0]?.headers).toMatchObject(headers)
  expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ hook_event_name: 'PreToolUse', tool_name: 'Bash' })
})

test('the answer is read like the output of a command, and the hook is named by its URL', async () => {
  const { verdict, url } = await run({ body: '{"decision":"block","reason":"not today"}' })
  expect(verdict).toMatchObject({ decision: 'deny', reason: 'not today', hook: url, isFailure: false })
})

test('a redirect denies', async () => {
  const { verdict } = await run({ status: 302, location: 'http://127.0.0.1:9/' })
  const reason = expect.stringMatching(/the request failed/)
  expect(verdict).toMatchObject({ decision: 'deny', isFailure: true, reason })
})

const cause = new Error('ECONNREFUSED')
const noAnswer = (why: string): HookEnding => ({ kind: 'failed', detail: `the request failed: ${why}` })
const FULL = 'x'.repeat(OUTPUT_LIMIT)

test.each<[string, () => Promise<Response> | Response, HookEnding]>([
  ['no content', () => new Response(null, { status: 204 }), { kind: 'answered', text: '' }],
  ['as much as is read', () => new Response(FULL), { kind: 'answered', text: FULL }],
  ['a byte more', () => new Response(`${FULL}x`), { kind: 'failed', detail: 'the answer has more than 1 MiB' }],
  ['a bad status', () => new Response('x', { status: 500 }), { kind: 'failed', detail: 'HTTP status 500' }],
  ['an error with a cause', () => Promise.reject(new Error('fetch failed', { cause })), noAnswer('ECONNREFUSED')],
  ['an error without one', () => Promise.reject(new Error('fetch failed')), noAnswer('fetch failed')],
  ['a thrown text', () => Promise.reject('no'), noAnswer('no')],
])('an answer is read: %s', async (_, answer, ending) => {
  const limits = { timeoutMs: 60_000, signal: new AbortController().signal }
  const filled = { headers: { a: '$A$B$C' }, allowedEnvVars: ['A', 'C'] }
  const hook = { type: 'http', url: 'http://127.0.0.1:1/', ...filled } as const
  const sent: unknown[] = []
  const fetch = async (_url: string, init: RequestInit) => {
    sent.push(init.headers)
    return answer()
  }
  expect(await runHttpHook(hook, '{}', limits, { fetch, env: { A: '1', B: '2' } } as never)).toEqual(ending)
  expect(sent).toEqual([{ 'content-type': 'application/json', a: '1' }])
})

test('the time limit of the hook is told from the end of the run', async () => {
  const fetch = (_: string, { signal }: RequestInit) =>
    new Promise((_resolve, reject) => {
      if (signal?.aborted === true) reject(new Error('aborted'))
      signal?.addEventListener('abort', () => reject(new Error('aborted')))
    })
  const run = (timeoutMs: number, signal: AbortSignal) =>
    runHttpHook({ type: 'http', url: 'http://127.0.0.1:1/' }, '{}', { timeoutMs, signal }, { fetch, env: {} } as never)
  expect(await run(50, new AbortController().signal)).toEqual({ kind: 'timeout', detail: 'no answer within 0.05 s' })
  expect(await run(60_000, AbortSignal.abort())).toEqual({ kind: 'failed', detail: 'the request failed: aborted' })
})
