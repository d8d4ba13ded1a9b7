import { getEventListeners } from 'node:events'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { RunError } from '../../../src/contracts/errors.ts'
import type { RunEvent } from '../../../src/contracts/events.ts'
import { NO_USAGE } from '../../../src/contracts/messages.ts'
import { createPairing } from '../../../src/report/transcript/pairing.ts'
import { verifyTranscript } from '../../../src/report/transcript/verifyTranscript.ts'
import { closeCalls } from '../../../src/run/record/recordRun.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { buildEvents } from '../../helpers/runs/events.ts'
import { recordFiles } from '../../helpers/runs/recordFiles.ts'
import { NO_REFS, recordLab, warn } from '../../helpers/runs/recordLab.ts'
import { listOf, table } from '../../helpers/table.ts'

const failing = (error: unknown) =>
  async function* () {
    yield warn('one')
    throw error
  }
/** Events of which the second must not be asked for, and whether that was said to them. */
function stopped() {
  let isReturned = false
  async function* events(): AsyncGenerator<RunEvent, never, undefined> {
    try {
      yield warn('one')
      throw new Error('it went on')
    } finally {
      isReturned = true
    }
  }
  return { events, isReturned: () => isReturned }
}
const kinds = (records: readonly { readonly type: string; readonly subtype?: string }[]) =>
  records.map(({ type, subtype }) => (type === 'system' ? subtype : type))

/** A lab whose disk may fail. */
function onDisk() {
  const folder = makeFolder()
  return { ...recordFiles(folder), ...recordLab({}, folder) }
}

