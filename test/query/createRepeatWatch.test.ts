import { describe, expect, it } from 'vitest'
import { createRepeatWatch, type Repeat } from '../../src/query/createRepeatWatch.ts'

type Step = readonly [input: string, result: string, isError?: boolean]

/** What is said after each message of one call. */
function said(steps: readonly Step[]): (Repeat | undefined)[] {
  const { note } = createRepeatWatch()
  return steps.map(([input, content, is_error = false], index) => {
    const id = `toolu_${index}`
    const outcome = { tool_use_id: id, tool_name: 'Bash', outcome: 'ok', duration_ms: 0 } as const
    const block = { type: 'tool_result', tool_use_id: id, content, ...(is_error ? { is_error } : {}) } as const
    const toolUse = { type: 'tool_use', id, name: 'Bash', input: { command: input } } as const
    return note([toolUse], [{ block, outcome, additionalContext: [] }])
  })
}

const fails = (input: string): Step => [input, `no ${input}`, true]
const times = <Item>(count: number, ...items: readonly Item[]): Item[] =>
  Array.from({ length: count }, () => items).flat()
const kinds = (steps: readonly Step[]) => said(steps).map((repeat) => repeat?.kind ?? '')

describe('createRepeatWatch', () => {
  it('says what is repeated, in at most a hundred characters, and what follows', () => {
    expect(said(times(3, fails('x'))).at(-1)?.text).toBe(
      'This call has failed 3 times: Bash {"command":"x"}. Try another approach; the run ends after 6 times.',
    )
    const long = 'y'.repeat(200)
    expect(said(times(3, [long, 'same'])).at(-1)?.text).toBe(
      `This call has given the same result 3 times: Bash {"command":"${'y'.repeat(88)}. Continue with the task.`,
    )
    expect(said(times(50, ['ls', 'a'])).at(-1)?.text).toBe(
      'The same call was made 50 times in a row: Bash {"command":"ls"}.',
    )
  })

  it('says nothing of a message without results, and names no call where there is none', () => {
    const { note } = createRepeatWatch()
    const use = { type: 'tool_use', id: 'a', name: 'Bash', input: {} } as const
    expect(Array.from({ length: 9 }, () => note([use], []))).toEqual(times(9, undefined))
    const block = { type: 'tool_result', tool_use_id: 'a', content: '', is_error: true } as const
    const outcome = { tool_use_id: 'a', tool_name: 'Bash', outcome: 'ok', duration_ms: 0 } as const
    const result = { block, outcome, additionalContext: [] }
    expect(
      times(3, result)
        .map((each) => note([], [each]))
        .at(-1)?.text,
    ).toContain('3 times: . Try another')
  })

  it('a message with one call that succeeds is none that fails', () => {
    const { note } = createRepeatWatch()
    const result = (is_error: boolean) =>
      ({
        block: { type: 'tool_result', tool_use_id: 'a', content: String(is_error), is_error },
        outcome: { tool_use_id: 'a', tool_name: 'Bash', outcome: 'ok', duration_ms: 0 },
        additionalContext: [],
      }) as const
    const use = { type: 'tool_use', id: 'a', name: 'Bash', input: {} } as const
    const said = Array.from({ length: 6 }, () => note([use, use], [result(true), result(false)])?.kind)
    expect(said).toEqual([undefined, undefined, 'warning', undefined, undefined, undefined])
  })

  it('counts anew after another call, after another result, and after a failure', () => {
    const same: Step = ['ls', 'a']
    expect(kinds([same, same, ['pwd', 'a'], same, same])).toEqual(times(5, ''))
    expect(kinds([same, same, ['ls', 'b'], same, same])).toEqual(times(5, ''))
    expect(kinds([same, same, fails('ls'), same, same])).toEqual(times(5, ''))
    expect(kinds([same, same, fails('ls'), same, same, same]).at(-1)).toBe('warning')
    // Another result, but the same call: it is one of the fifty.
    expect(kinds(Array.from({ length: 50 }, (_, index): Step => ['ls', `${index}`])).at(-1)).toBe('end')
  })

  it('warns at the third equal failure, and ends at the sixth', () => {
    expect(kinds(times(6, fails('x')))).toEqual(['', '', 'warning', '', '', 'end'])
    expect(said(times(6, fails('x'))).at(-1)?.text).toBe('The same call failed 6 times: Bash {"command":"x"}.')
  })

  it('counts alternating calls that fail', () => {
    expect(kinds(times(6, fails('x'), fails('y'))).slice(4, 6)).toEqual(['warning', 'warning'])
    expect(kinds(times(6, fails('x'), fails('y'))).at(-1)).toBe('end')
  })

  it('starts over once a call succeeds, as between an edit and a test', () => {
    expect(kinds(times(20, fails('npm test'), ['edit', 'done']))).toEqual(times(40, ''))
  })

  it('warns if a call keeps giving the same result, and ends at the fiftieth', () => {
    const all = kinds(times(50, ['ls', 'a b']))
    expect([all[1], all[2], all[3], all[48], all[49]]).toEqual(['', 'warning', '', '', 'end'])
  })

  it('allows polling: different results cause no warning', () => {
    expect(kinds(Array.from({ length: 40 }, (_, index): Step => ['status', `at ${index}`]))).toEqual(times(40, ''))
    expect(kinds(times(40, ['sleep', ''], ['status', 'not yet']))).toEqual(times(80, ''))
  })
})
