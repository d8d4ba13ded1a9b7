import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ResultEvent, RunEvent, TranscriptRecord } from '../../../src/contracts/events.ts'
import { createRedactor } from '../../../src/lib/secrets/redact.ts'
import { loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import type { LoopEnd } from '../../../src/query.ts'
import { openTranscript } from '../../../src/report/transcript/transcript.ts'
import { recordRun } from '../../../src/run/record/recordRun.ts'
import type { Session } from '../../../src/run/Session.ts'
import { makeFolder } from '../makeFolder.ts'

const policy = await loadPolicy({ cwd: '/', home: '/root', flags: { allow: ['Read', 'Edit(src/**)'], deny: [] } })

export const warn = (message: string): RunEvent => ({ type: 'system', subtype: 'warning', code: 'c', message })

/** No branch or tag moved. */
export const NO_REFS = { changes: async () => [] }

/** Something of the session is other than usual. */
type Changes = { readonly [Key in keyof Session]?: unknown }

export type PlayOptions = {
  /** Aborts when there is no time left at all. */
  readonly now?: AbortSignal
  /** Reads no more records than these. */
  readonly most?: number
  onRecord?(record: TranscriptRecord): void
}

/** A session as far as its records and its end need one: nothing changed, nothing is left running. */
export function recordLab(changes: Changes = {}, folder = makeFolder()) {
  const ended = new AbortController()
  const redactor = createRedactor({ secrets: [] })
  const transcript = openTranscript({ place: { path: join(folder, 't.jsonl') }, run: 'r', sessionId: 's', redactor })
  onTestFinished(() => transcript.close())
  const closed: string[] = []
  const close = (name: string) => async () => void closed.push(name)
  const network = { mode: 'none', state: 'off', more: 1 }
  const children = {
    commands: { listBackground: () => [], closeAll: close('commands'), leftovers: () => [] },
    hookCommands: { closeAll: close('hooks') },
    gitCommands: { closeAll: close('git') },
    dropped: ['A_TOKEN'],
    integrity: {
      report: (): RunEvent => ({
        ...{ type: 'system', subtype: 'integrity', unaccounted_files: [], command_files_touched: [] },
        ...{ processes_left: 0, sandbox: 'enforced', network: { mode: 'none', state: 'off' } },
      }),
    },
    sandbox: {
      ...{ mode: 'auto', state: 'enforced', detail: 'd', views: { state: 'watched', detail: 'v' } },
      ...{ network, close: close('sandbox') },
    },
  }
  const limits = { turns: 5, budgetUsd: 1, toolCalls: 2, denials: 3, timeoutMs: 4 }
  const session = {
    ...{ transcript, redactor, sessionId: 's', signal: ended.signal, startedAt: performance.now() },
    ...{ prompt: 'do it', commands: [], agents: [], skills: [], plugins: [], pool: [], resumed: undefined },
    origin: undefined,
    ...{ hooks: undefined, pending: [], close: close('session'), policy: { ...policy, files: [], sha256: 'p' } },
    config: { cwd: folder, model: 'm', fallbackModels: [], replay: 'x', audit: false, limits },
    place: { mode: 'default', cwd: folder, policy },
    model: { host: null },
    limits: { totals: () => ({ apiMs: 12.4 }) },
    checkout: { commit: null },
    isolated: { settled: async () => undefined },
    outputs: { finish: () => undefined },
    servers: { states: () => [{ name: 'a', status: 'connected', more: 1 }], down: () => [], close: close('servers') },
    transactions: {
      close: close('transactions'),
      refs: NO_REFS,
      effects: { look: async () => [] },
      account: { report: async () => ({ patch: null, changes: [], note: null, unaccounted: [] }) },
    },
    children,
    ...changes,
  } as unknown as Session
  const play = async (
    work: () => AsyncGenerator<RunEvent, LoopEnd, undefined>,
    { now, most = 100, onRecord }: PlayOptions = {},
  ): Promise<{ records: TranscriptRecord[]; result: ResultEvent | undefined }> => {
    const records: TranscriptRecord[] = []
    const steps = recordRun(session, { work: work(), sent: undefined, now })
    let step = await steps.next()
    while (step.done !== true) {
      records.push(step.value)
      onRecord?.(step.value)
      step = records.length < most ? await steps.next() : await steps.return(undefined as never)
    }
    return { records, result: step.value }
  }
  const written = () =>
    readFileSync(transcript.path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  return { folder, transcript, closed, session, children, play, written, ended }
}
