import { expect, test } from 'vitest'
import type { CommandRequest, CommandResult } from '../../src/contracts/commands.ts'
import type { HookEnding } from '../../src/hooks/HookReply.ts'
import { OUTPUT_LIMIT, runCommandHook } from '../../src/hooks/runCommandHook.ts'

type Played = Partial<CommandResult> & { readonly out?: readonly string[]; readonly err?: readonly string[] }

/** Runs a hook whose process prints these pieces and ends like this. */
async function play({ out = [], err = [], ...rest }: Played) {
  const requests: CommandRequest[] = []
  const stream = (texts: readonly string[]) => ({ text: '', bytes: texts.join('').length, isTruncated: false })
  const run = async (request: CommandRequest): Promise<CommandResult> => {
    requests.push(request)
    for (const text of out) request.onOutput?.(text, 'stdout')
    for (const text of err) request.onOutput?.(text, 'stderr')
    const ended = { exitCode: 0, signal: null, isTimedOut: false, isAborted: false, timeoutMs: 1500, durationMs: 1 }
    return { ...ended, stdout: stream(out), stderr: stream(err), ...rest } as CommandResult
  }
  const limits = { timeoutMs: 1500, signal: new AbortController().signal }
  const ending = await runCommandHook({ type: 'command', command: 'guard' }, '{}', limits, {
    ...{ run, cwd: '/project', start: '/snapshot' },
  })
  return { ending, request: requests[0] }
}

const failed = (detail: string): HookEnding => ({ kind: 'failed', detail })
const HALF = 'x'.repeat(OUTPUT_LIMIT / 2)

test.each<[string, Played, HookEnding]>([
  ['exit 0', { out: ['a', 'b'], err: ['c'] }, { kind: 'answered', text: 'ab' }],
  ['exit 2', { exitCode: 2, err: [' no\n'] }, { kind: 'blocked', reason: 'no' }],
  [
    'exit 2, and its reason is on stdout',
    { exitCode: 2, out: ['no'] },
    { kind: 'blocked', reason: 'exit code 2, without a reason on stderr' },
  ],
  ['exit 1', { exitCode: 1, err: [' no\n'] }, failed('exit code 1: no')],
  ['exit 1 in silence', { exitCode: 1 }, failed('exit code 1')],
  ['a signal', { exitCode: null, signal: 'SIGKILL', err: ['x'] }, failed('killed by SIGKILL: x')],
  ['an unknown signal', { exitCode: null }, failed('killed by a signal')],
  ['the end of the run', { exitCode: null, isAborted: true }, failed('it was canceled')],
  ['the end of the run, with words', { isAborted: true, err: ['x'] }, failed('it was canceled: x')],
  ['its time limit', { exitCode: null, isTimedOut: true }, { kind: 'timeout', detail: 'no answer within 1.5 s' }],
  ['no start', { exitCode: null, startError: 'ENOENT' }, failed('it did not start: ENOENT')],
  // The limit counts both streams, as they arrive and as they were captured.
  ['as much as is read', { out: [HALF], err: [HALF] }, { kind: 'answered', text: HALF }],
  ['a byte more', { out: [HALF, HALF], err: ['x'] }, failed('it printed more than 1 MiB')],
  ['a byte more at once', { out: [`${HALF}${HALF}x`] }, failed('it printed more than 1 MiB')],
  [
    'more than was shown',
    { stdout: { text: '', bytes: OUTPUT_LIMIT, isTruncated: true }, err: ['x'] } as never,
    failed('it printed more than 1 MiB'),
  ],
])('%s', async (_, played, ending) => {
  expect((await play(played)).ending).toEqual(ending)
})

test('too much output ends the process, less does not', async () => {
  expect((await play({ out: [HALF, HALF], err: ['x'] })).request?.signal.aborted).toBe(true)
  expect((await play({ out: [HALF], err: [HALF] })).request?.signal.aborted).toBe(false)
})

test('the hook gets the event as a line, the project in a variable, and starts where hooks start', async () => {
  expect((await play({})).request).toMatchObject({
    ...{ file: 'bash', args: ['--noprofile', '--norc', '-p', '-c', 'guard'], input: '{}\n' },
    ...{ env: { CLAUDE_PROJECT_DIR: '/project' }, cwd: '/snapshot', timeoutMs: 1500 },
  })
})
