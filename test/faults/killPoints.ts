import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TranscriptRecord } from '../../src/contracts/events.ts'
import { readTranscript } from '../../src/report/readTranscript.ts'
import type { StepFor } from '../helpers/messagesServer.ts'
import type { FaultRow } from './FaultRow.ts'
import { straceProblem } from './machine.ts'
import type { Lab } from './openLab.ts'

const POLICY = 'version: 1\npermissions: { allow: [Bash] }\nsandbox: { mode: off }\n'

/** How many calls the scenario has, and at which of all system calls on the record it is killed. */
export type KillOptions = { readonly row: string; readonly calls: number; readonly every: number }

/**
 * A run that writes a log line by line is killed at each write and sync of its record, then gone on with. Judged by the log's
 * bytes, by what had been acknowledged, and by the resume's end.
 */
export function killPoints({ row, calls, every }: KillOptions): FaultRow {
  return {
    row,
    group: 'C',
    injected: `SIGKILL at ${every === 1 ? 'every' : `every ${every}th`} write and sync of a run with ${calls} calls`,
    expected: '0 acknowledged records lost, 0 calls run twice, every resume completed',
    skip: straceProblem,
    async play(lab) {
      const faults: string[] = []
      for (let point = 1; ; point += every) {
        const seen = await killAt(lab, point, calls)
        if (seen === 'not reached') return faults.length === 0 ? EXPECTED : faults.slice(0, 5).join('; ')
        if (seen !== 'good') faults.push(`at ${point}: ${seen}`)
      }
    },
  }
}

const EXPECTED = '0 acknowledged records lost, 0 calls run twice, every resume completed'

async function killAt(lab: Lab, point: number, calls: number): Promise<string> {
  const server = await lab.serve(writer(calls))
  const inject = `inject=write,fdatasync,fsync,ftruncate:signal=SIGKILL:when=${point}`
  const through = [
    'strace',
    '-o',
    '/dev/null',
    '-P',
    'TRANSCRIPT',
    '-e',
    'trace=write,fdatasync,fsync,ftruncate',
    '-e',
    inject,
  ]
  const args = ['write the log', '--output-format', 'stream-json', '--max-turns', '200']
  const run = await lab.cli(args, { server, policy: POLICY, through }).ended()
  if (run.code === 0) return 'not reached'
  const lost = lostRecords(run.stdout, await goodRecords(run.transcript))
  if (lost > 0) return `${lost} acknowledged records lost`
  const again = await lab
    .cli(['--resume', run.transcript, '--max-turns', '300'], { server, policy: POLICY, after: run })
    .ended()
  if (again.code === 65 && run.stdout === '') return 'good'
  if (again.code !== 0) return `resume ended with ${again.code}: ${again.stderr.slice(-300)}`
  const log = readFileSync(join(run.project, 'log.txt'), 'utf8')
  const whole = Array.from({ length: calls }, (_, index) => `${index + 1}\n`).join('')
  return log === whole ? 'good' : `the log is ${JSON.stringify(log)}`
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
function writer(calls: number): StepFor {
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
    return { turn: { tools: [{ name: 'Bash', input: { command: `echo ${count + 1} >> log.txt` } }] } }
  }
}
