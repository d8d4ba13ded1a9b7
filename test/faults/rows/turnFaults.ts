import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import { verifyTranscript } from '../../../src/report/transcript/verifyTranscript.ts'
import { PNG, pngOf } from '../../helpers/images.ts'
import type { Step } from '../../helpers/model/messagesServer.ts'
import { ending, type LabRunOptions, ofSubtype, times } from '../openLab.ts'
import type { Play, Plays } from '../readMatrix.ts'

const OK: Turn = { say: 'done' }
const TOUCH = { name: 'Bash', input: { command: 'touch made' } }
const LS = { name: 'LS', input: { path: '.' } }
const READ = { name: 'Read', input: { file_path: 'big.txt' } }
const BIG: LabRunOptions = { files: { 'big.txt': 'a line of text\n'.repeat(1000) } }
const TOO_LONG: Step = { status: 400, errorMessage: 'prompt is too long: 210000 tokens > 200000 maximum' }

/** A row that is only answers of the server, the calls that ran, and a transcript that verifies. */
const plain =
  (steps: readonly (Step | Turn)[], options?: LabRunOptions): Play =>
  async (lab) => {
    const server = await lab.serve(steps)
    const run = await lab.run(server, options)
    const calls = ofSubtype(run.records, 'tool_intent').length
    const { isIntact, problems } = await verifyTranscript(run.transcript)
    return `${ending(run, server)}, ${calls} run${isIntact ? '' : `, ${problems[0]?.reason}`}`
  }

/** Faults of turns: answers that are cut, refused, empty, or full of odd calls. */
export const turnFaults: Plays = {
  '27': plain([{ tools: [TOUCH], stop: 'max_tokens' }, { tools: [TOUCH], stop: 'max_tokens' }, OK]),
  '27b': plain(times(3, { tools: [TOUCH], stop: 'max_tokens' })),
  '29': plain([
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
  ]),

  '30': plain([{ say: 'no', stop: 'refusal' }]),
  '30b': plain([{ tools: [TOUCH], stop: 'refusal' }]),
  '31': plain([...times(3, { say: 'wait', stop: 'pause_turn' }), OK]),
  '31b': plain(times(11, { say: 'wait', stop: 'pause_turn' })),
  '32': plain([{ tools: [READ] }, TOO_LONG, { say: 'short' }, OK], BIG),
  '32b': plain(
    [
      { tools: [READ] },
      { say: 'x', stop: 'model_context_window_exceeded' },
      { say: 'shorter' },
      TOO_LONG,
      { say: 's' },
      TOO_LONG,
    ],
    BIG,
  ),

  '33': plain([{ tools: [LS] }, TOO_LONG, { status: 400 }, { say: ' ' }]),
  '34': plain([
    { say: ' ', stop: 'end_turn' },
    { say: '', stop: 'end_turn' },
  ]),

  '34b': plain([{ think: 'hm', stop: 'end_turn' }, OK]),

  async '35'(lab) {
    const tools = times(20, 0).map((_, index) => ({
      name: 'Read',
      input: { file_path: `${index === 7 ? 'none' : index}.txt` },
    }))
    const files = Object.fromEntries(tools.map((_, index) => [`${index}.txt`, `this is ${index}\n`]))
    const server = await lab.serve([{ tools }, OK])
    const run = await lab.run(server, { files })
    const results: { content: string; is_error?: boolean }[] = server.requests[1]?.body.messages.at(-1).content
    const isInOrder = results.every(({ content }, index) => index === 7 || String(content).includes(`this is ${index}`))
    const failed = results.filter((result) => result.is_error === true).length
    return `${ending(run, server)}, ${results.length} results ${isInOrder ? 'in order' : 'OUT OF ORDER'}, ${failed} failed`
  },

  async '36'(lab) {
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

  async '38'(lab) {
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

  '40': plain([{ tools: times(4, LS) }], { flags: { 'max-tool-calls': 2 } }),
  '40b': plain([{ tools: times(2, LS) }, OK], { flags: { 'max-tool-calls': 2, 'max-turns': 2 } }),

  async '41'(lab) {
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
}