describe('recordRun', () => {
  it('writes each event before it is given on: init first, result last, whatever happens', async () => {
    const { play, written, closed, transcript } = recordLab()
    const seen: number[] = []
    const { records, result } = await play(async function* () {
      seen.push(written().length)
      yield warn('one')
      seen.push(written().length)
      yield warn('two')
      throw new RunError('usage', 'it is over')
    })
    expect(seen).toEqual([1, 2])
    expect(kinds(records)).toEqual(['init', 'warning', 'warning', 'result'])
    expect(written()).toEqual(records)
    expect(result).toMatchObject({
      ...{ exit_reason: 'usage', detail: 'it is over', result: '', structured_output: null, changes: [], patch: null },
      ...{ patch_note: 'the run ended before its changes could be compared', session_id: 's', stop_reason: null },
      ...{ transcript_path: transcript.path, sandbox: 'enforced', network: { mode: 'none', state: 'off' } },
      ...{ duration_api_ms: 12, duration_ms: expect.any(Number) },
    })
    expect(records[0]).toMatchObject({
      ...{ mcp_servers: [{ name: 'a', status: 'connected' }], apiKeySource: 'none', env_dropped: ['A_TOKEN'] },
      ...{
        limits: { max_turns: 5, max_budget_usd: null, max_tokens_total: 2_000_000, max_tool_calls: 2, max_denials: 3 },
      },
      ...{ sandbox: { mode: 'auto', state: 'enforced', detail: 'd' }, effects: { state: 'watched', detail: 'v' } },
      ...{ base: null, policy: { files: [], sha256: 'p' }, process: { pid: process.pid } },
    })
    expect(closed.sort()).toEqual(['commands', 'git', 'hooks', 'sandbox', 'servers', 'transactions'])
    expect(await verifyTranscript(transcript.path)).toMatchObject({ isIntact: true })
  })

  it('a run that ends by itself has one end, with its cost by the prices of the policy', async () => {
    const { session, play, written, closed } = recordLab()
    const pricing = { 'claude-sonnet-5-5': { input: 0, output: 1_000_000 } }
    Object.assign(session, { policy: { ...session.policy, settings: { ...session.policy.settings, pricing } } })
    const answer = buildEvents()
    answer.say([{ type: 'text', text: 'all is well' }])
    const { records, result } = await play(async function* () {
      yield* answer.events
      expect(closed).toEqual([])
      return { reason: 'completed', detail: 'Done.', result: 'all is well' }
    })
    expect(kinds(records)).toEqual(['init', 'assistant', 'integrity', 'result'])
    expect(written()).toEqual(records)
    expect(result).toMatchObject({ exit_reason: 'completed', result: 'all is well', num_turns: 1 })
    expect(result?.total_cost_usd).toBeGreaterThanOrEqual(answer.events.length)
    expect(new Set(closed)).toEqual(
      new Set(['commands', 'git', 'hooks', 'sandbox', 'servers', 'session', 'transactions']),
    )
  })

  it.each<[string, RunEvent]>([
    [
      'a call',
      {
        ...{ type: 'system', subtype: 'effects', parent_tool_use_id: null, tool_use_id: 't', tool_name: 'Bash' },
        ...{ state: 'enforced', kept: [], scratch: {}, left_out: [], undone: [], unknown: 'the disk is full' },
      },
    ],
    [
      'a program that outlived its call',
      { type: 'system', subtype: 'warning', code: 'changes_unknown', message: 'src/a stays.' },
    ],
  ])('is not green where it is unknown what %s left', async (_, event) => {
    const { play } = recordLab()
    const { result } = await play(async function* () {
      yield event
      return { reason: 'completed', detail: 'Done.', result: 'all is well' }
    })
    expect(result).toMatchObject({ exit_reason: 'changes_unknown', exit_code: 74 })
    expect(result?.detail).toMatch(/the disk is full\.|src\/a stays\./)
  })

  it.each([
    ['ends by itself', { reason: 'completed', detail: '', result: '' } as const],
    ['fails', undefined],
  ])('a run that %s writes nothing after its end, and leaves no listener at its signals', async (_, end) => {
    const { play, written, ended } = recordLab()
    const now = new AbortController()
    await play(
      async function* () {
        yield warn('one')
        if (end === undefined) throw new Error('it failed')
        return end
      },
      { now: now.signal, onRecord: ({ type }) => type === 'result' && now.abort(new Error('too late')) },
    )
    expect(kinds(written()).filter((kind) => kind === 'result')).toHaveLength(1)
    expect([now.signal, ended.signal].map((signal) => getEventListeners(signal, 'abort').length)).toEqual([0, 0])
  })

  it('told to end, it waits less than three seconds for what hangs, and says what it does not know', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const isolated = { settled: () => new Promise(() => undefined) }
    const account = { report: () => new Promise(() => undefined) }
    const effects = { look: async () => [] }
    const close = async () => undefined
    const { play, ended, closed } = recordLab({ isolated, transactions: { account, effects, close, refs: NO_REFS } })
    ended.abort(new RunError('deadline', 'The time is over.'))
    const playing = play(async function* () {
      expect(closed).toEqual(['commands', 'servers'])
      yield warn('one')
      return { reason: 'completed', detail: 'Done.', result: 'all is well' }
    })
    await vi.advanceTimersByTimeAsync(2_999)
    expect((await playing).result).toMatchObject({
      ...{ exit_reason: 'deadline', detail: 'The time is over.', result: 'all is well', patch: null, changes: [] },
      patch_note: 'there was no time left to compare the work tree',
    })
  })

  it('a defect is internal, without servers too, and says how long the run took', async () => {
    const { play } = recordLab({ servers: undefined, startedAt: performance.now() - 1e9 })
    const { result } = await play(failing(new TypeError('a defect')))
    expect(result).toMatchObject({ exit_reason: 'internal', detail: 'a defect' })
    expect(result?.duration_ms).toBeGreaterThanOrEqual(1e9)
  })

  it('a run that was told to end says why, though its work fails in another way', async () => {
    const { play, ended, closed } = recordLab()
    const { result } = await play(async function* () {
      yield warn('one')
      ended.abort(new RunError('deadline', 'The time is over.'))
      expect(closed).toEqual(['commands', 'servers'])
      throw new Error('cut')
    })
    expect(result).toMatchObject({ exit_reason: 'deadline', detail: 'cut' })
    const before = recordLab()
    before.ended.abort(new RunError('deadline', 'The time is over.'))
    expect((await before.play(failing(new RunError('usage', 'cut')))).result?.exit_reason).toBe('deadline')
  })

  it('a full disk ends the work, and the end still has its place', async () => {
    const { play, fail } = onDisk()
    fail('t.jsonl', ['well', 'full'])
    const { events, isReturned } = stopped()
    const { records } = await play(events)
    expect([kinds(records), isReturned()]).toEqual([['init', 'result'], true])
  })

  it.each(table`
    the end has its place                                             | well, full | init, result | cannot be written
    it is what a person must know, also of a run that was told to end | well, full | init, result | .
    the result is told even where not even that can be written        | well, full, full, full | init | ENOSPC
    of two failures the first is told | well, torn, full, full | init | bytes were written \\(disk full\\?\\)
    an end that cannot be written is one, whatever it was             | well, well, full, full | init, warning | ENOSPC
  `)('on a full disk, %s', async (what = '', writes = '', left = '', detail = '') => {
    const { play, fail, written, ended } = onDisk()
    if (what.endsWith('told to end')) ended.abort(new RunError('deadline', 'The time is over.'))
    fail('t.jsonl', listOf(writes) as Parameters<typeof fail>[1])
    const { records, result } = await play(failing(new RunError('usage', 'it is over')))
    const kept = kinds(written()).filter((kind) => kind !== undefined)
    expect([kinds(records).at(-1), kept]).toEqual(['result', listOf(left)])
    expect(result).toMatchObject({
      ...{ exit_reason: 'io_error', exit_code: 74, is_error: true, subtype: 'error_during_execution' },
      detail: expect.stringMatching(detail),
    })
  })

  it('without any time left, the end is written at once and nothing follows it', async () => {
    const { play, written, ended } = recordLab()
    const now = new AbortController()
    const { records, result } = await play(
      async function* () {
        yield warn('one')
        // The process ends with the code of the signal, also where the time was over before.
        ended.abort(new RunError('deadline', 'The time is over.'))
        now.abort(new RunError('sigint', 'A second signal.'))
        expect(kinds(written())).toEqual(['init', 'warning', 'result'])
        yield warn('too late')
        throw new Error('it went on')
      },
      { now: now.signal },
    )
    expect(written()[2]).toMatchObject({ exit_reason: 'sigint', detail: 'A second signal.' })
    expect(kinds(written()).slice(0, 3)).toEqual(['init', 'warning', 'result'])
    expect(written().some(({ message }) => message === 'too late')).toBe(false)
    expect([kinds(records).includes('result'), result?.detail]).toEqual([true, 'The run has ended.'])
  })

  it('events that are not read to the end leave an end too', async () => {
    const { play, written, closed } = recordLab()
    const { events, isReturned } = stopped()
    await play(events, { most: 2 })
    expect(kinds(written())).toEqual(['init', 'warning', 'result'])
    expect(written()[2]).toMatchObject({
      ...{ exit_reason: 'aborted', detail: 'The events of the run were not read to the end.' },
    })
    expect([isReturned(), closed.length]).toEqual([true, 6])
  })
})

