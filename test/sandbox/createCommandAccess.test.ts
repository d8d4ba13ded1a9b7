import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CommandRequest, CommandResult } from '../../src/contracts/commands.ts'
import { isGroupAlive } from '../../src/lib/process/endProcessGroup.ts'
import {
  type CommandAccessOptions,
  createCommandAccess,
  type Invocation,
  withNetworkNote,
} from '../../src/sandbox/createCommandAccess.ts'
import { endLeakedProcesses } from '../../src/sandbox/integrity/endLeakedProcesses.ts'
import { DIRECT } from '../../src/sandbox/views/checkoutMode.ts'
import { makeFolder } from '../helpers/makeFolder.ts'

let folder: string
let runId: string
beforeEach(() => {
  folder = makeFolder()
  runId = `test-${folder.split('-').at(-1)}`
})
afterEach(async () => void (await endLeakedProcesses({ runId, workspace: folder })))

const PATH = '/usr/local/bin:/usr/bin:/bin'
const never = new AbortController().signal

function createAccess(change: Partial<CommandAccessOptions> = {}) {
  const times = { defaultTimeoutMs: 10_000, maxTimeoutMs: 20_000, deadline: performance.now() + 60_000 }
  return createCommandAccess({ environment: { PATH }, runId, putBlob: () => '/blob', ...times, ...change })
}

function script(text: string) {
  return { file: 'bash', args: ['-c', text], cwd: folder, command: text, timeoutMs: 5_000, signal: never }
}

describe('createCommandAccess: run', () => {
  it('adds the request’s variables and the marker to the run’s environment', async () => {
    const access = createAccess({ environment: { PATH, A: '1', B: '1' } })
    const request = { ...script(''), file: '/usr/bin/env', args: [], env: { B: '2', KODE_RUN_ID: 'other' } }
    const { stdout } = await access.run(request)
    expect(stdout.text.trim().split('\n').sort()).toEqual(['A=1', 'B=2', `KODE_RUN_ID=${runId}`, `PATH=${PATH}`])
  })

  it('starts the sandboxed command, and notifies the sandbox first when it ends', async () => {
    const told: string[] = []
    const access = createAccess({
      wrap: ({ file, args }, cwd) => ({
        ...{ file: '/bin/echo', args: [cwd, file, ...args], ended: async () => void told.push('ended') },
      }),
    })
    const { stdout } = await access.run(script('true'))
    expect(stdout.text).toBe(`${folder} bash -c true\n`)
    expect(told).toEqual(['ended'])
  })

  it.each([
    ['what was asked', 7_000, {}, 7_000],
    ['the policy’s maximum', 1e9, {}, 20_000],
    ['the default for nonsense', -5, {}, 10_000],
    ['the default for no number', Number.NaN, {}, 10_000],
    ['nothing, when the run is over', 7_000, { deadline: performance.now() }, 0],
  ])('gives a command %s of time', async (_what, timeoutMs, change, expected) => {
    const result = await createAccess(change).run({ ...script('true'), timeoutMs })
    expect(result.timeoutMs).toBe(expected)
  })
})

describe('createCommandAccess: prepare', () => {
  const wrap = ({ file, args }: Invocation) => ({ file: '/usr/bin/env', args: ['-u', 'B', file, ...args], ended })
  const ended = async () => undefined

  it('gives a command the sandbox that waits for it, with the variables and the time of its own', async () => {
    const access = createAccess({ environment: { PATH, A: '1', B: '1' }, wrap })
    const request = { ...script('echo $A $B $C $KODE_RUN_ID'), env: { C: '3' }, timeoutMs: 7_000 }
    const waiting = access.prepare(request, DIRECT)
    expect(waiting?.fits(request, DIRECT)).toBe(true)
    const result = await access.runOn(request, DIRECT, waiting)
    expect(result).toMatchObject({ stdout: { text: `1 3 ${runId}\n` }, exitCode: 0, timeoutMs: 7_000 })
    expect(waiting?.fits(request, DIRECT)).toBe(false)
  })

  it.each<readonly [string, Partial<CommandAccessOptions>, Partial<CommandRequest>]>([
    ['where there is no sandbox', {}, {}],
    ['for a command with input', { wrap }, { input: 'x' }],
  ])('prepares nothing %s', (_what, change, request) => {
    expect(createAccess(change).prepare({ ...script('true'), ...request }, DIRECT)).toBeUndefined()
  })

  it('prepares nothing when all commands are ended', async () => {
    const access = createAccess({ wrap })
    await access.closeAll()
    expect(access.prepare(script('true'), DIRECT)).toBeUndefined()
  })
})

