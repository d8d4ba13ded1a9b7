import { existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExitReason } from '../../../src/contracts/errors.ts'
import { once } from '../../../src/lib/memoize.ts'
import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import { findProgram } from '../../../src/sandbox/environment/childPath.ts'
import type { RecordedRequest, Step } from '../model/messagesServer.ts'
import { call, serveTurns } from '../model/serveTurns.ts'
import { type CliFolders, type CliOptions, type CliRun, runCli } from './cliRun.ts'
import { stablePath } from './kodeRun.ts'
import { lessUsual } from './lessUsual.ts'
import { FINISH } from './playRun.ts'
import { stableWords } from './stableWords.ts'
import { viewOutput, viewRecords } from './viewRecords.ts'
import { viewRequests } from './viewRequests.ts'

/** A run, as a person would tell it. */
export type GoldenRun = Pick<CliOptions, 'files' | 'env' | 'stdin' | 'caller' | 'prepare' | 'hasKey' | 'hasSummary'> & {
  readonly args?: readonly string[]
  readonly prompt?: string
  /** Without one there is no `--policy`. Its sandbox is off, so that a run is the same everywhere. */
  readonly policy?: Readonly<Record<string, unknown>>
  /** What the model answers, one a request; then it calls Finish. A function answers what comes in no order. */
  readonly answers?: readonly (Turn | Step)[] | ((request: RecordedRequest) => Turn | Step)
  /** Files of the project, or beside it, that are shown at the end. `RUN` in their names is the run's id. */
  readonly shows?: readonly string[]
  /** What becomes of the record of the run before. */
  readonly edit?: (record: string) => string
  /** True: what is the same in a plain run is shown too. */
  readonly isWhole?: boolean
  /** How the last of them ends, if not with 0. A changed file could be nodded away, an exit code not. */
  readonly ends?: ExitReason
  /** Runs that come after it in the same project. `RECORD` in their arguments is the record of the run before. */
  readonly next?: readonly GoldenRun[]
}

/** The run that all others are compared with. */
const PLAIN: GoldenRun = {
  policy: { permissions: { allow: ['Read', 'Bash', 'Edit(b)'] } },
  files: { 'a.txt': 'hello\n' },
  answers: [call('Read', { file_path: 'a.txt' }), call('Bash', { command: 'echo hi > b' })],
}

let plain: string | undefined

/** What such a run was, what its model was sent, and what it left, with words that are the same on each machine. */
export async function viewGoldenRun(row: GoldenRun): Promise<{ readonly view: string; readonly code: number | null }> {
  plain ??= (await playOne(PLAIN, undefined)).view
  let code: number | null = null
  const parts: string[] = []
  let before: CliFolders | undefined
  for (const each of [row, ...(row.next ?? [])]) {
    const { view, run } = await playOne(each, before)
    parts.push(row.isWhole === true ? view : lessUsual(view, plain))
    before = run
    code = run.code
  }
  return { view: parts.join('\n'), code }
}

/** What these runs start. Without a sandbox a run looks at each file on its PATH, and a machine has thousands. */
const programs = once(() => {
  const folder = mkdtempSync(join(tmpdir(), 'programs-'))
  const basic = 'base64 bash cat chmod echo env false git grep head kill ls mkdir mktemp node od printf pwd'
  for (const name of `${basic} rm sed sh sleep tee test touch tr true`.split(' ')) {
    const file = findProgram(name, stablePath)
    if (file !== undefined) symlinkSync(file, join(folder, name))
  }
  return folder
})

async function playOne(row: GoldenRun, before: CliFolders | undefined) {
  const { answers = [], args = [], prompt = 'do it', policy, shows = [], edit, ends: _, isWhole: __, ...options } = row
  if (before !== undefined && edit !== undefined)
    writeFileSync(before.transcript, edit(readFileSync(before.transcript, 'utf8')))
  const server = await serveTurns(
    (request) => (typeof answers === 'function' ? answers(request) : answers[request.index]) ?? FINISH,
  )
  const summaryBefore = before === undefined ? '' : readIfThere(before.summary)
  const words = [...args, ...(prompt === '' ? [] : [prompt])]
  const run = await runCli(
    words.map((word) => (word === 'RECORD' ? (before?.transcript ?? '') : word)),
    {
      ...options,
      env: { PATH: programs(), ...options.env },
      server,
      ...(policy && { policy: JSON.stringify({ version: 1, sandbox: { mode: 'off' }, ...policy }, null, 2) }),
      ...(before && { after: before }),
    },
  )
  const sections = [
    [`$ kode-run ${words.map(quoted).join(' ')}`, setUp(row)],
    ...viewRequests(server.requests),
    ['records', viewRecords(run.records)],
    ['stdout', viewOutput(run.stdout)],
    ['stderr', run.stderr],
    ['summary', shortSummary(run, summaryBefore)],
    ...shows.map((path) => [path, readFileSync(join(run.project, path.replace('RUN', idOf(run))), 'utf8')] as const),
    [`exit code ${run.code}`, ''],
  ]
  const text = sections
    .filter(([title = '', body = '']) => body.trim() !== '' || /^(?:\$|exit|request)/.test(title))
    .map(([title = '', body = '']) => `━━ ${title}\n${body.trimEnd()}`.trimEnd())
    .join('\n\n')
  return { run, view: `${stableWords(text, run)}\n` }
}

const quoted = (word: string) => (/^[\w./:=@,-]+$/.test(word) ? word : `'${word}'`)

function setUp({ policy, files = {}, env = {}, stdin }: GoldenRun): string {
  return [
    ...Object.entries(policy ?? {}).map(([key, value]) => `policy ${key}: ${JSON.stringify(value)}`),
    ...Object.entries(files).map(([path, text]) => `file ${path}: ${JSON.stringify(text)}`),
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
    ...(stdin === undefined ? [] : [`stdin: ${JSON.stringify(stdin)}`]),
  ].join('\n')
}

/** What the run added, without what every summary has: costs, the list of calls, and its last line. */
function shortSummary({ summary }: CliRun, before: string): string {
  return readIfThere(summary)
    .slice(before.length)
    .replace(/### Cost\n\n(?:\|.*\n)+\n?/, '')
    .replace(/<details><summary>\d+ tool calls?<\/summary>[\s\S]*?<\/details>\n\n?/, '')
    .replace(/<sub>.*<\/sub>\n/, '')
}

const idOf = ({ records }: CliRun) => records[0]?.run ?? ''
const readIfThere = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '')