const discarded = { type: 'system', subtype: 'turn_discarded', early: [], parent_tool_use_id: null }

/** `main>a b` asks in the main loop, `a<b` tells a result to that of the call `a`, `x` discards the last answer. */
function eventsOf(script: string): readonly RunEvent[] {
  const answer = { id: 'x', type: 'message', role: 'assistant', model: 'm', stop_reason: 'tool_use', usage: NO_USAGE }
  return (script === '' ? [] : script.split(' / ')).map((step): RunEvent => {
    const [, owner, sign, ids = ''] = /^(\w+)([<>])(.*)$/.exec(step) ?? []
    const parent_tool_use_id = owner === 'main' ? null : owner
    const uses = ids.split(' ').map((id) => ({ type: 'tool_use', id, name: 'Bash', input: {} }))
    const results = ids.split(' ').map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'done' }))
    if (sign === '>')
      return { type: 'assistant', message: { ...answer, content: uses }, parent_tool_use_id } as RunEvent
    if (sign === '<')
      return { type: 'user', message: { role: 'user', content: results }, parent_tool_use_id } as RunEvent
    return discarded as unknown as RunEvent
  })
}

it.each([
  ['nothing', '', ''],
  ['a call with its result', 'main>a / main<a', ''],
  ['some of a message', 'main>a b c / main<a', 'main b c'],
  ['the inner loop first', 'main>a / a>b c', 'a b c, main a'],
  ['not what was discarded', 'main>a / a>b / x', 'a b'],
])('closes %s', (_what, script, expected) => {
  const pairing = createPairing()
  for (const event of eventsOf(script)) expect(pairing.add(event)).toEqual([])
  const closed = closeCalls(pairing.asked())
  const ids = closed.map(({ message, parent_tool_use_id }) => {
    const all = message.content.flatMap((block) => (block.type === 'tool_result' ? block.tool_use_id : []))
    return [parent_tool_use_id ?? 'main', ...all].join(' ')
  })
  expect(ids.join(', ')).toBe(expected)
  expect(
    closed.flatMap(({ tool_use_result = [] }) => tool_use_result).every(({ outcome }) => outcome === 'aborted'),
  ).toBe(true)
  for (const event of closed) expect(pairing.add(event)).toEqual([])
  expect(pairing.open()).toEqual([])
})
