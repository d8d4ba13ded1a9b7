import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { EXIT_CODES } from '../../src/contracts/errors.ts'
import { listenForSignals } from '../../src/entry/listenForSignals.ts'
import { noteGroup } from '../../src/lib/process/endProcessGroup.ts'
import type { Turn } from '../../src/model/replay/renderTurn.ts'
import { verifyTranscript } from '../../src/report/transcript/verifyTranscript.ts'
import { commitAll } from '../helpers/git.ts'
import type { Step } from '../helpers/model/messagesServer.ts'
import { call, serveTurns as serve } from '../helpers/model/serveTurns.ts'
import { onceUp } from '../helpers/onceUp.ts'
import { type CliOptions, type CliRun, type StartedCli, startCli } from '../helpers/runs/cliRun.ts'
import { commandLines } from '../helpers/runs/commandLines.ts'
import { sampled } from '../helpers/sampled.ts'

const HELPERS = join(import.meta.dirname, '../helpers')
const ALLOW =
  'version: 1\npermissions: { allow: [Bash, "Edit(/made)", "Edit(../up)", "Edit(../told)", "mcp__stub__*"] }\nsandbox: { mode: off }\n'
const STUBBORN = `trap '' TERM HUP INT; echo stubborn; while :; do sleep 1; done`

const bash = (command: string): Turn => call('Bash', { command })
const servers = `mcpServers: { stub: { command: ${process.execPath}, args: ['${HELPERS}/stubMcp.mjs'] } }\n`
const hook = (event: string) =>
  `hooks: { ${event}: [{ hooks: [{ type: command, command: "${process.execPath} '${HELPERS}/stubHook.mjs' hang ../hook" }] }] }\n`

/** Where a run may be when it is told to end; `until` is a part of its stdout by then; without it the first answer has begun. */
const MOMENTS: readonly {
  readonly name: string
  readonly steps: readonly (Step | Turn)[]
  readonly policy?: string
  readonly until?: string
}[] = [
  { name: 'while an answer streams', steps: [{ turn: { say: 'x'.repeat(500) }, stallAfter: 700 }] },
  { name: 'in a command that ignores signals', steps: [bash(STUBBORN)], until: '"tool_intent"' },
  {
    name: 'in a call of a server that never answers',
    steps: [call('mcp__stub__hang', {})],
    policy: ALLOW + servers,
    until: '"tool_intent"',
  },
  {
    name: 'in a hook that ignores signals',
    steps: [bash('true')],
    policy: ALLOW + hook('PreToolUse'),
    until: '"assistant"',
  },
  {
    name: 'while it waits to try again',
    steps: [{ status: 529, headers: { 'retry-after': '60' } }],
    until: '"api_retry"',
  },
]

function start(server: { readonly url: string }, options: CliOptions = {}): StartedCli {
  return startCli(['do it', '--output-format', 'stream-json'], { server, policy: ALLOW, ...options })
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(20)
}

/** Tells a run to end. It does so in order: with its code and end record, and nothing is left running. */
async function endInOrder(run: StartedCli): Promise<CliRun> {
  run.child.kill('SIGTERM')
  const ended = await run.ended()
  expect([ended.code, ended.result().exit_reason]).toEqual([143, 'sigterm'])
  expect(await verifyTranscript(run.transcript)).toMatchObject({ isIntact: true })
  expect(processesOf(run)).toEqual([])
  return ended
}

/** No process of the run is left: all of them bear its folder in their environment or their words. */
function processesOf(run: Pick<StartedCli, 'base'>): string[] {
  return commandLines().flatMap(({ text }) => (text.includes(run.base) ? [text] : []))
}

/** For a run that kills its children and does not wait for their end: the system may take a moment. */
async function nothingLeft(run: Pick<StartedCli, 'base'>): Promise<void> {
  await vi.waitFor(() => expect(processesOf(run)).toEqual([]), { timeout: 10_000 })
}

