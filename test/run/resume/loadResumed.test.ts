import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { RunError } from '../../../src/contracts/errors.ts'
import { type InitEvent, type RunEvent, warning } from '../../../src/contracts/events.ts'
import { ownIdentity } from '../../../src/lib/process/processIdentity.ts'
import { createRedactor } from '../../../src/lib/secrets/redact.ts'
import { openTranscript } from '../../../src/report/transcript/transcript.ts'
import type { RunRequest } from '../../../src/run/RunRequest.ts'
import { loadResumed, type Resumed } from '../../../src/run/resume/loadResumed.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { buildEvents, INIT, sampleRun } from '../../helpers/runs/events.ts'

const SHA = INIT.policy.sha256
/** A process that has ended: this machine started again since. */
const DEAD: InitEvent['process'] = { ...ownIdentity(), boot: 'an earlier one' }
const init = (changes: Partial<InitEvent> = {}): InitEvent => ({ ...INIT, ...changes })

type Asked = { prompt?: string; repair?: boolean; acceptPolicyChange?: boolean; sha256?: string }

/** A transcript of these events, and a resume of it. */
const record = (events: readonly RunEvent[], longestLine?: number) => recordIn(makeFolder(), 't', events, longestLine)

function recordIn(base: string, name: string, events: readonly RunEvent[], longestLine = 1_000_000) {
  const path = join(base, `${name}.jsonl`)
  const redactor = createRedactor({ secrets: [] })
  const run = `run-of-${base}-${name}`
  const transcript = openTranscript({ place: { path }, run, sessionId: 's', redactor, longestLine })
  for (const event of events) transcript.append(event)
  transcript.close()
  const lines = () => readFileSync(path, 'utf8').trimEnd().split('\n')
  const load = async (
    { sha256 = SHA, prompt = '', ...config }: Asked = {},
    from = path,
  ): Promise<Resumed | undefined> => {
    const request = { prompt, config, policy: { sha256, settings: { pricing: {} } }, stateFolder: join(base, 'state') }
    const resumed = await loadResumed(request as unknown as RunRequest, from)
    onTestFinished(() => resumed?.lock.release())
    return resumed
  }
  return { base, path, run, lines, put: (text: string) => writeFileSync(path, text), load }
}

/** Why it is not resumed. */
const refusal = (loading: Promise<unknown>) =>
  loading.then(
    () => 'resumed',
    (error: RunError) => `${error.reason}: ${error.message}`,
  )

function cutRun(first = init()): RunEvent[] {
  const builder = buildEvents()
  builder.push(first)
  const task = { role: 'user', content: [{ type: 'text', text: 'the task' }] } as const
  builder.push({ type: 'user', message: task, parent_tool_use_id: null })
  builder.call({ tool: 'Read', input: { file_path: 'a' }, result: 'x'.repeat(20_000) })
  builder.call({ tool: 'Bash', input: { command: 'make' } })
  // The last result was never written.
  return builder.events.slice(0, -1)
}

