import { expect, it } from 'vitest'
import type { RunEvent } from '../../../src/contracts/events.ts'
import { createConsole } from '../../../src/report/console/console.ts'
import { createPulse } from '../../../src/report/console/createPulse.ts'
import { INIT } from '../../helpers/runs/events.ts'
import { playRun } from '../../helpers/runs/playRun.ts'

/** A clock that stands still until it is told to go on. */
function clock() {
  let now = 0
  let due: { at: number; act: () => void } | undefined
  return {
    now: () => now,
    after: (milliseconds: number, act: () => void) => {
      const mine = { at: now + milliseconds, act }
      due = mine
      return () => {
        if (due === mine) due = undefined
      }
    },
    pass(seconds: number) {
      const end = now + seconds * 1_000
      for (let next = due; next !== undefined && next.at <= end; next = due) {
        now = next.at
        due = undefined
        next.act()
      }
      now = end
    },
    isIdle: () => due === undefined,
  }
}

it('tells of what takes long less and less often, but at least every five minutes', () => {
  const time = clock()
  const said: number[] = []
  const pulse = createPulse((_, milliseconds) => said.push(milliseconds / 1_000), time)
  pulse.show({ key: 'a', text: 'a' })
  time.pass(1_300)
  expect(said).toEqual([5, 30, 60, 120, 300, 600, 900, 1_200])
})

it('starts anew with another activity, not with other words for the same, and ends with it', () => {
  const time = clock()
  const said: string[] = []
  const pulse = createPulse((text, milliseconds) => said.push(`${text} ${milliseconds / 1_000}`), time)
  pulse.show({ key: 'a', text: 'a' })
  time.pass(4)
  pulse.show({ key: 'b', text: 'b' })
  time.pass(6)
  pulse.show({ key: 'b', text: 'b, half done' })
  time.pass(30)
  pulse.show(undefined)
  time.pass(900)
  expect(said).toEqual(['b 5', 'b, half done 30'])
  expect(time.isIdle()).toBe(true)
})

const RUN = { type: 'system', parent_tool_use_id: null } as const
const intent = (id: string, activity: string): RunEvent => {
  const call = { tool_use_id: id, tool_name: 'Bash', tool_input: {}, is_read_only: false, activity }
  return { ...RUN, subtype: 'tool_intent', ...call }
}
const ended = (id: string): RunEvent => ({
  ...{ type: 'user', message: { role: 'user', content: [] }, parent_tool_use_id: null },
  tool_use_result: [{ tool_use_id: id, tool_name: 'Bash', outcome: 'ok', duration_ms: 1 }],
})

function played(options: { readonly isTerminal?: boolean; readonly verbosity?: 'quiet' | 'normal' }) {
  const time = clock()
  const out: string[] = []
  const write = (text: string) => void out.push(text)
  const usual = { isTerminal: false, isGitHub: false, verbosity: 'normal', timers: time } as const
  const console = createConsole({ ...usual, write, ...options })
  const steps: (RunEvent | number)[] = [
    { ...RUN, subtype: 'activity', text: 'waiting for claude-x' },
    6,
    { ...RUN, subtype: 'activity', text: 'waiting for another', parent_tool_use_id: 'agent' },
    ...[intent('a', 'Running npm test'), 2, intent('b', 'Running sleep 9'), 4],
    { ...RUN, subtype: 'tool_progress', tool_use_id: 'a', tool_name: 'Bash', text: 'one\n12 of 80 passed\n' },
    ...[30, ended('a'), 6, ended('b'), 4],
    { ...RUN, subtype: 'activity', text: 'check npm run lint' },
    7,
  ]
  console.event(INIT)
  for (const step of steps) {
    if (typeof step === 'number') time.pass(step)
    else console.event(step)
  }
  console.close()
  expect(time.isIdle()).toBe(true)
  return out
    .join('')
    .split('\n')
    .filter((line) => line.includes('so far'))
}

it('a log without a terminal says what the run waits for: the model, the oldest call, a check', () => {
  expect(played({})).toEqual([
    '│ · waiting for claude-x: 5 s so far',
    '│ · Running npm test and 1 more: 5 s so far',
    '│ · Running npm test and 1 more, last output “12 of 80 passed”: 30 s so far',
    '│ · Running sleep 9: 5 s so far',
    '│ · check npm run lint: 5 s so far',
  ])
  expect(played({ verbosity: 'quiet' })).toEqual([])
  expect(played({ isTerminal: true })).toEqual([])
})

it('in a real run, with the time before each line', { tags: 'long' }, async () => {
  const run = await playRun([{ name: 'Bash', input: { command: 'echo begun; sleep 5.5' } }], {
    args: ['--timestamps'],
    policy: 'version: 1\npermissions: { allow: [Bash] }\n',
  })
  expect(run.stderr).toMatch(/^│ \d\d:\d\d:\d\d · Running echo begun; sleep 5\.5.*: 5(?:\.\d)? s so far$/m)
  const lines = run.stderr.split('\n').filter((line) => line.startsWith('│'))
  expect(lines.filter((line) => !/^│ \d\d:\d\d:\d\d /.test(line))).toEqual([])
})
