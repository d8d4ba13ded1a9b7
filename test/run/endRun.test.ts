import { describe, expect, it } from 'vitest'
import { RunError } from '../../src/contracts/errors.ts'
import type { IntegrityEvent, ResultEvent, RunEvent } from '../../src/contracts/events.ts'
import { forEachEvent } from '../../src/lib/async/mergeGenerators.ts'
import type { LoopEnd } from '../../src/query.ts'
import type { AskedCall } from '../../src/report/fold/askedCalls.ts'
import { createTotals } from '../../src/report/fold/totals.ts'
import { endRun } from '../../src/run/endRun.ts'
import { NO_REFS, recordLab, warn } from '../helpers/runs/recordLab.ts'

const DONE: LoopEnd = { reason: 'completed', detail: 'Done.', result: 'all is well' }
const CHANGE = { path: 'src/a', status: 'modified', added: 1, removed: 0 } as const

type Lab = ReturnType<typeof recordLab>
type Options = {
  readonly end?: LoopEnd
  readonly asked?: readonly AskedCall[]
  /** What is not known about the changes of calls. */
  readonly unknown?: readonly string[]
  /** There is no time left. */
  readonly isCut?: boolean
  /** The process stood still. */
  readonly stood?: RunEvent
}

/** Ends a run of this lab; its events and its result. */
async function ending({ session }: Lab, { end = DONE, asked = [], unknown = [], isCut = false, stood }: Options = {}) {
  const events: RunEvent[] = []
  const cutoff = isCut ? AbortSignal.abort() : new AbortController().signal
  const totals = createTotals(() => null)
  const standstill = { report: () => stood, stop: () => undefined }
  const known = { totals: totals.totals, asked: () => asked, unknown: () => unknown, cutoff, standstill }
  const result: ResultEvent = await forEachEvent(endRun(session, end, known), (event) => events.push(event))
  return { events, result }
}

/** What the account of a run says. */
const reporting = (report: () => Promise<unknown>) => ({
  transactions: { refs: NO_REFS, effects: { look: async () => [] }, account: { report } },
})

/** A lab whose children left this. */
function labWith(integrity: Partial<IntegrityEvent>) {
  const lab = recordLab()
  const report = lab.children.integrity.report
  Object.assign(lab.children.integrity, { report: () => ({ ...report(), ...integrity }) })
  return lab
}

describe('the end of a run', () => {
  it('is known in full: the changes, the patch, the last words, how long it took', async () => {
    const report = { patch: 'p', changes: [CHANGE], note: 'a note', unaccounted: [] }
    const taken: unknown[] = []
    const lab = recordLab({
      ...{ startedAt: performance.now() - 1e9, checkout: { commit: 'f00' } },
      ...reporting(async () => report),
      outputs: { finish: (...told: unknown[]) => void taken.push(told) },
    })
    const { result, events } = await ending(lab, { end: { ...DONE, output: { a: 1 }, stopReason: 'end_turn' } })
    expect(result).toMatchObject({
      exit_reason: 'completed',
      exit_code: 0,
      detail: 'Done.',
      result: 'all is well',
      structured_output: { a: 1 },
      ...{ changes: [CHANGE], patch: 'p', patch_note: 'a note', stop_reason: 'end_turn', duration_api_ms: 12 },
      ...{ session_id: 's', transcript_path: lab.transcript.path, sandbox: 'enforced' },
      network: { mode: 'none', state: 'off' },
    })
    expect(result.duration_ms).toBeGreaterThanOrEqual(1e9)
    expect(result).not.toHaveProperty('suggested')
    expect(taken).toEqual([[report, 'f00']])
    expect(events.map((event) => 'subtype' in event && event.subtype)).toEqual(['integrity'])
    expect(lab.closed).toEqual(['commands', 'hooks', 'servers', 'git', 'session'])
  })

  it.each([
    ['completed', 'changes_unknown', 74],
    ['task_failed', 'task_failed', 1],
  ] as const)('%s is %s where changes are not known', async (reason, exit_reason, exit_code) => {
    const end = { ...DONE, reason }
    const half = await ending(recordLab(), { end, unknown: ['It is not known what Bash left.'] })
    expect(half.result).toMatchObject({ exit_reason, exit_code })
    const report = { patch: null, changes: [], note: null, unaccounted: [], problem: 'the disk is full' }
    const lab = recordLab(reporting(async () => report))
    expect((await ending(lab, { end })).result).toMatchObject({ exit_reason, exit_code })
    if (reason === 'completed') {
      expect(half.result.detail).toBe('It is not known what Bash left. Done.')
    }
  })

  it('without last words says so by null', async () => {
    expect((await ending(recordLab({ servers: undefined }))).result).toMatchObject({
      ...{ structured_output: null, stop_reason: null },
    })
  })

  it('asks SessionEnd hooks first, and tells them why', async () => {
    const told: unknown[] = []
    const lab = recordLab({
      hooks: {
        sessionEnd: async (reason: string, signal: AbortSignal) =>
          void told.push(reason, signal.aborted, [...lab.closed]),
        settle: async () => undefined,
      },
    })
    await ending(lab)
    expect(told).toEqual(['completed', false, []])
  })

  it('gives hooks of a run that was told to end no time where none is left', async () => {
    const told: unknown[] = []
    const ended = AbortSignal.abort(new RunError('deadline', 'The time is over.'))
    const lab = recordLab({
      signal: ended,
      hooks: {
        sessionEnd: async (_: string, signal: AbortSignal) => void told.push(signal === ended, signal.aborted),
        settle: async (ms: number) => void told.push(ms),
      },
    })
    await ending(lab, { isCut: true })
    expect(told).toEqual([false, true, 0])
  })

  it('tells what waited to be told and whether it stood still, before its result', async () => {
    const { events } = await ending(recordLab({ pending: [warn('late')] }), { stood: warn('stood') })
    expect(events.filter((event) => 'code' in event)).toEqual([warn('late'), warn('stood')])
  })

  it('names all processes that a command left, and counts those that still run', async () => {
    const lab = recordLab()
    const left = [
      { pid: 1, command: 'a', killed: true },
      { pid: 2, command: 'b', killed: false },
      { pid: 3, command: 'c', killed: false },
    ]
    const told: unknown[] = []
    const report = lab.children.integrity.report
    Object.assign(lab.children.commands, { leftovers: () => left })
    const noted = (effects: unknown) => {
      told.push(effects)
      return report()
    }
    Object.assign(lab.children.integrity, { report: noted })
    const { events } = await ending(lab)
    expect(events).toContainEqual({ type: 'system', subtype: 'process_leaked', count: 3, processes: left })
    expect(told).toMatchObject([{ processesLeft: 2 }])
  })
})

