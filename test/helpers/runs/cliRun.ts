import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, type Writable } from 'node:stream'
import { TestRunner } from 'vitest'
import type { ResultEvent, TranscriptRecord } from '../../../src/contracts/events.ts'
import { main } from '../../../src/entry/main.ts'
import { type Files, writeFiles } from '../effects/makeFiles.ts'
import type { MessagesServer } from '../model/messagesServer.ts'
import { isNight } from '../sampled.ts'
import { openTestIo } from '../testIo.ts'
import { stablePath } from './kodeRun.ts'

/** A key that looks like one and opens nothing. */
export const CLI_TEST_KEY = 'sk-ant-test-0123456789abcdefghij'

export type CliOptions = {
  /** Files of the project, by path. */
  readonly files?: Files
  /** The policy, or its text; without one there is no `--policy`. */
  readonly policy?: string | object
  readonly server?: Pick<MessagesServer, 'url'>
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** The program that started this one, in JSON lines: what it says on stdin to each message on stdout; null ends stdin. */
  readonly caller?: Caller
  /** True: stdin is a pipe that is never written to and never closed. */
  readonly keepStdinOpen?: boolean
  /** Runs in the project before the start. */
  readonly prepare?: (project: string) => void
  /** A command, as words, that starts the command line given after it; `TRANSCRIPT` stands for the record's path. */
  readonly through?: readonly string[]
  /** Runs where another run was, with a transcript of its own. */
  readonly after?: CliFolders | undefined
  /** Takes what removes the folders; the end of the test by default. */
  readonly onEnd?: (remove: () => void) => void
  /** False: no summary is asked for. */
  readonly hasSummary?: boolean
  /** False: no key in the environment. */
  readonly hasKey?: boolean
  /** Another build of the command line. */
  readonly cli?: string
  /** True: what is tested is the process itself, or what other processes see of it. */
  readonly isProcess?: boolean
}

export type Caller = (message: Readonly<Record<string, unknown>>) => readonly object[] | null

export type CliFolders = {
  readonly base: string
  readonly project: string
  readonly home: string
  readonly transcript: string
  readonly summary: string
}

/** A finished run of the built command line. */
export type CliRun = CliFolders & {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly records: readonly TranscriptRecord[]
  /** The last record; throws where the transcript has no end. */
  result(): ResultEvent
  /** Those of the last record, but the one that any run on a busy machine may have. */
  warnings(): string[]
  /** The texts of all tool results, in order. */
  toolResults(): string[]
}

/** A run that goes on while the test looks. */
export type StartedCli = CliFolders & {
  readonly child: ChildProcess
  /** Settles when stderr or stdout has shown the text. */
  saw(text: string): Promise<void>
  ended(): Promise<CliRun>
}

/** Starts the built command line in a new project folder. */
export function startCli(args: readonly string[], options: CliOptions = {}): StartedCli {
  const folders = makeFolders(options)
  const through = (options.through ?? []).map((word) => (word === 'TRANSCRIPT' ? folders.transcript : word))
  const [command = '', ...words] = [...through, process.execPath]
  // A mutant is in this process alone: what another one does says nothing about it.
  if (process.env['KODE_RUN_MUTATION_TESTS'] !== undefined) TestRunner.getCurrentTest()?.context.skip()
  const cli = options.cli ?? join(import.meta.dirname, '../../../dist/cli.js')
  const child = spawn(command, [...words, cli, ...wordsOf(folders, args, options)], {
    ...{ cwd: folders.project, env: environment(folders, options), stdio: ['pipe', 'pipe', 'pipe'] },
  })
  child.stdin.on('error', () => undefined)
  const hear = openStdin(child.stdin, options)
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8')
    child[name].on('data', (text: string) => {
      output[name] += text
      if (name === 'stdout') hear(text)
    })
  }
  return {
    ...folders,
    child,
    async saw(text) {
      while (!output.stderr.includes(text) && !output.stdout.includes(text)) {
        if (child.exitCode !== null) throw new Error(`ended without ${JSON.stringify(text)}:\n${output.stderr}`)
        const seen = new AbortController()
        const options = { signal: seen.signal }
        await Promise.race([
          once(child.stderr, 'data', options),
          once(child.stdout, 'data', options),
          once(child, 'exit', options),
        ])
        seen.abort()
      }
    },
    async ended() {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
      return finished(folders, child.exitCode, output)
    },
  }
}

/**
 * Runs the command line to its end. At night, and where the process itself is what is tested, that is the built one in a process
 * of its own. Otherwise it runs in this process, from the source: Node need not start and load it each time.
 */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  return isProcess(options) ? startCli(args, options).ended() : runHere(args, options)
}

