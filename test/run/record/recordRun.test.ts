import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { RunError } from '../../../src/contracts/errors.ts'
import type { ResultEvent, RunEvent, TranscriptRecord } from '../../../src/contracts/events.ts'
import { createRedactor } from '../../../src/lib/secrets/redact.ts'
import type { Loop } from '../../../src/query/Loop.ts'
import { openTranscript } from '../../../src/report/transcript/transcript.ts'
import { verifyTranscript } from '../../../src/report/transcript/verifyTranscript.ts'
import { hashFrame } from '../../../src/run/record/hashFrame.ts'
import { openOutputs, outputsNote } from '../../../src/run/record/openOutputs.ts'
import { recordRun } from '../../../src/run/record/recordRun.ts'
import type { Session } from '../../../src/run/Session.ts'
import { recordFiles } from '../../helpers/runs/recordFiles.ts'

const newFolder = () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'record-run-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
const warn = (message: string): RunEvent => ({ type: 'system', subtype: 'warning', code: 'c', message })
const failing = (error: unknown) =>
  async function* () {
    yield warn('one')
    throw error
  }

/** A run of these events, as far as its records need one. */
function lab(folder = newFolder(), ended = new AbortController()) {
  const redactor = createRedactor({ secrets: [] })
  const transcript = openTranscript({ place: { path: join(folder, 't.jsonl') }, run: 'r', sessionId: 's', redactor })
  onTestFinished(() => transcript.close())
  const closed: string[] = []
  const close = (name: string) => async () => void closed.push(name)
  const session = {
    ...{ transcript, redactor, sessionId: 's', signal: ended.signal, startedAt: performance.now() },
    ...{ prompt: 'do it', commands: [], agents: [], skills: [], pool: [], resumed: undefined, origin: undefined },
    policy: { files: [], sha256: 'p', settings: { pricing: {} } },
    config: {
      cwd: '/',
      model: 'm',
      replay: 'x',
      limits: { turns: 5, budgetUsd: 1, toolCalls: 2, denials: 3, timeoutMs: 4 },
    },
    place: { mode: 'default' },
    model: { host: null },
    limits: { totals: () => ({ apiMs: 12.4 }) },
    checkout: { commit: null },
    servers: { states: () => [{ name: 'a', status: 'connected', more: 1 }], close: close('servers') },
    transactions: { close: close('transactions') },
    children: {
      commands: { closeAll: close('commands') },
      hookCommands: { closeAll: close('hooks') },
      gitCommands: { closeAll: close('git') },
      dropped: ['A_TOKEN'],
      sandbox: {
        ...{ mode: 'auto', state: 'enforced', detail: 'd', views: { state: 'watched', detail: 'v' } },
        ...{ network: { mode: 'none', state: 'off', more: 1 }, close: close('sandbox') },
      },
    },
  } as unknown as Session
  const play = async (
    work: () => AsyncGenerator<RunEvent, never, undefined>,
    now?: AbortSignal,
    most = 100,
  ): Promise<{ records: TranscriptRecord[]; result: ResultEvent | undefined }> => {
    const records: TranscriptRecord[] = []
    const steps = recordRun(session, { work: work(), sent: undefined, now })
    let step = await steps.next()
    while (step.done !== true) {
      records.push(step.value)
      step = records.length < most ? await steps.next() : await steps.return(undefined as never)
    }
    return { records, result: step.value }
  }
  const written = () =>
    readFileSync(transcript.path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  return { folder, transcript, closed, play, written, ended }
}
const kinds = (records: readonly { readonly type: string; readonly subtype?: string }[]) =>
  records.map(({ type, subtype }) => (type === 'system' ? subtype : type))

describe('recordRun', () => {
  it('writes each event before it is given on: init first, result last, whatever happens', async () => {
    const { play, written, closed, transcript } = lab()
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
      ...{ limits: { max_turns: 5, max_budget_usd: 1, max_tokens_total: null, max_tool_calls: 2, max_denials: 3 } },
      ...{ sandbox: { mode: 'auto', state: 'enforced', detail: 'd' }, effects: { state: 'watched', detail: 'v' } },
      ...{ base: null, policy: { files: [], sha256: 'p' }, process: { pid: process.pid } },
    })
    expect(closed.sort()).toEqual(['commands', 'git', 'hooks', 'sandbox', 'servers', 'transactions'])
    expect(await verifyTranscript(transcript.path)).toMatchObject({ isIntact: true })
  })

  it('a defect is internal', async () => {
    const { result } = await lab().play(failing(new TypeError('a defect')))
    expect(result).toMatchObject({ exit_reason: 'internal', detail: 'a defect' })
  })

  it('a run that was told to end says why, though its work fails in another way', async () => {
    const { play, ended, closed } = lab()
    const { result } = await play(async function* () {
      yield warn('one')
      ended.abort(new RunError('deadline', 'The time is over.'))
      expect(closed).toEqual(['commands', 'servers'])
      throw new Error('cut')
    })
    expect(result).toMatchObject({ exit_reason: 'deadline', detail: 'cut' })
    const before = lab()
    before.ended.abort(new RunError('deadline', 'The time is over.'))
    expect((await before.play(failing(new Error('cut')))).result?.exit_reason).toBe('deadline')
  })

  it('a full disk ends the work, and the end still has its place', async () => {
    const folder = newFolder()
    const { fail } = recordFiles(folder)
    const { play, written } = lab(folder)
    let isReturned = false
    fail('t.jsonl', ['well', 'full'])
    const { records, result } = await play(async function* () {
      try {
        yield warn('one')
        throw new Error('it went on')
      } finally {
        isReturned = true
      }
    })
    expect([kinds(records), kinds(written()), isReturned]).toEqual([['init', 'result'], ['init', 'result'], true])
    expect(result).toMatchObject({ exit_reason: 'io_error', detail: expect.stringContaining('cannot be written') })
  })

  it('also where the run was told to end: the disk is what a person must know', async () => {
    const folder = newFolder()
    const { fail } = recordFiles(folder)
    const ended = new AbortController()
    ended.abort(new RunError('deadline', 'The time is over.'))
    fail('t.jsonl', ['well', 'full'])
    expect((await lab(folder, ended).play(failing(new Error('x')))).result?.exit_reason).toBe('io_error')
  })

  it('the result is told even where not even that can be written', async () => {
    const folder = newFolder()
    const { fail } = recordFiles(folder)
    const { play, written } = lab(folder)
    fail('t.jsonl', ['well', 'full', 'full', 'full'])
    const { records, result } = await play(failing(new Error('x')))
    expect([kinds(records), kinds(written())]).toEqual([['init', 'result'], ['init']])
    expect(result).toMatchObject({ exit_reason: 'io_error', detail: expect.stringContaining('ENOSPC') })
  })

  it('an end that cannot be written is an error of the disk, whatever it was', async () => {
    const folder = newFolder()
    const { fail } = recordFiles(folder)
    const { play } = lab(folder)
    fail('t.jsonl', ['well', 'well', 'full', 'full'])
    const { result } = await play(failing(new RunError('usage', 'it is over')))
    expect(result).toMatchObject({
      ...{ exit_reason: 'io_error', exit_code: 74, is_error: true, subtype: 'error_during_execution' },
      detail: expect.stringContaining('ENOSPC'),
    })
  })

  it('without any time left, the end is written at once and nothing follows it', async () => {
    const { play, written } = lab()
    const now = new AbortController()
    const { records, result } = await play(async function* () {
      yield warn('one')
      now.abort(new RunError('sigint', 'A second signal.'))
      expect(kinds(written())).toEqual(['init', 'warning', 'result'])
      yield warn('too late')
      throw new Error('it went on')
    }, now.signal)
    expect(written()[2]).toMatchObject({ exit_reason: 'sigint', detail: 'A second signal.' })
    expect(kinds(written()).slice(0, 3)).toEqual(['init', 'warning', 'result'])
    expect(written().some(({ message }) => message === 'too late')).toBe(false)
    expect([kinds(records).includes('result'), result?.detail]).toEqual([true, 'The run has ended.'])
  })

  it('events that are not read to the end leave an end too', async () => {
    const { play, written, closed } = lab()
    let isReturned = false
    await play(
      async function* () {
        try {
          yield warn('one')
          throw new Error('it went on')
        } finally {
          isReturned = true
        }
      },
      undefined,
      2,
    )
    expect(kinds(written())).toEqual(['init', 'warning', 'result'])
    expect(written()[2]).toMatchObject({
      ...{ exit_reason: 'internal', detail: 'The events of the run were not read to the end.' },
    })
    expect([isReturned, closed.length]).toEqual([true, 6])
  })
})

