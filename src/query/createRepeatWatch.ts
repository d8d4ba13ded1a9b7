import { createHash } from 'node:crypto'
import type { ToolUseBlock } from '../contracts/messages.ts'
import type { CallResult } from '../runTools.ts'

/** What repeated calls come to: a word to the agent, or the end of the run. */
export type Repeat = { readonly kind: 'word' | 'end'; readonly text: string }

/** Equal failing calls, with nothing but failing ones between them, after which the run is a loop. */
const MOST_EQUAL_FAILURES = 6
/** Equal messages one after the other after which it is one, though the calls succeed. */
const MOST_EQUAL_CALLS = 50
const REPEATS_BEFORE_WORD = 3

/**
 * Watches a conversation for calls that bring it no further: the same call that fails again and again, also in turn with
 * others that fail, and the same call without end.
 */
export function createRepeatWatch() {
  const failures = new Map<string, number>()
  let last = { calls: '', results: '', times: 0, equalTimes: 0 }
  return {
    /** Takes the calls of one message and what they came to. */
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
  if (times >= MOST_EQUAL_FAILURES)
    return { kind: 'end', text: `The same call failed ${times} times: ${shown(toolUses)}.` }
  if (times !== REPEATS_BEFORE_WORD) return undefined
  const text = `This call has failed ${times} times: ${shown(toolUses)}. Do it another way; after ${MOST_EQUAL_FAILURES} times the run ends.`
  return { kind: 'word', text }
}

function succeeding(
  { times, equalTimes }: { readonly times: number; readonly equalTimes: number },
  toolUses: readonly ToolUseBlock[],
): Repeat | undefined {
  if (times >= MOST_EQUAL_CALLS) {
    return { kind: 'end', text: `The same call was made ${times} times in a row: ${shown(toolUses)}.` }
  }
  if (equalTimes !== REPEATS_BEFORE_WORD) return undefined
  return {
    kind: 'word',
    text: `This call has given the same result ${equalTimes} times: ${shown(toolUses)}. Go on from it.`,
  }
}

function shown([first]: readonly ToolUseBlock[]): string {
  return first === undefined ? '' : `${first.name} ${JSON.stringify(first.input).slice(0, 100)}`
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}
