import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { renderTurn, type Turn } from '../../../src/model/replay/renderTurn.ts'
import type { Step } from '../../helpers/model/messagesServer.ts'
import { ending, type Lab, type LabRunOptions, ofSubtype, SOON_SILENT, times } from '../openLab.ts'
import type { Play, Plays } from '../readMatrix.ts'

const OK: Turn = { say: 'done' }
const OVERLOADED: Step = { status: 529 }
const TOUCH: Turn = { tools: [{ name: 'Bash', input: { command: 'touch made' } }] }

/** A row that is only answers of the server and a way to end. */
const plain =
  (steps: readonly (Step | Turn)[], options?: LabRunOptions): Play =>
  async (lab) => {
    const server = await lab.serve(steps)
    return ending(await lab.run(server, options), server)
  }

/** Faults of the Messages API. Clocks are scaled: waits take a hundredth, silence 0.4 s instead of 60 s. */
export const apiFaults: Plays = {
  async '1'(lab) {
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

  '2': plain([{ status: 429, headers: { 'retry-after': '100000' } }]),
  '4': plain([...times(8, OVERLOADED), OK]),
  '5': plain(times(10, OVERLOADED)),
  '5b': plain([...times(3, OVERLOADED), OK], { flags: { 'fallback-model': ['claude-haiku-5-5'] } }),
  '6': plain([...[500, 502, 503, 504].map((status) => ({ status })), { before: 'reset' }, OK]),

  async '6b'(lab) {
    const run = await lab.run({ url: 'http://127.0.0.1:9' })
    return ending(run, { requests: [] })
  },

  '7': plain([{ status: 409 }, { status: 408 }, OK]),
  '7b': plain([{ status: 500, headers: { 'x-should-retry': 'false' } }]),
  '8': plain([{ status: 401 }]),
  '8b': plain([{ status: 403 }]),
  '8c': plain([{ status: 400, errorMessage: 'Your credit balance is too low' }]),
  '9': plain([{ status: 404, errorMessage: 'model: nope' }]),
  '9b': plain([{ status: 400 }]),
  '10': plain([{ status: 413 }, { say: '' }, { say: '' }]),
  '11a': plain([{ turn: OK, stallAfter: 400 }, OK], { model: { timers: SOON_SILENT } }),
  '11b': plain(times(2, { turn: { say: 'x'.repeat(300) }, stallAfter: 900 }), { model: { timers: SOON_SILENT } }),

  async '11c'(lab) {
    const server = await lab.serve([{ turn: TOUCH, stallAfter: sizeWithoutEnd(TOUCH) }, TOUCH, OK])
    const run = await lab.run(server, { model: { timers: SOON_SILENT } })
    return `${ending(run, server)}, ${ofSubtype(run.records, 'tool_intent').length} call run`
  },

  async '13'(lab) {
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

  '14': plain([{ sse: withoutEnd(OK) }, OK]),
  '15': plain([
    { sse: ['event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"x"}}\n\n'] },
    OK,
  ]),

  '17': plain(times(10, { body: '<html>log in</html>', headers: { 'content-type': 'text/html' } })),
  '18': (lab) => redirect(lab),
  '19': plain([{ body: `data: ${'x'.repeat(20_000_000)}` }, OK]),
  '20': plain([{ body: ': ping\n\n'.repeat(10_000_000), gzip: true }, OK]),
  '22': plain([{ say: 'x', stop: 'coffee_break' }]),
  '23': plain([{ before: 'silent' }, OK], { model: { timers: SOON_SILENT } }),

  async '25'(lab) {
    const run = lab.cli(['x'], { server: { url: 'http://192.0.2.1' } })
    return `exit ${(await run.ended()).code}`
  },

  async '26'(lab) {
    const proxy = createServer().on('connect', (_, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'))
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    lab.onClose(() => proxy.close())
    const { port } = proxy.address() as AddressInfo
    const env = { HTTPS_PROXY: `http://127.0.0.1:${port}` }
    const ended = await lab.cli(['x'], { server: { url: 'https://192.0.2.1' }, env }).ended()
    return `exit ${ended.code}, ${ended.stderr.includes(String(port)) ? 'names the proxy' : ended.stderr}`
  },
}

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
