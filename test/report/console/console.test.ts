import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ResultEvent, RunEvent } from '../../../src/contracts/events.ts'
import { type ConsoleOptions, createConsole } from '../../../src/report/console/console.ts'
import { failureLines } from '../../../src/report/console/consoleLines.ts'
import { hasColors } from '../../../src/report/console/paintLine.ts'
import type { Ending } from '../../../src/report/fold/result.ts'
import { createOutput } from '../../../src/report/formats/output.ts'
import { parseRunnerOutput } from '../../helpers/github/runnerParser.ts'
import { hostileText } from '../../helpers/hostileText.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { buildEvents, endOf, INIT, longRun, sampleRun, stamp } from '../../helpers/runs/events.ts'
import { times } from '../../helpers/sampled.ts'

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

  it('on GitHub has a group for each turn, without other commands in it', async () => {
    const out = show(sampleRun(), { isGitHub: true })
    await expect(out.replace(/[0-9a-f]{32}/g, 'TOKEN')).toMatchFileSnapshot('golden/console-github.txt')
    const names = parseRunnerOutput(out).map(({ name }) => name)
    expect(names).toEqual(Array.from({ length: 6 }, () => ['group', 'stop-commands', 'endgroup']).flat())
  })

  it('prints the head of the transcript once, at the end, as verify --head accepts it', () => {
    const records = stamp(longRun(120))
    const last = createHash('sha256')
      .update(JSON.stringify(records.at(-1)))
      .digest('hex')
    expect([...show(records).matchAll(/head ([0-9a-f]{64})/g)].map(([, head]) => head)).toEqual([last])
  })

  it('reports a failed hook once, although its warning is recorded too', () => {
    const failed = { hook: 'audit.sh', outcome: 'failed', detail: 'exit code 1', duration_ms: 1 } as const
    const out = show([
      { type: 'system', subtype: 'hook', event: 'PostToolUse', ...failed, parent_tool_use_id: null },
      { type: 'system', subtype: 'warning', code: 'hook_failed', message: 'PostToolUse hook audit.sh: exit code 1' },
    ])
    expect(out).toContain('! Hook PostToolUse: failed: audit.sh: exit code 1\n')
    expect(out.trimEnd().split('\n')).toHaveLength(1)
  })

  it('says why a call failed, with the exit code, or was refused as invalid', () => {
    const { events, call } = buildEvents()
    const result = 'FAIL a.test.js\n<stderr>\nboom\n</stderr>\nExit code 1'
    call({ tool: 'Bash', input: { command: 'npm test' }, outcome: 'error', result })
    call({ tool: 'Read', input: { file_path: 'a' }, outcome: 'error', result: '<error>\nThere is no file a.\nmore' })
    call({ tool: 'Edit', input: { file_path: 'a' }, outcome: 'invalid', result: 'old_string is missing' })
    call({ tool: 'Read', input: { file_path: 'b' }, outcome: 'invalid', result: 'It does not fit:\n- limit: is text' })
    const kept = 'Nothing that this command changed was kept: a (modified)'
    call({ tool: 'Bash', input: { command: 'mv a b' }, outcome: 'error', result: `Exit code 2\n${kept}` })
    expect(show(events).trimEnd().split('\n')).toEqual([
      '│ ✗ Bash(npm test) error, 12 ms: Exit code 1',
      '│ ✗ Read(a) error, 12 ms: There is no file a.',
      '│ ✗ Edit(a) invalid, 12 ms: old_string is missing',
      '│ ✗ Read(b) invalid, 12 ms: It does not fit: - limit: is text',
      `│ ✗ Bash(mv a b) error, 12 ms: Exit code 2; ${kept}`,
    ])
  })

  it('has a line for a check that passed, and the last lines of one that failed', () => {
    const check = { type: 'system', subtype: 'check', attempt: 1, duration_ms: 1200 } as const
    const output = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`).join('\n')
    const out = show([
      { ...check, command: 'npm test', ok: true, exit_code: 0, output: 'fine' },
      { ...check, command: 'npm run lint', ok: false, exit_code: 2, attempt: 2, output },
    ])
    const last = Array.from({ length: 8 }, (_, at) => `│     line ${at + 13}`)
    expect(out.trimEnd().split('\n')).toEqual([
      '│ ✓ Check passed: npm test, 1.2 s',
      '│ ✗ Check failed: npm run lint, exit code 2, attempt 2',
      ...last,
    ])
  })

  it.each([
    ['node:test in TAP', 'tap', ['not ok 2 - adds', '  error: |-', '    3 !== 4']],
    ['node:test for people', 'spec', ['✖ adds', '  AssertionError', '  3 !== 4']],
  ])('shows the failure, not the counts after it: %s', (_, reporter, words) => {
    const file = join(makeFolder(), 'a.test.mjs')
    const later = 'for (let at = 0; at < 9; at++) test(`later ${at}`, () => {})'
    const tests = `test('fine', () => {})\ntest('adds', () => assert.strictEqual(3, 4))\n${later}\n`
    writeFileSync(file, `import test from 'node:test'\nimport assert from 'node:assert'\n${tests}`)
    const output = spawnSync(process.execPath, ['--test', `--test-reporter=${reporter}`, file], { encoding: 'utf8' })
    const shown = failureLines(output.stdout, 8)
    expect(shown.length).toBeLessThanOrEqual(8)
    for (const word of words) expect(shown).toContainEqual(expect.stringContaining(word))
  })

  it('marks the calls of a sub-agent with its name, and shows todos as text', () => {
    const { events, call } = buildEvents()
    const todos = [
      { content: 'Look', status: 'completed', activeForm: 'Looking' },
      { content: 'Mend it', status: 'in_progress', activeForm: 'Mending' },
    ]
    call({ tool: 'TodoWrite', input: { todos } })
    const owner = call({ tool: 'Agent', input: { prompt: 'x', subagent_type: 'reviewer' } })
    call({ tool: 'Read', input: { file_path: 'a' }, text: 'I look.', owner })
    const lines = show(events).trimEnd().split('\n')
    expect(lines[0]).toBe('│ ✓ TodoWrite(1 of 2 done; now: Mend it) 12 ms')
    expect(lines.slice(2)).toEqual(['│   [reviewer] “I look.”', '│   [reviewer] ✓ Read(a) 12 ms'])
  })

  it('has colors on request, and never those of a text', () => {
    const { events, call } = buildEvents()
    call({ tool: 'Read', input: { file_path: 'a' } })
    call({ tool: 'Read', input: { file_path: '\u001b[31mred' }, outcome: 'error', result: 'no' })
    const out = show(events, { hasColors: true })
    expect(out).toMatch(/^│ \u001b\[32m✓\u001b\[0m Read\(a\)/)
    expect(out.split('\n')[1]).toMatch(/^│ \u001b\[31m✗\u001b\[0m [^\u001b]*$/)
    expect(show(events)).not.toContain('\u001b')
  })

  it.each<[string, 'auto' | 'always' | 'never', boolean, Record<string, string>, boolean]>([
    ['a terminal', 'auto', true, {}, true],
    ['a pipe', 'auto', false, {}, false],
    ['NO_COLOR', 'auto', true, { NO_COLOR: '1' }, false],
    ['an empty NO_COLOR', 'auto', true, { NO_COLOR: '' }, true],
    ['a dumb terminal', 'auto', true, { TERM: 'dumb' }, false],
    ['--color always', 'always', false, { NO_COLOR: '1' }, true],
    ['--color never', 'never', true, {}, false],
  ])('colors: %s', (_, when, isTerminal, environment, expected) => {
    expect(hasColors(when, isTerminal, environment)).toBe(expected)
  })

  it.each<[Partial<Ending>, string | undefined]>([
    [{ exit_reason: 'max_turns' }, '--max-turns 100'],
    [{ exit_reason: 'max_budget' }, '--max-budget-usd 10'],
    [{ exit_reason: 'max_tool_calls' }, '--max-tool-calls 1000'],
    [{ exit_reason: 'deadline' }, ''],
    [{ exit_reason: 'sigterm' }, ''],
    [{ exit_reason: 'api_unavailable' }, ''],
    [{ exit_reason: 'completed' }, undefined],
    [{ exit_reason: 'auth' }, undefined],
    [{ exit_reason: 'blocked' }, undefined],
  ])('for a run that ended with %j names the transcript and how to resume', (ending, flags) => {
    const events = sampleRun(ending)
    const path = (events.at(-1) as ResultEvent).transcript_path
    const out = show(events)
    expect(out).toContain(`│ Transcript: ${path}\n`)
    const command = `│ Continue with: kode-run --resume ${path} ${flags ?? ''}`.trimEnd()
    expect(out.includes('Continue with')).toBe(flags !== undefined)
    if (flags !== undefined) expect(out.trimEnd().split('\n').at(-1)).toBe(command)
  })

  it('says that an open network is unrestricted', () => {
    const { events } = buildEvents()
    const init = { ...INIT, network: { mode: 'open', state: 'off' } } as const
    expect(show([init, ...events])).toContain(', network: unrestricted\n')
  })

  it('quiet prints nothing for a successful run, and the reason for a failed one', () => {
    expect(show(sampleRun(), { verbosity: 'quiet' })).toBe('')
    expect(show(sampleRun({ exit_reason: 'blocked', detail: 'No right to push.' }), { verbosity: 'quiet' })).toMatch(
      /No right to push/,
    )
  })

  it('on a terminal has a live line that the next line replaces', () => {
    const out = show(sampleRun(), { isTerminal: true })
    expect(out).toContain('│ … Read src/add.js')
    const lines = out.split('\n').map((line) => line.split('\r\u001b[K').at(-1) ?? '')
    expect(lines.filter((line) => line.includes('…'))).toEqual([])
    expect(lines).toEqual(show(sampleRun()).split('\n'))
  })

  it('never turns text of a run into a command', () => {
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
      { numRuns: times(3_000, 400) },
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

  it('is never a command on GitHub in any format: 2,000 answers', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const events = sampleRun({ result: text })
        for (const format of ['text', 'json', 'stream-json'] as const)
          expect(parseRunnerOutput(print(format, events, true))).toEqual([])
      }),
      { numRuns: times(700, 200) },
    )
  })
})
