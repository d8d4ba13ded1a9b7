import { readFileSync } from 'node:fs'
import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import { verifyTranscript } from '../../../src/report/transcript/verifyTranscript.ts'
import { commitAll } from '../../helpers/git.ts'
import { onceUp } from '../../helpers/onceUp.ts'
import { bash } from '../../helpers/runs/playRun.ts'
import { ofSubtype, times } from '../openLab.ts'
import type { Play, Plays } from '../readMatrix.ts'

const ALLOW =
  'version: 1\npermissions: { presets: [read-only], allow: [Bash, "Edit(*.txt)", "Edit(/up)"] }\nsandbox: { mode: off }\n'
const FLAT = "a late turn takes at most 1.1 of an early one's processor time, and 1.5 of its memory"
const OK: Turn = { say: 'done' }

/** Many starts under one lock. */
function overlap(count: number): Play {
  return async (lab) => {
    const home = lab.folder()
    const server = await lab.serve(() => ({ turn: OK, chunkBytes: 20, dripMs: 100 }))
    const start = () => lab.cli(['x', '--lock', 'nightly'], { server, env: { HOME: home } }).ended()
    const codes = (await Promise.all(times(count, 0).map(start))).map(({ code }) => code)
    const [ran, held] = [0, 75].map((code) => codes.filter((one) => one === code).length)
    return `${ran} ran, ${held} ended with 75`
  }
}

/** Many runs beside each other in one checkout: each works, and names what the others changed there as nobody's change. */
function parallel(count: number): Play {
  return async (lab) => {
    const files = { 'start.txt': 'start\n' }
    const base = await lab.cli(['--version'], { files, prepare: commitAll }).ended()
    const server = await lab.serve(({ body }) => {
      const [, own] = /run number (\d+)/.exec(JSON.stringify(body.messages[0])) ?? []
      const { length } = body.messages
      return { turn: length < 6 ? { tools: [bash(`echo ${own} >> ${own}.txt`)] } : OK }
    })
    const start = async (_: number, index: number) => {
      const run = await lab.cli([`run number ${index + 100}.`], { server, policy: ALLOW, after: base }).ended()
      const { detail, exit_reason } = run.result()
      const isNamed = exit_reason === 'blocked' && detail.includes('no call of the run changed them')
      if (run.code !== 0 && (!isNamed || detail.includes(`${index + 100}.txt`)))
        throw new Error(`exit ${run.code}: ${run.stderr.slice(-500)}`)
      const { isIntact } = await verifyTranscript(run.transcript)
      const numbers = new Set(
        JSON.stringify(run.records.filter(({ type }) => type !== 'result')).match(/run number \d+/g),
      )
      return { isIntact, isAlone: numbers.size === 1 }
    }
    const runs = await Promise.all(times(count, 0).map(start))
    const damaged = runs.filter(({ isIntact }) => !isIntact).length
    const mixed = runs.filter(({ isAlone }) => !isAlone).length
    return `${runs.length} completed or blocked by the others' changes, ${damaged} damaged records, ${mixed} cross-talk`
  }
}