describe('a run that was killed', () => {
  it('goes on from its conversation; its last call is open', async () => {
    const made = record(cutRun())
    const resumed = await made.load()
    expect(resumed).toMatchObject({
      open: [{ id: 'toolu_2' }],
      prompt: INIT.prompt,
      ...{ patch: null, changes: [], base: 'f'.repeat(40), policySha256: SHA, warnings: [], ended: [] },
      event: {
        ...{ type: 'system', subtype: 'resumed', task: 'the task', denied: [] },
        from: { run: made.run, seq: made.lines().length, transcript: made.path, exit_reason: null },
        used: { turns: 2, tool_calls: 2, denials: 0 },
        interrupted: [{ tool_use_id: 'toolu_2', tool_name: 'Bash', is_read_only: false }],
      },
    })
    expect(resumed?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
    expect(resumed?.event.conversation).toBe(JSON.stringify(resumed?.messages))
  })

  it('has its bodies again, which lie beside the transcript', async () => {
    const made = record(cutRun(), 9_000)
    expect(made.lines().join()).not.toContain('x'.repeat(10_000))
    expect((await made.load())?.event.conversation).toContain('x'.repeat(20_000))
  })

  it('whose body is gone is damaged; with --repair a warning says so', async () => {
    const made = record(cutRun(), 9_000)
    rmSync(join(made.base, 'blobs'), { recursive: true })
    expect(await refusal(made.load())).toMatch(
      /^transcript_damaged: --resume \S+: line \d+: one of its bodies is missing: .*\. kode-run verify lists all problems; --repair continues with the intact part\.$/,
    )
    const resumed = await made.load({ repair: true })
    expect(resumed?.warnings).toEqual([
      expect.stringMatching(/^Resumed from a damaged transcript, line \d+: one of its bodies/),
    ])
  })

  it('whose last line is torn goes on without it, with a warning', async () => {
    const made = record(cutRun())
    made.put(`${made.lines().join('\n')}\n{"v":1,"ru`)
    const resumed = await made.load()
    expect(resumed?.warnings).toEqual([
      expect.stringContaining(`The last line of ${made.path} is incomplete and was left out: `),
    ])
    expect(resumed?.event.from.seq).toBe(made.lines().length - 1)
  })

  it('goes on without a word where an editor left a byte order mark and other line ends', async () => {
    const made = record(cutRun())
    made.put(`\ufeff${made.lines().join('\r\n')}\r\n`)
    expect((await made.load())?.warnings).toEqual([])
  })

  it('at a model without a price has no cost that is known', async () => {
    const mystery = (event: RunEvent): RunEvent =>
      event.type === 'assistant' ? { ...event, message: { ...event.message, model: 'mystery' } } : event
    const made = record(cutRun().map(mystery))
    expect((await made.load())?.event.used.models['mystery']).toMatchObject({ cost_usd: null, requests: 2 })
  })
})

describe('a transcript that was changed', () => {
  it.each<[string, (lines: string[]) => string[]]>([
    ['a line is missing', (lines) => lines.toSpliced(3, 1)],
    ['the first line is missing', (lines) => lines.slice(1)],
    ['two lines are swapped', (lines) => lines.toSpliced(2, 2, lines[3] ?? '', lines[2] ?? '')],
    ['a word is another', (lines) => lines.with(1, lines[1]?.replace('the task', 'my tasks') ?? '')],
    ['a line is none', (lines) => lines.with(3, 'not a record')],
  ])('%s: it is not resumed', async (_, change) => {
    const made = record(cutRun())
    made.put(`${change(made.lines()).join('\n')}\n`)
    await expect(made.load()).rejects.toMatchObject({ reason: 'transcript_damaged' })
  })

  it('with --repair it is; at most twenty warnings say what is wrong, and one that there is more', async () => {
    const made = record(cutRun())
    const wrong = made.lines().map((line, index) => (index === 0 ? line : line.replace('"seq":', '"seq":9')))
    made.put(`${wrong.join('\n')}\n`)
    const resumed = await made.load({ repair: true })
    expect(resumed?.warnings[0]).toBe('Resumed from a damaged transcript, line 2: it does not follow the line before')
    const many = record([init(), ...Array<RunEvent>(30).fill(warning('x', 'y'))])
    many.put(`${[many.lines()[0], ...Array(30).fill('none')].join('\n')}\n`)
    const said = (await many.load({ repair: true }))?.warnings.filter((words) => words.startsWith('Resumed'))
    expect(said).toHaveLength(21)
    expect(said?.at(-1)).toBe('Resumed from a damaged transcript: more is wrong with it, see `kode-run verify`')
  })

  it('lines of another run in it are left out', async () => {
    const made = record(cutRun())
    const whole = await made.load()
    whole?.lock.release()
    const other = made.lines()[1]?.replace(made.run, 'another') ?? ''
    made.put(`${made.lines().toSpliced(2, 0, other).join('\n')}\n`)
    const resumed = await made.load({ repair: true })
    expect([resumed?.messages, resumed?.event.from]).toEqual([whole?.messages, whole?.event.from])
    expect(resumed?.warnings).toEqual(['Resumed from a damaged transcript, line 3: a record of another run, another'])
  })
})

describe('a run that never began', () => {
  it.each([
    ['empty', ''],
    ['cut in its first line', '{"v":1,"run":"x"'],
  ])('%s: it is started anew where there is a prompt', async (_, text) => {
    const made = record([])
    made.put(text)
    expect(await made.load({ prompt: 'do it' })).toBeUndefined()
    expect(await refusal(made.load())).toBe(
      `usage: --resume ${made.path}: the run was killed before its first record. It did nothing: start it again, without --resume.`,
    )
  })

  it.each([
    ['another file', 'my notes'],
    ['a file of one line', '{"v":1,"run":"x"}\n'],
    ['a file whose first line is another', '\n{"v":1'],
  ])('%s is no such run', async (_, text) => {
    const made = record([])
    made.put(text)
    await expect(made.load({ prompt: 'do it', repair: true })).rejects.toThrow('it has no record of a run')
  })
})

describe('whether it may go on', () => {
  it('not while its process is alive, unless it has its end', async () => {
    const alive = init({ process: ownIdentity() })
    const made = record(cutRun(alive))
    const active = `locked: --resume ${made.path}: the run is still active: pid ${process.pid} on `
    expect(await refusal(made.load())).toMatch(new RegExp(`^${active}.+\\.$`))
    const end = sampleRun().at(-1) as RunEvent
    const ended = record([...cutRun(alive), { ...end, exit_reason: 'max_turns' } as RunEvent])
    expect((await ended.load())?.event.from.exit_reason).toBe('max_turns')
    const unknown = record(cutRun({ ...INIT }))
    expect(await unknown.load()).toBeDefined()
  })

  it('a completed run only with something to do; its patch and its changes are known', async () => {
    const end = sampleRun().at(-1) as RunEvent & { type: 'result' }
    const made = record([...cutRun(), { ...end, exit_reason: 'completed', patch: 'the patch' } as RunEvent])
    expect(await refusal(made.load())).toBe(
      `usage: --resume ${made.path}: the run is completed. Give a prompt to continue from there.`,
    )
    expect(await made.load({ prompt: 'more' })).toMatchObject({ patch: 'the patch', changes: end.changes })
  })

  it('under another policy only if that is accepted', async () => {
    const made = record(cutRun(init({ base: null })))
    expect(await refusal(made.load({ sha256: 'b'.repeat(64) }))).toBe(
      `config: --resume ${made.path}: the policy is not the one of the run (sha256 aaaaaaaaaaaa…, now bbbbbbbbbbbb…). Use --accept-policy-change to continue under this one.`,
    )
    const resumed = await made.load({ sha256: 'b'.repeat(64), acceptPolicyChange: true })
    expect([resumed?.policySha256, resumed?.base]).toEqual([SHA, null])
  })

  it('one at a time: the lock lies beside the transcript, also where it is named by a link', async () => {
    const made = record(cutRun())
    const first = await made.load()
    expect(readdirSync(join(made.base, 'locks'))).toHaveLength(1)
    const elsewhere = makeFolder()
    symlinkSync(made.path, join(elsewhere, 'link'))
    await expect(made.load({}, join(elsewhere, 'link'))).rejects.toMatchObject({ reason: 'locked' })
    first?.lock.release()
    expect(await made.load({}, join(elsewhere, 'link'))).toBeDefined()
    expect(existsSync(join(elsewhere, 'locks'))).toBe(false)
  })

  it('another run in the same folder beside it, wherever its lock is', async () => {
    const [one, other] = [record(cutRun()), record(cutRun())]
    const beside = recordIn(one.base, 'u', cutRun())
    expect(await Promise.all([one.load(), beside.load()])).toEqual([expect.anything(), expect.anything()])
    const unlocked = recordIn(other.base, 'u', cutRun())
    writeFileSync(join(other.base, 'locks'), 'a file is in the way')
    expect(await Promise.all([other.load(), unlocked.load()])).toEqual([expect.anything(), expect.anything()])
  })

  it('with its lock in the state folder, where the other folder takes none', async () => {
    const made = record(cutRun())
    writeFileSync(join(made.base, 'locks'), 'a file is in the way')
    const first = await made.load()
    expect(readdirSync(join(made.base, 'state/locks'))).toHaveLength(1)
    expect(await refusal(made.load())).toContain(`locked: --resume ${made.path}: the transcript`)
    first?.lock.release()
  })
})

describe.runIf(process.platform === 'linux')('what it left running', () => {
  const start = (run: string) => {
    const child = spawn('sleep', ['600'], { env: { PATH: process.env['PATH'], KODE_RUN_ID: run }, stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }

  it('is ended, and told', async () => {
    const made = record(cutRun(init({ process: DEAD })))
    const child = start(made.run)
    const ended = once(child, 'exit')
    const resumed = await made.load()
    expect(resumed?.ended).toEqual([`sleep 600 (pid ${child.pid}), ended now`])
    expect(resumed?.warnings).toEqual([`The killed run left a process: sleep 600 (pid ${child.pid}), ended now.`])
    expect((await ended)[1]).toBe('SIGKILL')
  })

  it('is told where it cannot be ended', async () => {
    const made = record(cutRun(init({ process: DEAD })))
    const child = start(made.run)
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' })
    })
    const resumed = await made.load().finally(() => kill.mockRestore())
    expect(resumed?.ended).toEqual([`sleep 600 (pid ${child.pid}), which cannot be ended`])
  })

  it('is left alone where the run may be alive on another host, or is not known', async () => {
    const foreign = { ...ownIdentity(), host: 'another.example' }
    for (const first of [init({ process: foreign }), { ...INIT }]) {
      const made = record(cutRun(first))
      const child = start(made.run)
      expect((await made.load())?.ended).toEqual([])
      expect(child.exitCode ?? child.signalCode).toBeNull()
    }
  })
})
