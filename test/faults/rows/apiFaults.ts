import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { renderTurn, type Turn } from '../../../src/model/replay/renderTurn.ts'
import type { Step } from '../../helpers/model/messagesServer.ts'
import { ending, type Lab, ofSubtype, SOON_SILENT } from '../openLab.ts'
import { type AnswerFault, type FaultRow, times } from './FaultRow.ts'

const OK: Turn = { say: 'done' }
const OVERLOADED: Step = { status: 529 }
const TOUCH: Turn = { tools: [{ name: 'Bash', input: { command: 'touch made' } }] }

/** A row that is only answers of the server and a way to end. */
function plain({ steps, options, ...row }: AnswerFault): FaultRow {
  return {
    ...row,
    group: 'A',
    async play(lab) {
      const server = await lab.serve(steps)
      return ending(await lab.run(server, options), server)
    },
  }
}

/** Faults of the Messages API. Clocks are scaled: waits take a hundredth, silence 0.4 s instead of 60 s. */
export const apiFaults: readonly FaultRow[] = [
  {
    row: '1',
    group: 'A',
    injected: '429 with retry-after: 2, twice',
    expected: '0 completed, 3 requests, 2 api_retry, waits 2000 2000 ms or a quarter more, by retry-after',
    async play(lab) {
      const limited = { status: 429, headers: { 'retry-after': '2' } }
      const server = await lab.serve([limited, limited, OK])
      const run = await lab.run(server)
      const waits = ofSubtype(run.records, 'api_retry').flatMap((record) =>
        record.type === 'system' && record.subtype === 'api_retry' ? [record] : [],
      )
      const sources = new Set(waits.map(({ source }) => source))
      const asked = waits.map(({ retry_delay_ms: ms }) => (ms >= 2000 && ms <= 2500 ? 2000 : ms)).join(' ')
      const words = `waits ${asked} ms or a quarter more, by ${[...sources].join(' ')}`
      return `${ending(run, server)}, ${words}`
    },
  },
  plain({
    row: '2',
    injected: '429 with retry-after: 100000',
    expected: '75 rate_limited, 1 request',
    steps: [{ status: 429, headers: { 'retry-after': '100000' } }],
  }),
  plain({
    row: '4',
    injected: '529 eight times',
    expected: '0 completed, 9 requests, 8 api_retry',
    steps: [...times(8, OVERLOADED), OK],
  }),
  plain({
    row: '5',
    injected: '529 for ever',
    expected: '75 api_unavailable, 10 requests, 9 api_retry',
    steps: times(10, OVERLOADED),
  }),
  plain({
    row: '5b',
    injected: '529 three times, then a fallback model',
    expected: '0 completed, 4 requests, 2 api_retry, 1 model_fallback',
    steps: [...times(3, OVERLOADED), OK],
    options: { flags: { 'fallback-model': ['claude-haiku-5-5'] } },
  }),
  plain({
    row: '6',
    injected: '500, 502, 503, 504, a reset before the headers',
    expected: '0 completed, 6 requests, 5 api_retry',
    steps: [...[500, 502, 503, 504].map((status) => ({ status })), { before: 'reset' }, OK],
  }),
  {
    row: '6b',
    group: 'A',
    injected: 'connection refused, for ever',
    expected: '75 api_unavailable, 0 requests, 9 api_retry',
    async play(lab) {
      const run = await lab.run({ url: 'http://127.0.0.1:9' })
      return ending(run, { requests: [] })
    },
  },
  plain({
    row: '7',
    injected: '409, 408',
    expected: '0 completed, 3 requests, 2 api_retry',
    steps: [{ status: 409 }, { status: 408 }, OK],
  }),
  plain({
    row: '7b',
    injected: '500 with x-should-retry: false',
    expected: '75 api_unavailable, 1 request',
    steps: [{ status: 500, headers: { 'x-should-retry': 'false' } }],
  }),
  plain({ row: '8', injected: '401', expected: '77 auth, 1 request', steps: [{ status: 401 }] }),
  plain({ row: '8b', injected: '403', expected: '77 auth, 1 request', steps: [{ status: 403 }] }),
  plain({
    row: '8c',
    injected: '400 credit balance too low',
    expected: '77 billing, 1 request',
    steps: [{ status: 400, errorMessage: 'Your credit balance is too low' }],
  }),
  plain({
    row: '9',
    injected: '404 model',
    expected: '78 config, 1 request',
    steps: [{ status: 404, errorMessage: 'model: nope' }],
  }),
  plain({ row: '9b', injected: '400 invalid request', expected: '5 bad_request, 1 request', steps: [{ status: 400 }] }),
  plain({
    row: '10',
    injected: '413, nothing to leave out',
    expected: '5 context_exhausted, 3 requests',
    steps: [{ status: 413 }, { say: '' }, { say: '' }],
  }),
  plain({
    row: '11a',
    injected: 'silence after message_start',
    expected: '0 completed, 2 requests, 1 api_retry, 1 api_stall, 1 turn_discarded',
    steps: [{ turn: OK, stallAfter: 400 }, OK],
    options: { model: { timers: SOON_SILENT } },
  }),
  plain({
    row: '11b',
    injected: 'silence after a text delta, for ever',
    expected: '75 api_unavailable, 2 requests, 1 api_retry, 2 api_stall, 2 turn_discarded',
    steps: times(2, { turn: { say: 'x'.repeat(300) }, stallAfter: 900 }),
    options: { model: { timers: SOON_SILENT } },
  }),
  {
    row: '11c',
    group: 'A',
    injected: 'silence after a whole call',
    expected: '0 completed, 3 requests, 1 api_retry, 1 api_stall, 1 turn_discarded, 1 call run',
    async play(lab) {
      const server = await lab.serve([{ turn: TOUCH, stallAfter: sizeWithoutEnd(TOUCH) }, TOUCH, OK])
      const run = await lab.run(server, { model: { timers: SOON_SILENT } })
      return `${ending(run, server)}, ${ofSubtype(run.records, 'tool_intent').length} call run`
    },
  },
  {
    row: '13',
    group: 'A',
    injected: 'the socket cut at every 40th byte of an answer with a call',
    expected: 'all completed, 1 call run each, no U+FFFD',
    async play(lab) {
      const turn: Turn = { say: 'grüße 🎉', tools: TOUCH.tools ?? [] }
      const seen = new Set<string>()
      for (let cutAtByte = 1; cutAtByte < sizeWithoutEnd(turn); cutAtByte += 40) {
        const server = await lab.serve([{ turn, cutAtByte }, turn, OK])
        const run = await lab.run(server)
        const text = JSON.stringify(run.records)
        seen.add(`${run.result.exit_reason} ${ofSubtype(run.records, 'tool_intent').length} ${text.includes('\uFFFD')}`)
      }
      return [...seen].join() === 'completed 1 false' ? 'all completed, 1 call run each, no U+FFFD' : [...seen].join()
    },
  },
  plain({
    row: '14',
    injected: 'a clean end without message_stop',
    expected: '0 completed, 2 requests, 1 api_retry, 1 turn_discarded',
    steps: [{ sse: withoutEnd(OK) }, OK],
  }),
  plain({
    row: '15',
    injected: 'overloaded_error inside a 200',
    expected: '0 completed, 2 requests, 1 api_retry',
    steps: [
      { sse: ['event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"x"}}\n\n'] },
      OK,
    ],
  }),
  plain({
    row: '17',
    injected: '200 with HTML, for ever',
    expected: '75 api_unavailable, 10 requests, 9 api_retry',
    steps: times(10, { body: '<html>log in</html>', headers: { 'content-type': 'text/html' } }),
  }),
  {
    row: '18',
    group: 'A',
    injected: '307 to another origin',
    expected: '78 config, 1 request, the other origin got 0 requests',
    play: (lab) => redirect(lab),
  },
  plain({
    row: '19',
    injected: 'a line of 20 MB',
    expected: '0 completed, 2 requests, 1 api_retry',
    steps: [{ body: `data: ${'x'.repeat(20_000_000)}` }, OK],
  }),
  plain({
    row: '20',
    injected: '80 MB of text in a small gzip body',
    expected: '0 completed, 2 requests, 1 api_retry',
    steps: [{ body: ': ping\n\n'.repeat(10_000_000), gzip: true }, OK],
  }),
  plain({
    row: '22',
    injected: 'usage missing; an unknown stop reason',
    expected: '5 bad_stop_reason, 1 request, 1 turn_discarded',
    steps: [{ say: 'x', stop: 'coffee_break' }],
  }),
  plain({
    row: '23',
    injected: 'a connection that never answers, once',
    expected: '0 completed, 2 requests, 1 api_retry, 1 api_stall',
    steps: [{ before: 'silent' }, OK],
    options: { model: { timers: SOON_SILENT } },
  }),
  {
    row: '25',
    group: 'A',
    injected: 'a base URL with http:// to another host',
    expected: 'exit 78',
    async play(lab) {
      const run = lab.cli(['x'], { server: { url: 'http://192.0.2.1' } })
      return `exit ${(await run.ended()).code}`
    },
  },
  {
    row: '26',
    group: 'A',
    injected: 'a proxy that refuses CONNECT',
    expected: 'exit 75, names the proxy',
    async play(lab) {
      const proxy = createServer().on('connect', (_, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'))
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
      lab.onClose(() => proxy.close())
      const { port } = proxy.address() as AddressInfo
      const env = { HTTPS_PROXY: `http://127.0.0.1:${port}` }
      const ended = await lab.cli(['x'], { server: { url: 'https://192.0.2.1' }, env }).ended()
      return `exit ${ended.code}, ${ended.stderr.includes(String(port)) ? 'names the proxy' : ended.stderr}`
    },
  },
]

/** The first answer of a server, without its last two events. */
function withoutEnd(turn: Turn): string[] {
  return renderTurn(turn, { id: 'test_1', model: 'claude-sonnet-5-5' }).slice(0, -2)
}

function sizeWithoutEnd(turn: Turn): number {
  return Buffer.byteLength(withoutEnd(turn).join(''))
}

async function redirect(lab: Lab): Promise<string> {
  let others = 0
  const other = createServer((_, response) => {
    others++
    response.end()
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  lab.onClose(() => other.close())
  const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`
  const server = await lab.serve([{ status: 307, headers: { location } }])
  const run = await lab.run(server)
  return `${ending(run, server)}, the other origin got ${others} requests`
}
