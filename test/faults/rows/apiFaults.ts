import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { renderTurn, type Turn } from '../../../src/model/replay/renderTurn.ts'
import { ending, ofSubtype, SOON_SILENT } from '../openLab.ts'
import type { FaultRow } from './FaultRow.ts'

const OK: Turn = { say: 'done' }
const TOUCH: Turn = { tools: [{ name: 'Bash', input: { command: 'touch made' } }] }

/**
 * Faults of the Messages API in whole runs; the tests of `model` have every one. Clocks are scaled: waits take a hundredth,
 * silence 2 s instead of 60 s.
 */
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
  {
    row: '17',
    group: 'A',
    injected: '200 with HTML, for ever',
    expected: '75 api_unavailable, 10 requests, 9 api_retry',
    async play(lab) {
      const page = { body: '<html>log in</html>', headers: { 'content-type': 'text/html' } }
      const server = await lab.serve(() => page)
      return ending(await lab.run(server), server)
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

/** The size of the first answer of a server without its last two events. */
function sizeWithoutEnd(turn: Turn): number {
  const events = renderTurn(turn, { id: 'test_1', model: 'claude-sonnet-5-5' })
  return Buffer.byteLength(events.slice(0, -2).join(''))
}