describe('createCommandAccess: a sandbox that fails', () => {
  /** What the run is told of a sandbox in which each command is this script. */
  async function told(inside: string, change: Partial<CommandAccessOptions> = {}): Promise<string[]> {
    const lost: string[] = []
    const wrap = () => ({ file: 'sh', args: ['-c', inside], ended: async () => undefined })
    await createAccess({ wrap, onSandboxLost: (why) => void lost.push(why), ...change }).run(script('true'))
    return lost
  }

  it.each([
    ['on stderr', 'echo "bwrap: no" >&2; exit 1'],
    ['among the output of a command that joins both', 'echo "bwrap: no"; echo "bwrap: no" >&2; exit 1'],
  ])('is lost: its own line %s, and nothing else starts', async (_where, inside) => {
    expect(await told(inside)).toEqual(['bwrap: no'])
  })

  it.each([
    ['another code', 'echo "bwrap: no" >&2; exit 2'],
    ['a line of the command', 'echo "no bwrap: no" >&2; exit 1'],
    ['a line like it of a command: the next one starts', 'mkdir x 2>/dev/null || exit 0; echo "bwrap: no" >&2; exit 1'],
  ])('is not lost: %s', async (_what, inside) => {
    expect(await told(`cd ${folder}; ${inside}`)).toEqual([])
  })

  it('fails the command if what is behind it cannot be ended', async () => {
    const ended = () => Promise.reject(new Error('it stays'))
    const access = createAccess({ wrap: ({ file, args }) => ({ file, args, ended }) })
    expect(await access.run(script('true'))).toMatchObject({ exitCode: 0, startError: 'it stays' })
  })
})

describe('createCommandAccess: background', () => {
  it('delivers output as it arrives, then the exit code', async () => {
    const access = createAccess()
    const command = access.start(script('echo one; read -r -t 0.3 <> <(:); echo two >&2; exit 5'))
    expect(command.status()).toEqual({ state: 'running', exitCode: null })
    expect(access.background(command.id)).toBe(command)
    await command.wait(10_000, never)
    expect(command.status()).toEqual({ state: 'exited', exitCode: 5 })
    expect(command.readNew()).toEqual({ stdout: 'one\n', stderr: 'two\n' })
    expect(command.readNew()).toEqual({ stdout: '', stderr: '' })
    expect(access.listBackground()).toEqual([command])
  })

  it('stops waiting at the time given or at an abort, and leaves the command running', async () => {
    const command = createAccess().start(script('sleep 60'))
    await command.wait(20, never)
    await command.wait(60_000, AbortSignal.timeout(20))
    await command.wait(60_000, AbortSignal.abort())
    expect(command.status().state).toBe('running')
    await command.kill()
    expect(command.status()).toEqual({ state: 'killed', exitCode: null })
  })

  it('drops the beginning of unread output', async () => {
    const command = createAccess().start(script('head -c 3000000 /dev/zero | tr "\\0" x; echo end'))
    await command.wait(20_000, never)
    const { stdout } = command.readNew()
    expect(stdout.length).toBeLessThan(1_000_100)
    expect(stdout).toMatch(/^\[… \d+ characters left out …\]\n/)
    expect(stdout.endsWith('xend\n')).toBe(true)
  })

  it('says on stderr why a command could not start', async () => {
    const command = createAccess().start({ ...script(''), file: 'no-such-program' })
    await command.wait(10_000, never)
    expect(command.status()).toEqual({ state: 'exited', exitCode: null })
    expect(command.readNew().stderr).toContain('no-such-program')
  })
})

