import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import { verifyTranscript } from '../../../src/report/transcript/verifyTranscript.ts'
import { PNG, pngOf } from '../../helpers/images.ts'
import { ending } from '../openLab.ts'
import type { FaultRow } from './FaultRow.ts'

const OK: Turn = { say: 'done' }
const LS = { name: 'LS', input: { path: '.' } }

/** Faults of turns that need a process or real files. Odd answers stand in the tests of `query`, their ends in the goldens of whole runs. */
export const turnFaults: readonly FaultRow[] = [
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
