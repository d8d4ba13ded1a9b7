import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TranscriptRecord } from '../../src/contracts/events.ts'
import { readTranscript } from '../../src/report/transcript/readTranscript.ts'
import { verifyTranscript } from '../../src/report/transcript/verifyTranscript.ts'
import type { StepFor } from '../helpers/model/messagesServer.ts'
import type { Lab } from './openLab.ts'
import { pointsIn } from './pointsIn.ts'
import type { Play } from './readMatrix.ts'

const POLICY = 'version: 1\npermissions: { allow: [Bash, "Edit(./**)"] }\nsandbox: { mode: off }\n'

/** How many calls the scenario has, and at which of the system calls it is killed. */
export type KillOptions = {
  readonly calls: number
  readonly every: number
  /** True: bodies too large for a record, a lock, and a kill at what moves, links and syncs any file, not the record alone. */
  readonly withBodies?: boolean
}

const ON_RECORD = 'write,fdatasync,fsync,ftruncate'
const ANYWHERE = '?rename,?renameat,?renameat2,?link,?linkat,?unlink,?unlinkat,fsync,fdatasync,ftruncate'
const EXPECTED = '0 acknowledged records lost, 0 calls run twice, every resume completed'

/**
 * A run that writes a log line by line is killed at each of these system calls of its main thread, then gone on with. Judged
 * against a run that was not killed: by the files of the project, by what had been acknowledged, by the resume's end and record.
 */
export function killPoints(options: KillOptions): Play {
  const { every } = options
  return async (lab) => {
    const trace = join(lab.folder(), 'trace')
    const { run } = await playThrough(lab, options, ['-o', trace])
    const whole = filesIn(run.project)
    const points = pointsIn(readFileSync(trace, 'utf8')).filter((_, index) => index % every === 0)
    const faults: string[] = []
    for (const point of points) {
      const seen = await killAt(lab, point, { options, whole })
      if (seen !== 'good') faults.push(`${point}: ${seen}`)
    }
    const kinds = new Set(points.map((point) => point.split(':')[0]))
    if (run.code !== 0 || kinds.size < 2) return `no good trace: exit ${run.code}, ${points.length} points`
    return faults.length === 0 ? EXPECTED : `${faults.length} of ${points.length}: ${faults.slice(0, 5).join('; ')}`
  }
}

function filesIn(project: string): string {
  const files = readdirSync(project).toSorted()
  return files.map((name) => `${name}\n${readFileSync(join(project, name), 'utf8')}`).join('\n')
}

/** One run under strace, with a server of its own. */
async function playThrough(lab: Lab, { calls, withBodies = false }: KillOptions, strace: readonly string[]) {
  const server = await lab.serve(writer(calls, withBodies))
  const files = withBodies ? [] : ['-P', 'TRANSCRIPT']
  const through = ['strace', ...files, '-e', `trace=${withBodies ? ANYWHERE : ON_RECORD}`, ...strace]
  const args = ['write the log', '--output-format', 'stream-json', '--max-turns', '200', ...lockOf(withBodies)]
  return { server, run: await lab.cli(args, { server, policy: POLICY, through }).ended() }
}

function lockOf(withBodies = false): string[] {
  return withBodies ? ['--lock', 'log'] : []
}

type Judged = { readonly options: KillOptions; readonly whole: string }

async function killAt(lab: Lab, point: string, { options, whole }: Judged): Promise<string> {
  const [name, when] = point.split(':')
  const inject = ['-o', '/dev/null', '-e', `inject=${name}:signal=SIGKILL:when=${when}`]
  const { server, run } = await playThrough(lab, options, inject)
  const isNothing = run.stdout === '' && server.requests.length === 0
  if (!existsSync(run.transcript)) return isNothing ? 'good' : 'no record of what was done'
  const lost = lostRecords(run.stdout, await goodRecords(run.transcript))
  if (lost > 0) return `${lost} acknowledged records lost`
  const again = await lab
    .cli(['--resume', run.transcript, 'go on', '--max-turns', '300', ...lockOf(options.withBodies)], {
      ...{ server, policy: POLICY, after: run },
    })
    .ended()
  if (again.code === 65 && isNothing) return 'good'
  if (again.code !== 0) return `resume ended with ${again.code}: ${again.stderr.slice(-300)}`
  const { isIntact, problems } = await verifyTranscript(again.transcript)
  if (!isIntact) return `the record of the resume: ${problems[0]?.reason}`
  const seen = filesIn(run.project)
  return seen === whole ? 'good' : `the files are ${JSON.stringify(seen)}`
}

/** What the file holds, up to its first damage. */
async function goodRecords(path: string): Promise<Set<number>> {
  const seqs = new Set<number>()
  for await (const item of readTranscript(path)) if (item.kind === 'record') seqs.add(item.record.seq)
  return seqs
}

/** Records that were shown on stdout, whole lines only, and are not in the file. */
function lostRecords(stdout: string, kept: ReadonlySet<number>): number {
  const shown = stdout.split('\n').slice(0, -1)
  return shown.filter((line) => !kept.has((JSON.parse(line) as TranscriptRecord).seq)).length
}

type Block = {
  readonly type: string
  readonly id?: string
  readonly tool_use_id?: string
  readonly is_error?: boolean
} & {
  readonly input?: { readonly command?: string }
  readonly content?: unknown
}

/** A model that appends the numbers in order. Where it does not know how a call ended, it looks before it goes on. */
function writer(calls: number, withBodies: boolean): StepFor {
  return ({ body }) => {
    const commands = new Map<string, string>()
    let count = 0
    let isUnsure = false
    for (const block of body.messages.flatMap((message: { content: Block[] }) => message.content) as Block[]) {
      if (block.type === 'tool_use') commands.set(block.id ?? '', block.input?.command ?? '')
      if (block.type !== 'tool_result') continue
      const command = commands.get(block.tool_use_id ?? '') ?? ''
      const text = String(block.content)
      const number = /^echo (\d+)/.exec(command)?.[1]
      if (number === undefined) {
        count = text.split('\n').filter((line) => /^\d+$/.test(line.trim())).length
        isUnsure = text.includes('Interrupted')
      } else if (block.is_error !== true) count = Number(number)
      else if (text.includes('outcome unknown')) isUnsure = true
    }
    if (isUnsure) return { turn: { tools: [{ name: 'Bash', input: { command: 'touch log.txt; cat log.txt' } }] } }
    if (count >= calls) return { turn: { say: 'done' } }
    const more = withBodies ? `; seq ${count} 20000` : ''
    return { turn: { tools: [{ name: 'Bash', input: { command: `echo ${count + 1} >> log.txt${more}` } }] } }
  }
}