/** A repository, and a git beside it that hangs the first time that it is to compare, or each time. */
function makeSlowGit(project: string, isOnce: boolean): void {
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  commitAll(project)
  const bin = join(project, '../bin')
  mkdirSync(bin)
  const mark = join(project, '../git-hangs')
  const wait = `touch ${mark}; exec tail -f ${bin}/git > /dev/null`
  const hang = `case " $* " in *" diff "*) ${isOnce ? `test -e ${mark} || { ${wait}; }` : wait};; esac`
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n${hang}\nexec ${git} "$@"\n`, { mode: 0o755 })
}

const withSlowGit = (isOnce: boolean): CliOptions => ({
  prepare: (project) => makeSlowGit(project, isOnce),
  through: ['sh', '-c', `PATH="$PWD/../bin:$PATH" exec "$@"`, 'sh'],
})

/** True once a process has a handler of its own for SIGHUP: the first bit of its mask, proc(5). */
function listens(pid: number | undefined): boolean {
  const mask = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'
  return (BigInt(`0x${mask}`) & 1n) !== 0n
}

describe('a run that is told to end', () => {
  it.each(sampled(MOMENTS, 1))(
    '$name: its code, its end record, and nothing left running',
    async ({ steps, policy = ALLOW, until: shown }) => {
      const server = await serve(...steps)
      const run = start(server, { policy })
      await (shown === undefined ? until(() => server.openAnswers() > 0) : run.saw(shown))
      await endInOrder(run)
      expect(server.requests).toHaveLength(1)
    },
  )

  it('while it compacts its conversation', { tags: 'long' }, async () => {
    const full = { input_tokens: 19_000, output_tokens: 5 }
    const policy = `${ALLOW}run: { contextWindow: 20000, maxTokens: 1000 }\n`
    const server = await serve({ ...bash('seq 3000'), usage: full }, { turn: { say: 'so far' }, stallAfter: 300 })
    const run = start(server, { policy })
    await until(() => server.openAnswers() > 0 && server.requests.length > 1)
    await endInOrder(run)
    expect(server.requests.slice(1).map(({ text }) => text)).toEqual([expect.stringContaining('summar')])
  })

  const GITS = [
    ['seeks changed inputs of its checks', true, `${ALLOW}checks: { commands: ["true"] }\n`],
    ['compares the work tree', false, ALLOW],
  ] as const
  it.each(sampled(GITS, 1))('while a hanging git %s', { tags: 'long' }, async (_, isOnce, policy) => {
    const server = await serve(bash('touch made'), { say: 'done' })
    const run = start(server, { ...withSlowGit(isOnce), policy })
    await until(() => existsSync(join(run.base, 'git-hangs')))
    const ended = await endInOrder(run)
    if (!isOnce) expect(ended.result().patch).toBeNull()
    expect(existsSync(join(run.project, 'made'))).toBe(true)
  })

  it('while it waits for its prompt', { tags: 'long' }, async () => {
    const run = startCli([], { server: await serve(), policy: ALLOW, keepStdinOpen: true })
    await until(() => listens(run.child.pid))
    run.child.kill('SIGINT')
    expect((await run.ended()).code).toBe(130)
  })
})

describe('a signal before the run listens', () => {
  const SIGNALS = Object.entries({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 })
  it.each(sampled(SIGNALS, 1))(
    '%s ends it with its code, and nothing was asked or left without an end',
    async (name, code) => {
      // As soon as anything listens: what is loaded by then, and whether records are open, is the machine's.
      const kill = `let told; process.on('newListener', (name) => { if (name === '${name}') told ??= setImmediate(() => process.kill(process.pid, name)) })`
      const through = ['env', `NODE_OPTIONS=--import=data:text/javascript,${encodeURIComponent(kill)}`]
      const server = await serve()
      const run = await startCli(['x'], { server, policy: ALLOW, through }).ended()
      expect([run.code, server.requests]).toEqual([code, []])
      const reasons = existsSync(run.transcript) ? [run.result().exit_reason] : []
      expect(reasons.filter((reason) => reason !== name.toLowerCase())).toEqual([])
    },
  )
})

describe('a second signal', () => {
  it('ends the run at once, with the code of the first and an end record', { tags: 'long' }, async () => {
    const run = start(await serve(bash(`trap 'touch ../told' TERM; touch ../up; while :; do sleep 1; done`)))
    await until(() => existsSync(join(run.base, 'up')))
    run.child.kill('SIGINT')
    // Of two signals that wait together the system hands out either first: the second is sent when the first has had its effect.
    await until(() => existsSync(join(run.base, 'told')))
    run.child.kill('SIGTERM')
    const ended = await run.ended()
    expect([ended.code, ended.result().exit_reason]).toEqual([130, 'sigint'])
    await nothingLeft(run)
  })
})

/** Until the test ends, an exit of this process is an error. */
function spyOnExit(): void {
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`)
  })
  onTestFinished(() => exit.mockRestore())
}

