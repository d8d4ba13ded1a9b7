import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RunEvent } from '../../../src/contracts/events.ts'
import { type ConsoleOptions, createConsole } from '../../../src/report/console/console.ts'
import { failureLines } from '../../../src/report/console/consoleLines.ts'
import { hasColors } from '../../../src/report/console/paintLine.ts'
import { parseRunnerOutput } from '../../helpers/github/runnerParser.ts'
import { hostileText } from '../../helpers/hostileText.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { buildEvents, endOf, longRun, stamp } from '../../helpers/runs/events.ts'
import { times } from '../../helpers/sampled.ts'

function show(events: readonly RunEvent[], options: Partial<ConsoleOptions> = {}): string {
  const out: string[] = []
  const write = (text: string) => void out.push(text)
  const console = createConsole({ write, isTerminal: false, isGitHub: false, verbosity: 'normal', ...options })
  for (const event of events) console.event(event)
  console.close()
  return out.join('')
}

describe('the log', () => {
  it('prints the head of the transcript once, at the end, as verify --head accepts it', () => {
    const records = stamp(longRun(120))
    const last = hash('sha256', JSON.stringify(records.at(-1)))
    expect([...show(records).matchAll(/head ([0-9a-f]{64})/g)].map(([, head]) => head)).toEqual([last])
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
        const turn = ['group', 'stop-commands', 'endgroup']
        expect(obeyed).toEqual(isGitHub ? [...turn, ...turn] : [])
      }),
      { numRuns: times(3_000, 400) },
    )
  })
})
