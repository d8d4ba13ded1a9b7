import { EventEmitter, once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { verifyTranscript } from '../../src/report/transcript/verifyTranscript.ts'
import { leftProcesses, removeAll } from '../effects/corpus/playEffectRow.ts'
import { startMessagesServer } from '../helpers/model/messagesServer.ts'
import { createRandom } from '../helpers/oracle/random.ts'
import { CLI_TEST_KEY, type CliFolders, type CliRun, startCli } from '../helpers/runs/cliRun.ts'
import { bash, FINISH } from '../helpers/runs/playRun.ts'

const STUB = readFileSync(join(import.meta.dirname, '../helpers/stubMcp.mjs'), 'utf8')

/** Tools, a background command, a server, a sub-agent; each message of the two conversations is one turn. */
const TURNS = [
  { tools: [bash('echo one >> src/log; sleep 0.2'), { name: 'Read', input: { file_path: 'src/a' } }] },
  { tools: [bash('while :; do echo tick; sleep 0.1; done', { run_in_background: true })] },
  { tools: [{ name: 'mcp__stub__echo', input: { text: 'x' } }, bash('sleep 0.3; echo two >> src/log')] },
  { tools: [{ name: 'ToolSearch', input: { query: 'select:Agent' } }] },
  { tools: [{ name: 'Agent', input: { description: 'look', prompt: 'look', subagent_type: 'general-purpose' } }] },
  { tools: [bash('sleep 0.2; echo agent >> src/log')] },
  { say: 'looked' },
  { tools: [{ name: 'Edit', input: { file_path: 'src/a', old_string: 'a', new_string: 'b' } }] },
  { tools: [{ name: 'KillShell', input: { shell_id: 'bash_1' } }] },
]

export type KillReport = {
  readonly kills: number
  /** How the transcripts of the killed runs were found. */
  readonly found: Readonly<Record<string, number>>
  readonly faults: readonly string[]
}

export type KillRunsOptions = {
  readonly count: number
  readonly seed: number
  readonly sandbox: 'required' | 'off'
  readonly onKill?: (text: string) => void
}

/**
 * Kills runs of the real command line at random instants, verifies what they left, and goes on with each: the transcript
 * is intact as far as it goes, the resume comes to its end, and afterwards no process and no temporary folder is left.
 */
export async function killRuns({ count, seed, sandbox, onKill }: KillRunsOptions): Promise<KillReport> {
  const whole = await playOnce(sandbox, undefined)
  const random = createRandom(seed)
  const lengths = partsOf(whole)
  const found: Record<string, number> = {}
  const faults: string[] = []
  for (let kill = 0; kill < count; kill++) {
    const requests = random.below(lengths.length)
    const instant = { requests, after: random.below(lengths[requests] ?? 1) }
    const shown = `${instant.after} ms after request ${requests}`
    const { state, problems } = await playOnce(sandbox, instant)
    found[state] = (found[state] ?? 0) + 1
    faults.push(...problems.map((problem) => `${shown}: ${problem}`))
    onKill?.(`${kill + 1}, ${shown}: ${state}${problems.length === 0 ? '' : ` FAULT ${problems.join('; ')}`}`)
  }
  return { kills: count, found, faults }
}

/** When a run is killed: so many milliseconds after so many requests, so that a busy machine does not move the kills to the start. */
type Instant = { readonly requests: number; readonly after: number }

/** How long each part of a run took: to the first request, from each request to the next, and from the last to the end. */
function partsOf({ requestTimes, milliseconds }: { requestTimes: readonly number[]; milliseconds: number }): number[] {
  const ends = [...requestTimes, milliseconds]
  return ends.map((end, index) => Math.max(1, Math.round(end - (ends[index - 1] ?? 0))))
}

async function playOnce(sandbox: KillRunsOptions['sandbox'], instant: Instant | undefined) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'kode-kill-')))
  const tmp = join(base, 'tmp')
  mkdirSync(tmp)
  const started = performance.now()
  const requestTimes: number[] = []
  const arrivals = new EventEmitter()
  const server = await startMessagesServer(
    ({ index }) => {
      requestTimes.push(performance.now() - started)
      arrivals.emit(String(index + 1))
      return { turn: TURNS[index] ?? FINISH }
    },
    { canaries: [CLI_TEST_KEY] },
  )
  try {
    const run = startCli(['do it'], {
      server,
      policy: policyOf(sandbox),
      files: { 'src/a': 'a\n', 'stub.mjs': STUB },
      env: { TMPDIR: tmp },
    })
    if (instant !== undefined) {
      const arrived = instant.requests === 0 ? Promise.resolve() : once(arrivals, String(instant.requests))
      await Promise.race([arrived.then(() => wait(instant.after)), run.ended()])
      run.child.kill('SIGKILL')
    }
    const first = await run.ended()
    const milliseconds = performance.now() - started
    if (instant === undefined && first.code !== 0)
      throw new Error(`the whole run ends with ${first.code}: ${first.stderr}`)
    const state = await stateOf(first)
    const problems = state.startsWith('bad') ? [state] : await resumeProblems(first, sandbox, tmp)
    removeAll(run.base)
    return { milliseconds, requestTimes, state, problems }
  } finally {
    await server.close()
    removeAll(base)
  }
}

