import { createHash } from 'node:crypto'
import type { ToolUseBlock } from '../contracts/messages.ts'
import type { CallResult } from './runTools/runTools.ts'

/** The consequence of repeated calls: a message to the agent, or the end of the run. */
export type Repeat = { readonly kind: 'warning' | 'end'; readonly text: string }

/** After this many equal failing calls, with only failing calls in between, the run counts as a loop. */
const MAX_EQUAL_FAILURES = 6
/** After this many equal messages in a row it also counts as a loop, even if the calls succeed. */
const MAX_EQUAL_CALLS = 50
const REPEATS_BEFORE_WARNING = 3

/** Detects the same call that keeps failing, even between other failing calls, or that is repeated without end. */
export function createRepeatWatch() {
  const failures = new Map<string, number>()
  let last = { calls: '', results: '', times: 0, equalTimes: 0 }
  return {
    note(toolUses: readonly ToolUseBlock[], results: readonly CallResult[]): Repeat | undefined {
      if (results.length === 0) return undefined
      const calls = hashOf(toolUses.map(({ name, input }) => [name, input]))
      if (results.every(({ block }) => block.is_error === true)) {
        last = { calls: '', results: '', times: 0, equalTimes: 0 }
        const times = (failures.get(calls) ?? 0) + 1
        failures.set(calls, times)
        return failing(times, toolUses)
      }
      failures.clear()
      const came = hashOf(results.map(({ block }) => block.content))
      const isAgain = last.calls === calls
      last = {
        ...{ calls, results: came, times: isAgain ? last.times + 1 : 1 },
        equalTimes: isAgain && last.results === came ? last.equalTimes + 1 : 1,
      }
      return succeeding(last, toolUses)
    },
  }
}

function failing(times: number, toolUses: readonly ToolUseBlock[]): Repeat | undefined {
  const text = `${times} times: ${shown(toolUses)}.`
  if (times >= MAX_EQUAL_FAILURES) return { kind: 'end', text: `The same call failed ${text}` }
  if (times !== REPEATS_BEFORE_WARNING) return undefined
  const advice = `Try another approach; the run ends after ${MAX_EQUAL_FAILURES} times.`
  return { kind: 'warning', text: `This call has failed ${text} ${advice}` }
}

type Repeated = { readonly times: number; readonly equalTimes: number }

function succeeding({ times, equalTimes }: Repeated, toolUses: readonly ToolUseBlock[]): Repeat | undefined {
  const call = shown(toolUses)
  if (times >= MAX_EQUAL_CALLS) return { kind: 'end', text: `The same call was made ${times} times in a row: ${call}.` }
  if (equalTimes !== REPEATS_BEFORE_WARNING) return undefined
  const text = `This call has given the same result ${equalTimes} times: ${call}. Continue with the task.`
  return { kind: 'warning', text }
}

function shown([first]: readonly ToolUseBlock[]): string {
  return first === undefined ? '' : `${first.name} ${JSON.stringify(first.input).slice(0, 100)}`
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}