describe('hashFrame', () => {
  it('is of the bytes that each request has; nothing where they cannot be made', async () => {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    const loop = (frame: () => Promise<unknown>) => ({ frame }) as unknown as Loop
    expect(await hashFrame(loop(async () => ({ model: 'm', system: 'be kind', tools: [{ name: 'a' }] })))).toEqual({
      ...{ system_sha256: sha256('be kind'), tools_sha256: sha256('[{"name":"a"}]') },
    })
    expect(await hashFrame(loop(() => Promise.reject(new Error('no'))))).toBeUndefined()
  })
})

describe('proposed outputs', () => {
  const comment = (body: string) => ({ kind: 'comment', body }) as const
  const open = (file: string, settings: Parameters<typeof openOutputs>[0]['settings']) =>
    openOutputs({ file, settings, redactor: createRedactor({ secrets: [{ name: 'KEY', value: 'Zq7-Kp2_vN4xW9tR' }] }) })
  const lines = (file: string) =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))

  it('are written one by one, without secrets, for their owner alone; what the policy refuses is not', () => {
    const file = join(newFolder(), 'o.jsonl')
    const { propose, finish } = open(file, { comment: { max: 2 } })
    expect(propose({ kind: 'issue', title: 't', body: 'b' })).toContain('outputs.issue')
    expect(existsSync(file)).toBe(false)
    expect([propose(comment('one Zq7-Kp2_vN4xW9tR')), propose(comment('two'))]).toEqual([undefined, undefined])
    expect(propose(comment('three'))).toContain('max is 2')
    finish({ patch: 'p' }, 'b'.repeat(40))
    expect(lines(file)).toEqual([
      { v: 1, output: { kind: 'comment', body: 'one [REDACTED:KEY]' } },
      { v: 1, output: { kind: 'comment', body: 'two' } },
    ])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it.each([
    ['a pull request', { kind: 'pull_request', title: 't', body: 'b' }, 'a patch', 'b'.repeat(40), true],
    ['a patch', { kind: 'patch', title: 't' }, 'a patch', 'b'.repeat(40), true],
    ['a patch without changes', { kind: 'patch', title: 't' }, null, 'b'.repeat(40), false],
    ['a patch of no commit', { kind: 'patch', title: 't' }, 'a patch', null, false],
    ['a comment', { kind: 'comment', body: 'b' }, 'a patch', 'b'.repeat(40), false],
  ] as const)('%s: the changes follow', (_, output, patch, base, isFollowed) => {
    const file = join(newFolder(), 'o.jsonl')
    const { propose, finish } = open(file, { comment: { max: 1 }, pull_request: { max: 1 }, patch: { max: 1 } })
    propose(comment('first'))
    propose(output)
    finish({ patch }, base)
    const follows = lines(file).filter(({ kind }) => kind === 'diff')
    expect(follows).toEqual(isFollowed ? [{ v: 1, kind: 'diff', base, patch }] : [])
  })

  it('never into what is there already', () => {
    const folder = newFolder()
    symlinkSync('elsewhere', join(folder, 'o.jsonl'))
    const { propose } = open(join(folder, 'o.jsonl'), { comment: { max: 1 } })
    expect(() => propose(comment('x'))).toThrow(/^the outputs \S+o\.jsonl cannot be written: .*EEXIST/)
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false)
  })

  it('are told the agent', () => {
    expect(outputsNote({})).toBe('')
    expect(
      outputsNote({
        ...{ comment: { max: 2, target: '*' }, issue: { max: 1 }, review_comment: { max: 3, target: '7' } },
        ...{ label: { max: 1, allow: ['bug', 'ci/*'] }, pull_request: { max: 1, target: '*' } },
      } as never),
    ).toBe(
      [
        'You may propose these outputs with ProposeOutput; a later step applies them:',
        '- comment: at most 2, on any',
        '- issue: at most 1',
        '- review_comment: at most 3, on #7',
        '- label: at most 1, only bug, ci/*',
        '- pull_request: at most 1',
      ].join('\n'),
    )
  })
})