function policyOf(sandbox: KillRunsOptions['sandbox']): string {
  return JSON.stringify({
    version: 1,
    permissions: { allow: ['Bash', 'Read', 'Edit(src/**)', 'Agent', 'mcp__stub__echo'] },
    sandbox: { mode: sandbox },
    mcpServers: { stub: { command: 'node', args: ['stub.mjs'] } },
    checks: { commands: ['true'] },
    run: { backgroundWait: '1s' },
  })
}

async function stateOf({ transcript, code }: CliRun): Promise<string> {
  const text = readIfThere(transcript)
  if (text === undefined || text === '') return 'before the first record'
  if (code !== null) return 'after the end'
  const { problems, records } = await verifyTranscript(transcript)
  const bad = problems.filter(({ reason, line }) => !isOfAKill(reason, line, records))
  return bad.length > 0 ? `bad transcript: ${bad[0]?.reason}` : 'unfinished'
}

/** What a kill does to a transcript: no end, a torn last line, calls without results. */
function isOfAKill(reason: string, line: number, records: number): boolean {
  return /end record is missing|without a result|has no result|no decision/.test(reason) || line > records
}

async function resumeProblems(run: CliRun, sandbox: KillRunsOptions['sandbox'], tmp: string): Promise<string[]> {
  const resumed = await again(
    run,
    sandbox,
    tmp,
    readIfThere(run.transcript) === undefined ? [] : ['--resume', run.transcript],
  )
  const left = leftProcesses(run.base)
  const { problems } = await verifyTranscript(resumed.transcript)
  return [
    ...(resumed.code === 0 ? [] : [`the next run ends with ${resumed.code}: ${resumed.stderr.slice(-300)}`]),
    ...problems.map(({ reason }) => `the record of the next run: ${reason}`),
    ...twice(run.project).map((line) => `ran twice: ${line}`),
    ...(left.length === 0 ? [] : [`processes are left: ${left.join(', ')}`]),
    ...strays(run, tmp).map((name) => `is left: ${name}`),
  ]
}

async function again(after: CliFolders, sandbox: KillRunsOptions['sandbox'], tmp: string, args: readonly string[]) {
  const server = await startMessagesServer(() => ({ turn: FINISH }), { canaries: [CLI_TEST_KEY] })
  try {
    return await startCli([...args, 'go on'], {
      server,
      after,
      policy: policyOf(sandbox),
      env: { TMPDIR: tmp },
    }).ended()
  } finally {
    await server.close()
  }
}

/** What calls wrote more than once; each of them writes a line of its own. */
function twice(project: string): string[] {
  const lines = (readIfThere(join(project, 'src/log')) ?? '').split('\n').filter((line) => line !== '')
  return [...new Set(lines.filter((line, index) => lines.indexOf(line) !== index))]
}

/** Temporary folders and views that nobody will come back to. */
function strays({ base, project }: CliFolders, tmp: string): string[] {
  const names = [...readdirSync(tmp), ...readdirSync(base), ...readdirSync(project)]
  return names.filter((name) => name.startsWith('kode-run-') || name.startsWith('.kode-run-view-'))
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
