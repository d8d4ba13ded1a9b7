import { describe, expect, it } from 'vitest'
import type { CommandResult } from '../../../src/contracts/commands.ts'
import type { CheckEvent } from '../../../src/contracts/events.ts'
import { forEachEvent } from '../../../src/lib/async/mergeGenerators.ts'
import { runChecks } from '../../../src/run/checks/runChecks.ts'
import type { Session } from '../../../src/run/Session.ts'

type Ended = Partial<Omit<CommandResult, 'stdout' | 'stderr' | 'effects'>> & {
  readonly text?: string
  readonly effects?: object
}

const output = (text: string) => ({ text, bytes: text.length, isCut: false })

/** Runs checks whose commands end as it is said here. */
async function play(
  endings: Readonly<Record<string, Ended>>,
  signal = new AbortController().signal,
  more: object = {},
) {
  const asked: { readonly effects?: { readonly access: string } }[] = []
  const run = async (request: { readonly args: readonly string[] }) => {
    asked.push(request as (typeof asked)[number])
    const { text = '', ...ended } = endings[request.args.at(-1) ?? ''] ?? {}
    return {
      ...{ exitCode: 0, signal: null, isTimedOut: false, isAborted: false, durationMs: 1.6, timeoutMs: 1 },
      ...{ stdout: output(text), stderr: output('') },
      ...ended,
    }
  }
  const session = {
    ...{
      signal,
      config: { cwd: '/p' },
      place: { cwd: '/p' },
      children: { commands: { run, listBackground: () => [] }, sandbox: {} },
    },
    variables: {},
    transactions: { account: { ignoredFiles: () => [] }, unseen: new Set() },
    policy: { settings: { checks: { prepare: [], commands: Object.keys(endings) } } },
    ...more,
  } as unknown as Session
  const events: CheckEvent[] = []
  const round = await forEachEvent(runChecks(session, 2), (event) => {
    if (event.type === 'system' && event.subtype === 'check') events.push(event)
  })
  return { round, events, asked }
}

const CLEAN = { mode: 'enforced', changes: [], kept: [], undone: [], leftOut: [], scratch: 0, late: [] }
const TAINTED = {
  ...CLEAN,
  undone: [{ change: { path: '/p/a', kind: 'modified', entry: 'file' }, why: 'no Edit rule covers it' }],
}

