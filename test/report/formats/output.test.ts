import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createOutput } from '../../../src/report/formats/output.ts'
import { parseRunnerOutput } from '../../helpers/github/runnerParser.ts'
import { hostileText } from '../../helpers/hostileText.ts'
import { sampleRun } from '../../helpers/runs/events.ts'
import { times } from '../../helpers/sampled.ts'

describe('stdout', () => {
  const print = (format: 'text' | 'json' | 'stream-json', events = sampleRun(), isObeyed = false): string => {
    const out: string[] = []
    const output = createOutput({ format, isObeyed, write: (text) => out.push(text) })
    for (const event of events) output.event(event)
    return out.join('')
  }

  it('text: the answer, or why there is none', () => {
    expect(print('text')).toBe('The test passes now: `add` returned the difference.\n')
    const late = sampleRun({ result: '', exit_reason: 'deadline', detail: 'Time is up.' })
    expect(print('text', late)).toBe('Time is up.\n')
    const hostile = sampleRun({ result: '\x1b[2J\x07a\u202eb\r\n\tc 👨‍👩‍👧' })
    expect(print('text', hostile)).toBe('[2Jab\n\tc 👨‍👩‍👧\n')
  })

  it('json: the result on one line', () => {
    expect(JSON.parse(print('json'))).toEqual(sampleRun().at(-1))
    expect(print('json').split('\n')).toHaveLength(2)
  })

  it('stream-json: every event but progress, in order', () => {
    const call = { parent_tool_use_id: null, tool_use_id: 'a', tool_name: 'Bash' }
    const progress = { type: 'system', subtype: 'tool_progress', ...call, text: 'x' } as const
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
