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
async function play(endings: Readonly<Record<string, Ended>>, more: object = {}) {
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
    ...{ signal: new AbortController().signal, config: { cwd: '/p' }, place: { cwd: '/p' }, variables: {} },
    children: { commands: { run, listBackground: () => [] }, sandbox: {} },
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

const UNKNOWN = { effects: { ...CLEAN, unknown: 'the disk is full' } }

describe('a check', () => {
  it.each<[string, Ended, boolean]>([
    ['ends with 0', {}, true],
    ['ends with another code', { exitCode: 3 }, false],
    ['was ended by a signal', { exitCode: null }, false],
    ['took too long, though it then ends with 0', { isTimedOut: true }, false],
    ['was cut by the end of the run, though it then ends with 0', { isAborted: true }, false],
    ['could not be started', { startError: 'no bash' }, false],
    ['changed what no rule covers, and ends with 0', { effects: TAINTED }, false],
    ['made changes that could not be judged', UNKNOWN, false],
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

  const leftOut = [{ change: { path: '/p/junit.xml', kind: 'added', entry: 'file' }, why: 'no Edit rule covers it' }]
  const none = 'Nothing that this command changed was kept'
  const fails = ' A check that changes other files fails\\.$'
  it.each<[string, Ended, string]>([
    ['what was not kept', { effects: TAINTED, text: 'fine' }, `^fine\n${none}: a .*${fails}`],
    ['new files that were not', { effects: { ...CLEAN, leftOut } }, '^\nNot kept: junit\\.xml .*(?<!fails\\.)$'],
    ['nothing of it', { effects: CLEAN, text: 'fine' }, '^fine$'],
    ['what is unknown', UNKNOWN, `^\nIt is unknown which .*: the disk is full\\.${fails}`],
    ['that it took too long', { isTimedOut: true, text: 'half' }, '^half\n\\(timed out\\)$'],
    ['that the run ended', { isAborted: true }, '^\n\\(cut off by the end of the run\\)$'],
    ['that it did not start', { startError: 'no bash' }, '^no bash$'],
  ])('says of its changes and its end: %s', async (_, ended, words) => {
    const { events } = await play({ a: ended })
    expect(events.map((event) => event.output)).toEqual([expect.stringMatching(words)])
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
    const { events } = await play({ a: {} }, more)
    expect(events[0]?.leftovers).toEqual(leftovers)
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
    expect((await play({ a: {} }, { signal: AbortSignal.abort() })).events).toEqual([])
    expect((await play({})).round).toEqual({ isGood: true, failed: [], message: '' })
  })
})