describe('the listener itself', () => {
  const NAMES = ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGUSR1'] as const

  it('kills children at a second signal, says which came first, and keeps the debugger shut', async () => {
    const before = NAMES.map((name) => [name, process.listeners(name)] as const)
    spyOnExit()
    process.removeAllListeners('SIGUSR1')
    const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
    const ended = once(child, 'exit')
    const forget = noteGroup(child.pid ?? 0)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const ppid = vi.spyOn(process, 'ppid', 'get').mockReturnValue(7)
    listenForSignals(() => undefined).stop()
    const listener = listenForSignals(() => undefined)
    onTestFinished(() => {
      ppid.mockRestore()
      vi.useRealTimers()
      child.kill('SIGKILL')
      forget()
      listener.stop()
      for (const [name, handlers] of before) {
        process.removeAllListeners(name)
        for (const handler of handlers) process.on(name, handler)
      }
    })
    expect(process.listenerCount('SIGUSR1')).toBe(1)
    process.emit('SIGTERM')
    expect(listener.signal.reason).toMatchObject({ reason: 'sigterm', message: 'The run was ended by SIGTERM.' })
    // The end of the parent is no second signal.
    ppid.mockReturnValue(1)
    vi.advanceTimersByTime(500)
    expect([listener.signal.aborted, listener.now.aborted, child.signalCode]).toEqual([true, false, null])
    expect(() => process.emit('SIGINT')).toThrow('exit 143')
    expect([listener.now.reason, (await ended)[1]]).toEqual([listener.signal.reason, 'SIGKILL'])
  })

  it.each(['uncaughtException', 'unhandledRejection'] as const)('ends at once at an %s, and says which', (event) => {
    spyOnExit()
    const before = process.listeners(event as 'uncaughtException')
    process.removeAllListeners(event)
    const said: string[] = []
    const listener = listenForSignals((text) => void said.push(text))
    onTestFinished(() => {
      listener.stop()
      for (const each of before) process.on(event, each)
    })
    const emit = () => process.emit(event as 'uncaughtException', new Error('a bug'))
    expect(emit).toThrow(`exit ${EXIT_CODES.internal.code}`)
    expect(said).toEqual([expect.stringMatching(/^kode-run: Error: a bug\n +at /)])
    expect([listener.now.aborted, listener.now.reason]).toEqual([true, expect.objectContaining({ message: 'a bug' })])
    listener.stop()
    expect(process.listenerCount(event)).toBe(0)
  })
})

describe('the death of its parent', () => {
  it('is seen within half a second, unless there never was one, or the process was detached', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const ppid = vi.spyOn(process, 'ppid', 'get').mockReturnValue(7)
    const { pid } = process
    const pretend = (value = pid) => Object.defineProperty(process, 'pid', { value })
    const leader = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
    onTestFinished(() => {
      pretend()
      leader.kill('SIGKILL')
      vi.useRealTimers()
      ppid.mockRestore()
    })
    const listen = () => {
      const listener = listenForSignals(() => undefined)
      onTestFinished(() => listener.stop())
      return listener
    }
    pretend(leader.pid)
    const detached = listen()
    pretend()
    const [left, stopped] = [listen(), listen()]
    vi.advanceTimersByTime(5_000)
    expect([left.signal.aborted, vi.getTimerCount()]).toEqual([false, 2])
    stopped.stop()
    ppid.mockReturnValue(1)
    const orphan = listen()
    vi.advanceTimersByTime(500)
    const ended = [left, stopped, orphan, detached].map(({ signal }) => signal.aborted)
    expect(ended).toEqual([true, false, false, false])
    const why = { reason: 'sighup', message: 'The process that started the run has ended.' }
    expect(left.signal.reason).toMatchObject(why)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ends the run', { tags: 'long' }, async () => {
    const run = start(await serve(bash('sleep 60')), { through: ['sh', '-c', '"$@"; true', 'sh'] })
    await run.saw('"tool_intent"')
    run.child.kill('SIGKILL')
    expect((await run.ended()).result().exit_reason).toBe('sighup')
    expect(processesOf(run)).toEqual([])
  })

  it('does not end a process that is a session leader', { tags: 'long' }, async () => {
    const slow: Step = { turn: { say: 'done' }, chunkBytes: 60, dripMs: 100 }
    const run = start(await serve(slow), { through: ['sh', '-c', 'setsid "$@" &', 'sh'] })
    expect((await run.ended()).result().exit_reason).toBe('completed')
  })
})

describe('an uncaught exception', () => {
  const DEFECTS = Object.entries({
    'an exception': 'throw new Error("boom")',
    'a rejection': 'Promise.reject(new Error("boom"))',
  })
  it.each(sampled(DEFECTS, 1))(
    '%s ends the run with 70, its stack and an end record',
    { tags: 'long' },
    async (_, code) => {
      const run = start(await serve(bash('touch up; sleep 60')), { env: { NODE_OPTIONS: onceUp(code) } })
      const ended = await run.ended()
      expect([ended.code, ended.result().exit_reason]).toEqual([70, 'internal'])
      expect(ended.stderr).toMatch(/boom[\s\S]*at /)
      await nothingLeft(run)
    },
  )
})

it('takes a signal that came while the program was loading', { tags: 'long' }, async () => {
  const early = () => undefined
  process.once('SIGHUP', early)
  onTestFinished(() => void process.off('SIGHUP', early))
  process.kill(process.pid, 'SIGHUP')
  const signals = listenForSignals(() => undefined)
  onTestFinished(signals.stop)
  if (!signals.signal.aborted) await once(signals.signal, 'abort')
  expect(signals.signal.reason).toMatchObject({ reason: 'sighup' })
})