/** Writes what is known at the start. Returns who gets what is printed. */
function openStdin(stdin: Writable, { stdin: first = '', caller, keepStdinOpen }: CliOptions): (text: string) => void {
  if (caller === undefined) {
    if (keepStdinOpen !== true) stdin.end(first)
    return () => undefined
  }
  stdin.write(first)
  let rest = ''
  return (text) => {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    for (const said of lines.map((line) => caller(JSON.parse(line)))) {
      if (said === null) stdin.end()
      else stdin.write(said.map((message) => `${JSON.stringify(message)}\n`).join(''))
    }
  }
}

/** Variables that act on the process: Node and its libraries read them. */
const OF_THE_PROCESS = /^(?:NODE_|TMPDIR$|TMP$|TEMP$|SSL_CERT_|TZ$|LC_|LANG$)/

function isProcess({ isProcess = false, keepStdinOpen = false, through, cli, env = {} }: CliOptions): boolean {
  if (isNight || isProcess || keepStdinOpen) return true
  return through !== undefined || cli !== undefined || Object.keys(env).some((name) => OF_THE_PROCESS.test(name))
}

async function runHere(args: readonly string[], options: CliOptions): Promise<CliRun> {
  const folders = makeFolders(options)
  const stdin = new PassThrough()
  const env = environment(folders, options)
  const { io, said } = openTestIo(wordsOf(folders, args, options), {
    ...{ environment: env, cwd: folders.project, home: env['HOME'] ?? folders.project },
    ...{ readStdin: async () => options.stdin ?? '', stdin: () => stdin, hear: openStdin(stdin, options) },
  })
  return finished(folders, await main(io), said)
}

function wordsOf(folders: CliFolders, args: readonly string[], { policy, hasSummary }: CliOptions): string[] {
  return [
    ...['--cwd', folders.project],
    ...(args.includes('--summary') || hasSummary === false ? [] : ['--summary', folders.summary]),
    ...(args.includes('--transcript') ? [] : ['--transcript', folders.transcript]),
    ...(policy === undefined ? [] : ['--policy', join(folders.base, 'policy.yml')]),
    ...args,
  ]
}

function makeFolders({ files = {}, policy, prepare, after, onEnd }: CliOptions): CliFolders {
  const text = typeof policy === 'object' ? JSON.stringify({ version: 1, ...policy }) : policy
  if (after !== undefined) {
    if (text !== undefined) placePolicy(join(after.base, 'policy.yml'), text)
    const { base, project, home, summary } = after
    return { base, project, home, summary, transcript: join(base, `${randomUUID()}.jsonl`) }
  }
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-cli-')))
  onEnd?.(() => rmSync(base, { recursive: true, force: true }))
  const folders = { base, project: join(base, 'project'), home: join(base, 'home') }
  mkdirSync(folders.project)
  mkdirSync(folders.home)
  if (text !== undefined) writeFileSync(join(base, 'policy.yml'), text)
  writeFiles(folders.project, files)
  prepare?.(folders.project)
  return { ...folders, transcript: join(base, 'run.jsonl'), summary: join(base, 'summary.md') }
}

/** Another run may be reading the file: it is never seen half written. */
function placePolicy(file: string, text: string): void {
  const temporary = `${file}.${randomUUID()}`
  writeFileSync(temporary, text)
  renameSync(temporary, file)
}

function environment(folders: CliFolders, { server, env, hasKey = true }: CliOptions): Record<string, string> {
  return {
    PATH: stablePath,
    HOME: folders.home,
    ...(hasKey ? { ANTHROPIC_API_KEY: CLI_TEST_KEY } : {}),
    ...(server === undefined ? {} : { ANTHROPIC_BASE_URL: server.url }),
    ...env,
  }
}

function finished(folders: CliFolders, code: number | null, output: { stdout: string; stderr: string }): CliRun {
  const text = existsSync(folders.transcript) ? readFileSync(folders.transcript, 'utf8') : ''
  // A kill may tear the last line.
  const records = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line): TranscriptRecord => JSON.parse(line))
  const result = () => {
    const last = records.at(-1)
    if (last?.type !== 'result') throw new Error(`no end record; stderr:\n${output.stderr}`)
    return last
  }
  return {
    ...folders,
    ...output,
    ...{ code, records, result },
    warnings: () => result().warnings.filter((text) => !text.startsWith('The process was paused for ')),
    toolResults: () =>
      records.flatMap((record) =>
        record.type === 'user'
          ? record.message.content.flatMap((block) =>
              block.type === 'tool_result'
                ? [typeof block.content === 'string' ? block.content : JSON.stringify(block.content)]
                : [],
            )
          : [],
      ),
  }
}
