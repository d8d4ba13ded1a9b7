import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import { verifyTranscript } from '../../../src/report/transcript/verifyTranscript.ts'
import { PNG, pngOf } from '../../helpers/images.ts'
import type { Step } from '../../helpers/model/messagesServer.ts'
import { ending, type LabRunOptions, ofSubtype } from '../openLab.ts'
import { type AnswerFault, type FaultRow, times } from './FaultRow.ts'

const OK: Turn = { say: 'done' }
const TOUCH = { name: 'Bash', input: { command: 'touch made' } }
const LS = { name: 'LS', input: { path: '.' } }
const READ = { name: 'Read', input: { file_path: 'big.txt' } }
const BIG: LabRunOptions = { files: { 'big.txt': 'a line of text\n'.repeat(1000) } }
const TOO_LONG: Step = { status: 400, errorMessage: 'prompt is too long: 210000 tokens > 200000 maximum' }

/** A row that is only answers of the server, the calls that ran, and a transcript that verifies. */
function plain({ steps, options, ...row }: AnswerFault): FaultRow {
  return {
    ...row,
    group: 'B',
    async play(lab) {
      const server = await lab.serve(steps)
      const run = await lab.run(server, options)
      const calls = ofSubtype(run.records, 'tool_intent').length
      const { isIntact, problems } = await verifyTranscript(run.transcript)
      return `${ending(run, server)}, ${calls} run${isIntact ? '' : `, ${problems[0]?.reason}`}`
    },
  }
}