/** Load, overlap and time. */
export const loadFaults: Plays = {
  '151': overlap(5),
  '151 twenty': overlap(20),
  '153': parallel(4),
  '153 fifty': parallel(50),

  async '154'(lab) {
    const server = await lab.serve([{ tools: times(500, { name: 'LS', input: { path: '.' } }) }, OK])
    const { result, records } = await lab.run(server, { flags: { 'max-tool-calls': 1000 } })
    return `${result.exit_reason}, ${ofSubtype(records, 'tool_intent').length} results`
  },

  '154 turns': turns(5000),

  async '156'(lab) {
    const server = await lab.serve([{ tools: [bash('sleep 600', { timeout: 600_000 })] }, OK])
    const run = await lab.cli(['x', '--timeout', '6s'], { server, policy: ALLOW }).ended()
    const outcomes = run.records.flatMap((record) => (record.type === 'user' ? (record.tool_use_result ?? []) : []))
    const isCut = outcomes.some(({ outcome, duration_ms }) => outcome !== 'ok' && duration_ms < 6_000)
    const isSaid = readFileSync(run.summary, 'utf8').includes('time limit')
    return `${run.code} ${run.result().exit_reason}, ${isCut ? 'the command was cut' : 'NOT CUT'}, ${isSaid ? 'summary written' : 'NOTHING SAID'}`
  },

  async '157'(lab) {
    const env = { NODE_OPTIONS: onceUp('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000)') }
    const server = await lab.serve([{ tools: [bash('touch up; sleep 3')] }, OK])
    const run = await lab.cli(['x'], { server, policy: ALLOW, env }).ended()
    const isSaid = run.result().warnings.some((message) => message.includes('was paused for'))
    return `${run.code} ${run.result().exit_reason}, ${isSaid ? 'a warning says so' : 'NOT SAID'}`
  },

  async '158b'(lab) {
    const fill = onceUp('const all = []; for (;;) all.push(new Array(1e5).fill(1.5))')
    const env = { NODE_OPTIONS: `--max-old-space-size=40 ${fill}` }
    const server = await lab.serve([{ tools: [bash('touch up; sleep 60')] }])
    const run = await lab.cli(['x'], { server, policy: ALLOW, env }).ended()
    const { problems } = await verifyTranscript(run.transcript)
    const isWhole = problems.every(({ reason }) => /end record is missing|has no result/.test(reason))
    const next = { server: await lab.serve([OK]), policy: ALLOW, after: run }
    const again = await lab.cli(['--resume', run.transcript], next).ended()
    const end = run.code === null || run.code === 134 ? 'ended by SIGABRT' : `exit ${run.code}`
    return `${end}, ${isWhole ? 'a record as far as it went' : problems[0]?.reason}, resumed: ${again.code} ${again.result().exit_reason}`
  },

  async '158'(lab) {
    const server = await lab.serve([{ tools: [bash('touch up; sleep 60')] }])
    const env = { NODE_OPTIONS: onceUp('throw new Error("boom")') }
    const run = await lab.cli(['x'], { server, policy: ALLOW, env }).ended()
    const isShown = /boom[\s\S]*at /.test(run.stderr)
    return `${run.code} ${run.result().exit_reason}, ${isShown ? 'the stack on stderr' : 'no stack'}`
  },
}

type Mark = { readonly cpu: number; readonly rss: number }

/** Time and memory of a turn, early and late, with a conversation that compaction keeps at one size. */
function turns(count: number): Play {
  return async (lab) => {
    const marks: Mark[] = []
    let asked = 0
    const policy = `${ALLOW}run: { contextWindow: 20000, maxTurns: 10000, maxToolCalls: 10000, maxBudgetUsd: 1000, timeout: 3h }\n`
    const started: { pid?: number | undefined } = {}
    const server = await lab.serve((request) => {
      if (JSON.stringify(request.body.system).includes('summarize the work'))
        return { turn: { say: 'So far so good.' } }
      if (marks.length * (count / 10) <= asked++) marks.push(readMark(started.pid))
      const usage = { input_tokens: Math.ceil(request.text.length / 4), output_tokens: 10 }
      // The same call again and again would end the run.
      const input = { file_path: 'start.txt', offset: (asked % 40) + 1 }
      return { turn: asked > count ? OK : { tools: [{ name: 'Read', input }], usage } }
    })
    const files = { 'start.txt': 'a line of text\n'.repeat(40) }
    const run = lab.cli(['read on'], { server, policy, files })
    started.pid = run.child.pid
    const ended = await run.ended()
    const [, from, to] = marks
    const [before, last] = marks.slice(-2)
    if (from === undefined || to === undefined || before === undefined || last === undefined) return 'not enough turns'
    const time = (last.cpu - before.cpu) / (to.cpu - from.cpu)
    // The heap takes its size in the first third.
    const memory = last.rss / (marks[Math.floor(marks.length / 2)] ?? to).rss
    const isFlat = time <= 1.1 && memory <= 1.5
    return `${ended.result().exit_reason}, ${isFlat ? FLAT : `time ${time.toFixed(2)}, memory ${memory.toFixed(2)}`}`
  }
}

/** Processor time in ticks and memory in kB, so far: proc(5). */
function readMark(pid: number | undefined): Mark {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return { cpu: Number(fields[11]) + Number(fields[12]), rss: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) }
}