describe('a run that had no time left to compare', () => {
  it('is not completed: it says why it was ended', async () => {
    const lab = recordLab({
      signal: AbortSignal.abort(new RunError('deadline', 'The time is over.')),
      isolated: { settled: () => new Promise(() => undefined) },
      ...reporting(() => new Promise(() => undefined)),
    })
    expect((await ending(lab, { isCut: true })).result).toMatchObject({
      ...{ exit_reason: 'deadline', detail: 'The time is over.', changes: [], patch: null },
      patch_note: 'there was no time left to compare the work tree',
    })
    const failed = { ...DONE, reason: 'max_turns', detail: 'Too many.' } as const
    expect((await ending(lab, { isCut: true, end: failed })).result).toMatchObject({
      ...{ exit_reason: 'max_turns', detail: 'Too many.' },
    })
  })
})

describe('a run that left what no call explains', () => {
  it('is blocked, with each file', async () => {
    const lab = labWith({ unaccounted_files: ['/p/a', '/p/b'] })
    expect((await ending(lab)).result).toMatchObject({
      ...{ exit_reason: 'blocked', detail: 'Files changed, but no call of the run changed them: /p/a, /p/b. Done.' },
    })
    const silent = { ...DONE, detail: '' }
    expect((await ending(lab, { end: silent })).result.detail).toMatch(/\/p\/b\.$/)
    const failed = { ...DONE, reason: 'max_turns', detail: 'Too many.' } as const
    expect((await ending(lab, { end: failed })).result).toMatchObject({ exit_reason: 'max_turns', detail: 'Too many.' })
  })

  it('tampered, where it wrote to the files of its runner, however it ended', async () => {
    const lab = labWith({ unaccounted_files: ['/p/a'], command_files_touched: ['/r/env', '/r/path'] })
    const failed = { ...DONE, reason: 'max_turns', detail: 'Too many.' } as const
    expect((await ending(lab, { end: failed })).result).toMatchObject({
      exit_reason: 'tampering',
      detail: "The runner's command files were changed during the run: /r/env, /r/path. Too many.",
    })
  })
})

describe('the rules that would have helped', () => {
  const call = (words: AskedCall['words'], changed: AskedCall['changed'] = []): AskedCall => ({
    ...{ tool: 'Bash', input: { command: 'npm test' }, words, changed },
  })

  it('are those for calls that were denied, or whose changes were not kept', async () => {
    expect((await ending(recordLab(), { asked: [call('denied')] })).result.suggested?.rules).toMatchObject([
      { rule: 'Bash(npm test)' },
    ])
    const kept = [{ path: 'a.txt', isKept: true }]
    expect((await ending(recordLab(), { asked: [call('allowed', kept)] })).result).not.toHaveProperty('suggested')
    const undone = [...kept, { path: 'b.txt', isKept: false }]
    expect((await ending(recordLab(), { asked: [call('allowed', undone)] })).result.suggested).toBeDefined()
  })

  it('are those for all calls of an audit', async () => {
    const lab = recordLab()
    Object.assign(lab.session.config, { audit: true })
    expect((await ending(lab, { asked: [call('allowed')] })).result.suggested?.rules).toHaveLength(1)
  })
})