/** Faults of turns: answers that are cut, refused, empty, or full of odd calls. */
export const turnFaults: readonly FaultRow[] = [
  plain({
    row: '27',
    injected: 'max_tokens inside a call, twice',
    expected: '0 completed, 3 requests, 1 turn_discarded, 0 run',
    steps: [{ tools: [TOUCH], stop: 'max_tokens' }, { tools: [TOUCH], stop: 'max_tokens' }, OK],
  }),
  plain({
    row: '27b',
    injected: 'max_tokens three times',
    expected: '4 max_tokens, 3 requests, 2 turn_discarded, 0 run',
    steps: times(3, { tools: [TOUCH], stop: 'max_tokens' }),
  }),
  plain({
    row: '29',
    injected: 'wrong types, an unknown tool, another case, an empty id, a doubled id',
    expected: '0 completed, 2 requests, 2 run',
    steps: [
      {
        tools: [
          { name: 'Read', input: { file_path: { name: 7 } } },
          { name: 'Raed', input: {} },
          { name: 'read', input: { file_path: 'a.txt' } },
          { ...LS, id: '' },
          { ...LS, id: 'twice' },
          { name: 'Read', input: {}, id: 'twice' },
        ],
      },
      OK,
    ],
  }),
  plain({
    row: '30',
    injected: 'refusal',
    expected: '5 refusal, 1 request, 1 turn_discarded, 0 run',
    steps: [{ say: 'no', stop: 'refusal' }],
  }),
  plain({
    row: '30b',
    injected: 'refusal after a whole call',
    expected: '5 refusal, 1 request, 1 turn_discarded, 0 run',
    steps: [{ tools: [TOUCH], stop: 'refusal' }],
  }),
  plain({
    row: '31',
    injected: 'pause_turn three times',
    expected: '0 completed, 4 requests, 0 run',
    steps: [...times(3, { say: 'wait', stop: 'pause_turn' }), OK],
  }),
  plain({
    row: '31b',
    injected: 'pause_turn for ever',
    expected: '4 loop, 11 requests, 0 run',
    steps: times(11, { say: 'wait', stop: 'pause_turn' }),
  }),
  plain({
    row: '32',
    injected: 'prompt is too long',
    expected: '0 completed, 4 requests, 1 compact_boundary, 1 run',
    steps: [{ tools: [READ] }, TOO_LONG, { say: 'short' }, OK],
    options: BIG,
  }),
  plain({
    row: '32b',
    injected: 'model_context_window_exceeded, and too long however short',
    expected: '5 context_exhausted, 6 requests, 1 turn_discarded, 2 compact_boundary, 1 run',
    steps: [
      { tools: [READ] },
      { say: 'x', stop: 'model_context_window_exceeded' },
      { say: 'shorter' },
      TOO_LONG,
      { say: 's' },
      TOO_LONG,
    ],
    options: BIG,
  }),
  plain({
    row: '33',
    injected: 'the compaction fails, then is empty',
    expected: '5 context_exhausted, 4 requests, 1 run',
    steps: [{ tools: [LS] }, TOO_LONG, { status: 400 }, { say: ' ' }],
  }),
  plain({
    row: '34',
    injected: 'an empty answer, twice',
    expected: '1 empty_answer, 2 requests, 0 run',
    steps: [
      { say: ' ', stop: 'end_turn' },
      { say: '', stop: 'end_turn' },
    ],
  }),
  plain({
    row: '34b',
    injected: 'an answer with only a thought, then words',
    expected: '0 completed, 2 requests, 0 run',
    steps: [{ think: 'hm', stop: 'end_turn' }, OK],
  }),
  {
    row: '35',
    group: 'B',
    injected: '20 calls in one message, one of them fails',
    expected: '0 completed, 2 requests, 20 results in order, 1 failed',
    async play(lab) {
      const tools = times(20, 0).map((_, index) => ({
        name: 'Read',
        input: { file_path: `${index === 7 ? 'none' : index}.txt` },
      }))
      const files = Object.fromEntries(tools.map((_, index) => [`${index}.txt`, `this is ${index}\n`]))
      const server = await lab.serve([{ tools }, OK])
      const run = await lab.run(server, { files })
      const results: { content: string; is_error?: boolean }[] = server.requests[1]?.body.messages.at(-1).content
      const isInOrder = results.every(
        ({ content }, index) => index === 7 || String(content).includes(`this is ${index}`),
      )
      const failed = results.filter((result) => result.is_error === true).length
      return `${ending(run, server)}, ${results.length} results ${isInOrder ? 'in order' : 'OUT OF ORDER'}, ${failed} failed`
    },
  },
  {
    row: '36',
    group: 'B',
    injected: 'SIGINT while three calls run beside each other',
    expected: '130 sigint, intact, 3 results and all are errors, resumed: 0 completed',
    async play(lab) {
      const policy = 'version: 1\npermissions: { presets: [read-only] }\nsandbox: { mode: off }\n'
      const tail = { name: 'Bash', input: { command: 'tail -f a.txt' } }
      const server = await lab.serve([{ tools: [tail, tail, tail] }])
      const run = lab.cli(['x', '--output-format', 'stream-json'], { server, policy, files: { 'a.txt': 'a\n' } })
      await run.saw('tool_intent')
      while (readFileSync(run.transcript, 'utf8').split('"tool_intent"').length <= 3) await sleep(20)
      run.child.kill('SIGINT')
      const ended = await run.ended()
      const { isIntact, problems } = await verifyTranscript(run.transcript)
      const blocks = ended.records.flatMap((record) => (record.type === 'user' ? record.message.content : []))
      const results = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.is_error === true] : []))
      const words = `${results.length} results and ${results.every(Boolean) ? 'all' : 'not all'} are errors`
      const next = { server: await lab.serve([OK]), policy, after: run }
      const again = await lab.cli(['--resume', run.transcript], next).ended()
      return `${ended.code} ${ended.result().exit_reason}, ${isIntact ? 'intact' : problems[0]?.reason}, ${words}, resumed: ${again.code} ${again.result().exit_reason}`
    },
  },
  {
    row: '38',
    group: 'B',
    injected: 'images: 0 bytes, broken, 20000 pixels; one good',
    expected: '0 completed, 2 requests, 1 image sent',
    async play(lab) {
      const images = {
        'empty.png': Buffer.alloc(0),
        'broken.png': Buffer.from('no png'),
        'wide.png': pngOf(20_000, 10),
        'good.png': PNG,
      }
      const server = await lab.serve([
        { tools: Object.keys(images).map((file_path) => ({ name: 'Read', input: { file_path } })) },
        OK,
      ])
      const run = await lab.run(server, { files: images })
      const sent = JSON.stringify(server.requests[1]?.body.messages).split('"type":"image"').length - 1
      return `${ending(run, server)}, ${sent} image sent`
    },
  },
  plain({
    row: '40',
    injected: '--max-tool-calls 2 in a message with four calls',
    expected: '4 max_tool_calls, 1 request, 2 run',
    steps: [{ tools: times(4, LS) }],
    options: { flags: { 'max-tool-calls': 2 } },
  }),
  plain({
    row: '40b',
    injected: '--max-tool-calls 2 and --max-turns 2, and a run that needs just that',
    expected: '0 completed, 2 requests, 2 run',
    steps: [{ tools: times(2, LS) }, OK],
    options: { flags: { 'max-tool-calls': 2, 'max-turns': 2 } },
  }),
  {
    row: '41',
    group: 'B',
    injected: 'the clock jumps an hour on and back again',
    expected: '0 completed, seq and mono_ms never fall',
    async play(lab) {
      const skew = 'let n = 0; const now = Date.now; Date.now = () => now() + (n++ % 2 ? 3600000 : -3600000)'
      const server = await lab.serve([{ status: 529 }, { tools: [LS] }, OK])
      const ended = await lab
        .cli(['x'], { server, env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(skew)}` } })
        .ended()
      const isRising = ended.records.every(
        (record, index) => index === 0 || (ended.records[index - 1]?.mono_ms ?? 0) <= record.mono_ms,
      )
      return `${ended.code} ${ended.result().exit_reason}, ${isRising ? 'seq and mono_ms never fall' : 'mono_ms fell'}`
    },
  },
]