describe('createCommandAccess: closeAll', () => {
  it('ends commands that ignore SIGTERM, all at once, and starts none after it', { tags: 'long' }, async () => {
    const access = createAccess()
    const stubborn = "trap '' TERM; echo $$; while :; do sleep 0.1; done"
    const commands = [1, 2, 3].map(() => access.start(script(stubborn)))
    const running = access.run({ ...script(stubborn), timeoutMs: 20_000 })
    const groups: number[] = []
    for (const command of commands) {
      let text = ''
      while (!text.includes('\n')) {
        await command.wait(20, never)
        text += command.readNew().stdout
      }
      groups.push(Number(text))
    }
    await access.closeAll()
    expect((await running).isAborted).toBe(true)
    expect(groups.map(isGroupAlive)).toEqual([false, false, false])
    expect((await access.run(script('touch late'))).isAborted).toBe(true)
  })
})

describe.runIf(process.platform === 'linux')('what outlives its command (needs Linux)', () => {
  it('ends with it, and other commands go on', async () => {
    const access = createAccess({ endsLeftovers: true })
    const other = access.start(script('echo; exec sleep 301'))
    await access.run(script(`setsid --fork bash -c 'echo; exec sleep 300 >/dev/null 2>&1' | head -1`))
    expect(access.leftovers()).toEqual([{ pid: expect.any(Number), command: 'sleep 300', killed: true }])
    expect(other.status().state).toBe('running')
    await access.closeAll()
    expect(await endLeakedProcesses({ runId, workspace: folder })).toEqual([])
  })
})

function ended(stderr: string, change: Partial<CommandResult> = {}): CommandResult {
  const stream = (text: string) => ({ text, bytes: text.length, isTruncated: false })
  const end = { exitCode: 1, signal: null, isTimedOut: false, isAborted: false, timeoutMs: 1, durationMs: 1 }
  return { ...end, stdout: stream(''), stderr: stream(stderr), ...change }
}

const last = (result: CommandResult) => result.stderr.text.trimEnd().split('\n').at(-1)

describe('withNetworkNote', () => {
  it.each([
    ['npm', 'npm error code EAI_AGAIN\nnpm error syscall getaddrinfo'],
    ['node', 'Error: getaddrinfo ENOTFOUND example.com'],
    ['curl', 'curl: (6) Could not resolve host: example.com'],
    ['git', "fatal: unable to access 'https://example.com/': Could not resolve host: example.com"],
    ['pip', "[Errno -3] Temporary failure in name resolution')': /simple/x/"],
    ['python', 'OSError: [Errno 101] Network is unreachable'],
    ['go', 'dial tcp: lookup example.com: no such host'],
    ['cargo', "warning: spurious network error: [6] Couldn't resolve host name"],
    ['java', 'java.net.UnknownHostException: example.com'],
  ])('says once why %s failed', (_program, text) => {
    const noted = withNetworkNote(ended(text), 'none')
    expect(noted.stderr.text.startsWith(text)).toBe(true)
    expect(last(noted)).toContain('sandbox.network')
    expect(last(withNetworkNote(ended(text), 'allowlist'))).toContain('sandbox.allow')
    // A later program of the line may have succeeded.
    expect(last(withNetworkNote(ended(text, { exitCode: 0 }), 'none'))).toContain('sandbox.network')
  })

  it.each([
    ['an end without a line end', 'ENOTFOUND a', ''],
    ['an end with several', 'ENOTFOUND a\n\n', ''],
    ['errors of several lines', '\nENOTFOUND a\n\nb\n', ''],
    ['no errors: the message was among the output', '', 'ENOTFOUND a\n'],
  ])('has a line of its own after %s', (_what, text, output) => {
    const stdout = { text: output, bytes: output.length, isTruncated: false }
    const before = text.trim() === '' ? '' : `${text.trim()}\n`
    expect(withNetworkNote(ended(text, { stdout }), 'none').stderr.text).toBe(
      `${before}kode-run: commands have no network here (sandbox.network is none, which is the default).\n`,
    )
  })

  it.each<readonly [string, CommandResult, 'none' | 'allowlist' | 'open' | undefined]>([
    ['one that failed for another reason', ended('connect ECONNREFUSED 127.0.0.1:5432'), 'none'],
    ['one whose network is open', ended('ENOTFOUND'), 'open'],
    ['one without a sandbox', ended('ENOTFOUND'), undefined],
    ['one that the proxy has told', ended('ENOTFOUND: sandbox.allow does not name example.com'), 'allowlist'],
  ])('adds nothing to %s', (_what, result, mode) => {
    expect(withNetworkNote(result, mode)).toBe(result)
  })
})
