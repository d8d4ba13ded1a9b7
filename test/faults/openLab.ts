import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FlagValues } from '../../src/config/parseArguments.ts'
import { resolveConfig } from '../../src/config/resolveConfig.ts'
import type { ResultEvent, TranscriptRecord } from '../../src/contracts/events.ts'
import type { RunSettings } from '../../src/contracts/settings.ts'
import { type ClientOptions, createAnthropicClient } from '../../src/model/createAnthropicClient.ts'
import type { Turn } from '../../src/model/replay/renderTurn.ts'
import { loadPolicy } from '../../src/policy/load/loadPolicy.ts'
import { run } from '../../src/run/run.ts'
import { type Files, writeFiles } from '../helpers/effects/makeFiles.ts'
import {
  type MessagesServer,
  type MessagesServerOptions,
  type Step,
  type StepFor,
  startMessagesServer,
} from '../helpers/model/messagesServer.ts'
import { toStep } from '../helpers/model/serveTurns.ts'
import { CLI_TEST_KEY, type CliOptions, type StartedCli, startCli } from '../helpers/runs/cliRun.ts'

export type LabServer = MessagesServer

/** A place to play one fault in; everything it made is gone after `close`. */
export type Lab = {
  serve(steps: readonly (Step | Turn)[] | StepFor, options?: MessagesServerOptions): Promise<LabServer>
  /** The built command line, as a process. */
  cli(args: readonly string[], options: CliOptions): StartedCli
  /** A whole run in this process, with clocks that are scaled down. */
  run(server: Pick<LabServer, 'url'>, options?: LabRunOptions): Promise<LabRun>
  /** A new folder. */
  folder(): string
  onClose(action: () => unknown): void
  close(): Promise<void>
}

export type LabRunOptions = {
  readonly policy?: string
  readonly flags?: FlagValues
  readonly files?: Files
  readonly model?: Partial<ClientOptions>
  readonly settings?: RunSettings
}

export type LabRun = {
  readonly result: ResultEvent
  readonly records: readonly TranscriptRecord[]
  readonly project: string
  readonly transcript: string
}

const READ_ONLY =
  'version: 1\npermissions: { presets: [read-only], allow: ["Bash(touch *)", "Edit(/made)"] }\nsandbox: { mode: off }\n'
/** For rows where the server is silent. The others keep the real limits, which no busy machine reaches. */
export const SOON_SILENT = { connectMs: 5_000, firstByteMs: 2_000, idleMs: 2_000, pingOnlyMs: 6_000 }

/** Opens a lab. Servers check every request; a request that the API would refuse fails the row at `close`. */
export function openLab(): Lab {
  const actions: (() => unknown)[] = []
  const onClose = (action: () => unknown): void => void actions.push(action)
  const folder = (): string => {
    const path = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-fault-')))
    onClose(() => rmSync(path, { recursive: true, force: true }))
    return path
  }
  return {
    folder,
    onClose,
    async serve(steps, options) {
      const server = await startMessagesServer(typeof steps === 'function' ? steps : steps.map(toStep), options)
      onClose(() => server.close())
      return server
    },
    cli: (args, options) => startCli(args, { ...options, onEnd: onClose }),
    run: (server, options = {}) => runHere(server, folder(), options),
    async close() {
      const ends = await Promise.allSettled(actions.toReversed().map(async (action) => action()))
      const failure = ends.find((end) => end.status === 'rejected')
      if (failure !== undefined) throw failure.reason
    },
  }
}

async function runHere(server: Pick<LabServer, 'url'>, base: string, options: LabRunOptions): Promise<LabRun> {
  const project = join(base, 'project')
  writeFiles(base, { 'project/': '' })
  writeFiles(project, options.files ?? {})
  const file = join(base, 'policy.yml')
  writeFileSync(file, options.policy ?? READ_ONLY)
  const policy = await loadPolicy({ file, cwd: project, home: base })
  const transcript = join(base, 'run.jsonl')
  const flags = { transcript, ...options.flags }
  const config = resolveConfig(flags, {}, { ...policy.settings.run, ...options.settings }, project)
  const model = createAnthropicClient({
    ...{ apiKey: CLI_TEST_KEY, baseURL: server.url, waitScale: 0.01, fallbackModels: config.fallbackModels },
    maxRetryWaitMs: config.maxRetryWaitMs,
    ...options.model,
  })
  const records: TranscriptRecord[] = []
  const events = run({
    ...{ prompt: 'do it', config, policy },
    environment: { PATH: process.env['PATH'] },
    home: base,
    stateFolder: join(base, 'state'),
    ...{ apiKey: CLI_TEST_KEY, commandFiles: [], model, signal: new AbortController().signal },
  })
  let item = await events.next()
  while (item.done !== true) {
    records.push(item.value)
    item = await events.next()
  }
  return { result: item.value, records, project, transcript }
}

/** How a run ended and what it took, in words. */
export function ending({ result, records }: LabRun, server: Pick<LabServer, 'requests'>): string {
  const counts = ['api_retry', 'api_stall', 'turn_discarded', 'model_fallback', 'compact_boundary'].flatMap(
    (subtype) => {
      const { length } = ofSubtype(records, subtype)
      return length === 0 ? [] : [`${length} ${subtype}`]
    },
  )
  const { length } = server.requests
  return [
    `${result.exit_code} ${result.exit_reason}`,
    `${length} ${length === 1 ? 'request' : 'requests'}`,
    ...counts,
  ].join(', ')
}

/** The same so many times. */
export const times = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item)

/** The records of one kind. */
export function ofSubtype(records: readonly TranscriptRecord[], subtype: string): TranscriptRecord[] {
  return records.filter((record) => 'subtype' in record && record.subtype === subtype)
}