describe('a check', () => {
  it.each<[string, Ended, boolean]>([
    ['ends with 0', {}, true],
    ['ends with another code', { exitCode: 3 }, false],
    ['was ended by a signal', { exitCode: null }, false],
    ['took too long, though it then ends with 0', { isTimedOut: true }, false],
    ['was cut by the end of the run, though it then ends with 0', { isAborted: true }, false],
    ['could not be started', { startError: 'no bash' }, false],
    ['changed what no rule covers, and ends with 0', { effects: TAINTED }, false],
    ['made changes that could not be judged', { effects: { ...CLEAN, unknown: 'the disk is full' } }, false],
    ['changed nothing that counts', { effects: CLEAN }, true],
  ])('that %s', async (_, ended, ok) => {
    const { round, events } = await play({ 'npm test': ended })
    expect([events.map((event) => event.ok), round.isGood]).toEqual([[ok], ok])
    expect(round.failed).toEqual(ok ? [] : ['npm test'])
  })

  it('keeps only what git ignores, and is recorded with its attempt, its code and its last words', async () => {
    const { events, asked } = await play({ 'npm test': { exitCode: 1, text: `${'x'.repeat(10_000)}the end` } })
    expect(asked).toMatchObject([
      {
        ...{ file: 'bash', args: ['--noprofile', '--norc', '-p', '-c', 'npm test'], cwd: '/p' },
        effects: { access: 'scratch', mayChangeGit: false, by: 'check npm test' },
      },
    ])
    expect(events).toMatchObject([
      { type: 'system', subtype: 'check', command: 'npm test', attempt: 2, exit_code: 1, duration_ms: 2 },
    ])
    expect(events[0]?.output).toMatch(/^…x+the end$/)
    expect(events[0]?.output).toHaveLength(6_001)
    const whole = await play({ 'npm test': { text: 'y'.repeat(6_000) } })
    expect(whole.events[0]?.output).toBe('y'.repeat(6_000))
  })

  it('says which of its changes were not kept, and that those fail it if they are not new files', async () => {
    const leftOut = [{ change: { path: '/p/junit.xml', kind: 'added', entry: 'file' }, why: 'no Edit rule covers it' }]
    const { events } = await play({
      a: { effects: TAINTED, text: 'fine' },
      b: { effects: { ...CLEAN, leftOut, kept: [] } },
      c: { effects: CLEAN, text: 'fine' },
      d: { effects: { ...CLEAN, unknown: 'the disk is full' } },
    })
    expect(events.map((event) => event.output)).toEqual([
      expect.stringMatching(
        /^fine\nNothing that this command changed was kept: a .* A check that changes other files fails\.$/,
      ),
      expect.stringMatching(/^\nNot kept: junit\.xml .*(?<!fails\.)$/),
      'fine',
      expect.stringMatching(/^\nIt is unknown which .*: the disk is full\. A check that changes other files fails\.$/),
    ])
  })

  it.each<[string, object, readonly object[] | undefined]>([
    ['nothing', {}, undefined],
    [
      'what the run before left, if it was resumed',
      { resumed: { event: { from: { run: 'r1' } } } },
      [{ what: 'ignored files (unseen, from before --resume)', by: ['run r1'] }],
    ],
    [
      'files, by their top folder and with all their calls',
      {
        transactions: {
          unseen: new Set(),
          account: {
            ignoredFiles: () => [
              { path: '/p/node_modules/a/b', by: ['t1'] },
              { path: '/p/node_modules/c', by: ['t1', 't2'] },
              { path: '/p/.cache', by: ['t3'] },
              { path: '/p/.kode-worktrees/x/dist/a', by: ['t4'] },
              { path: '/elsewhere/dist/a', by: ['t5'] },
            ],
          },
        },
      },
      [
        { what: 'node_modules (2 files)', path: 'node_modules', by: ['t1', 't2'] },
        { what: '.cache (1 file)', path: '.cache', by: ['t3'] },
      ],
    ],
    [
      'what nobody sees without a view',
      { transactions: { unseen: new Set(['t1']), account: { ignoredFiles: () => [] } } },
      [{ what: 'ignored files (unseen, as the checkout is only watched)', by: ['t1'] }],
    ],
  ])('names what it may have used: %s', async (_, more, leftovers) => {
    const { events } = await play({ a: {} }, undefined, more)
    expect(events[0]?.leftovers).toEqual(leftovers)
  })

  it('says why it did not end by itself', async () => {
    const { events } = await play({
      a: { isTimedOut: true, text: 'half' },
      b: { isAborted: true },
      c: { startError: 'no bash' },
    })
    expect(events.map((event) => event.output)).toEqual([
      'half\n(timed out)',
      '\n(cut off by the end of the run)',
      'no bash',
    ])
  })
})

describe('the checks of an attempt', () => {
  it('all run, and all that failed are told', async () => {
    const { round, events } = await play({ a: { exitCode: 1, text: 'A' }, b: {}, c: { exitCode: 2, text: 'C' } })
    expect(events.map((event) => event.command)).toEqual(['a', 'b', 'c'])
    expect(round).toMatchObject({ isGood: false, failed: ['a', 'c'] })
    expect(round.message).toMatch(/^`a` failed .*:\nA\n\n`c` failed .*:\nC$/)
  })

  it('are none behind the end of the run, and good where there are none', async () => {
    const controller = new AbortController()
    controller.abort()
    expect((await play({ a: {} }, controller.signal)).events).toEqual([])
    expect((await play({})).round).toEqual({ isGood: true, failed: [], message: '' })
  })
})
