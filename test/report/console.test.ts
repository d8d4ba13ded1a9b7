import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RunEvent, TranscriptRecord } from '../../src/contracts/events.ts'
import { type ConsoleOptions, createConsole } from '../../src/report/console.ts'
import { createOutput } from '../../src/report/output.ts'
import { buildEvents, endOf, longRun, sampleRun, stamp } from '../helpers/events.ts'
import { hostileText } from '../helpers/hostileText.ts'
import { parseRunnerOutput } from '../helpers/runnerParser.ts'

function show(events: readonly RunEvent[], options: Partial<ConsoleOptions> = {}): string {
  let out = ''
  const write = (text: string): void => {
    out += text
  }
  const console = createConsole({ write, isTerminal: false, isGitHub: false, verbosity: 'normal', ...options })
  for (const event of events) console.event(event)
  console.close()
  return out
}

describe('the log', () => {
  it.each(['quiet', 'normal', 'verbose'] as const)('%s', async (verbosity) => {
    await expect(show(sampleRun(), { verbosity })).toMatchFileSnapshot(`golden/console-${verbosity}.txt`)
  })

  it('on GitHub has a group for each turn, in which nothing else is a command', async () => {
    const out = show(sampleRun(), { isGitHub: true })
    await expect(out.replace(/[0-9a-f]{32}/g, 'TOKEN')).toMatchFileSnapshot('golden/console-github.txt')
    const names = parseRunnerOutput(out).map(({ name }) => name)
    expect(names).toEqual(Array.from({ length: 6 }, () => ['group', 'stop-commands', 'endgroup']).flat())
  })

  it('notes the head of the transcript every 50 records and at the end', () => {
    const records = stamp(longRun(120))
    const noted = [...show(records).matchAll(/record (\d+), head ([0-9a-f]{64})/g)].map(([, seq, head]) => [
      Number(seq),
      head,
    ])
    expect(noted.map(([seq]) => seq)).toEqual([50, 100, records.length])
    expect(noted[0]?.[1]).toBe(records[50]?.prev)
  })

  it('notes no head of progress, which has the number of the next record and is not written', () => {
    const owner = { tool_use_id: 'toolu_1', tool_name: 'Bash', parent_tool_use_id: null }
    const progress: RunEvent = { type: 'system', subtype: 'tool_progress', text: 'half', ...owner }
    const records: TranscriptRecord[] = stamp([progress]).map((record) => ({ ...record, seq: 50 }))
    expect(show(records)).not.toContain('head')
  })

  it('tells once that a hook failed, though its warning is recorded too', () => {
    const failed = { hook: 'audit.sh', outcome: 'failed', detail: 'exit code 1', duration_ms: 1 } as const
    const out = show([
      { type: 'system', subtype: 'hook', event: 'PostToolUse', ...failed, parent_tool_use_id: null },
      { type: 'system', subtype: 'warning', code: 'hook_failed', message: 'PostToolUse hook audit.sh: exit code 1' },
    ])
    expect(out).toContain('! Hook PostToolUse: failed: audit.sh: exit code 1\n')
    expect(out.trimEnd().split('\n')).toHaveLength(1)
  })

  it('quiet says nothing of a good run, and why a bad one was bad', () => {
    expect(show(sampleRun(), { verbosity: 'quiet' })).toBe('')
    expect(show(sampleRun({ exit_reason: 'blocked', detail: 'No right to push.' }), { verbosity: 'quiet' })).toMatch(
      /No right to push/,
    )
  })

  it('on a terminal has a live line that is gone when a line comes', () => {
    const out = show(sampleRun(), { isTerminal: true })
    expect(out).toContain('│ … Read src/add.js')
    const lines = out.split('\n').map((line) => line.split('\r\u001b[K').at(-1) ?? '')
    expect(lines.filter((line) => line.includes('…'))).toEqual([])
    expect(lines).toEqual(show(sampleRun()).split('\n'))
  })

  it('lets no text of a run become a command: 3,000 runs', () => {
    fc.assert(
      fc.property(hostileText, fc.boolean(), (text, isGitHub) => {
        const { events, call, push } = buildEvents()
        call({ tool: 'Bash', input: { command: text }, text, result: text })
        call({ tool: text, input: { file_path: text }, outcome: 'denied', rule: text })
        push({ type: 'system', subtype: 'warning', code: text, message: text })
        push(endOf(events, { result: text, detail: text }))
        const out = show(events, { isGitHub, verbosity: 'verbose' })
        const obeyed = parseRunnerOutput(out).map(({ name }) => name)
        expect(obeyed).toEqual(
          isGitHub ? ['group', 'stop-commands', 'endgroup', 'group', 'stop-commands', 'endgroup'] : [],
        )
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('stdout', () => {
  const print = (format: 'text' | 'json' | 'stream-json', events = sampleRun(), isGitHub = false): string => {
    let out = ''
    const output = createOutput({
      format,
      isGitHub,
      write: (text) => {
        out += text
      },
    })
    for (const event of events) output.event(event)
    return out
  }

  it('text: the answer, or why there is none', () => {
    expect(print('text')).toBe('The test passes now: `add` returned the difference.\n')
    expect(print('text', sampleRun({ result: '', exit_reason: 'deadline', detail: 'Time is up.' }))).toBe(
      'Time is up.\n',
    )
  })

  it('json: the result on one line', () => {
    expect(JSON.parse(print('json'))).toEqual(sampleRun().at(-1))
    expect(print('json').split('\n')).toHaveLength(2)
  })

  it('stream-json: every event but progress, in order', () => {
    const progress = {
      type: 'system',
      subtype: 'tool_progress',
      parent_tool_use_id: null,
      tool_use_id: 'a',
      tool_name: 'Bash',
      text: 'x',
    } as const
    const lines = print('stream-json', [...sampleRun().slice(0, -1), progress, ...sampleRun().slice(-1)])
      .trimEnd()
      .split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(sampleRun())
  })

  it('is no command on GitHub in any format: 2,000 answers', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const events = sampleRun({ result: text })
        for (const format of ['text', 'json', 'stream-json'] as const)
          expect(parseRunnerOutput(print(format, events, true))).toEqual([])
      }),
      { numRuns: 700 },
    )
  })
})
