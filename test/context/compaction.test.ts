import { describe, expect, it } from 'vitest'
import { compactedMessage, compactionPrompt } from '../../src/context/compaction.ts'
import { touchedFiles } from '../../src/context/touchedFiles.ts'
import type { Message } from '../../src/contracts/messages.ts'

function call(name: string, input: Record<string, unknown>): Message {
  return { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name, input }] }
}

function result(content: string, is_error = false): Message {
  return { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content, is_error }] }
}

const CONVERSATION: readonly Message[] = [
  { role: 'user', content: [{ type: 'text', text: 'Fix the test.' }] },
  call('Read', { file_path: '/p/a.ts' }),
  result('x'.repeat(50_000)),
  call('Edit', { file_path: '/p/b.ts', old_string: 'a', new_string: 'b' }),
  result('no such text', true),
  call('Read', { file_path: '/p/b.ts' }),
  call('Bash', { command: 'npm test' }),
  { role: 'assistant', content: [{ type: 'thinking', thinking: 'secret thought', signature: 's' }] },
]

describe('touchedFiles', () => {
  it('distinguishes files that were read from files that were changed', () => {
    expect(touchedFiles(CONVERSATION)).toEqual({ read: ['/p/a.ts'], changed: ['/p/b.ts'] })
  })
})

describe('compactionPrompt', () => {
  it('contains calls and results in order, with long ones cut', () => {
    const { prompt } = compactionPrompt(CONVERSATION, 100_000)
    expect(prompt).toMatch(/Fix the test[\s\S]*call Read[\s\S]*result: x[\s\S]*call Edit[\s\S]*error: no such text/)
    expect(prompt.length).toBeLessThan(10_000)
    expect(prompt).not.toContain('secret thought')
  })

  it('fits the limit for any conversation', () => {
    const long = Array.from({ length: 200 }, () => CONVERSATION).flat()
    expect(compactionPrompt(long, 20_000).prompt.length).toBeLessThan(21_500)
  })
})

describe('compactedMessage', () => {
  it('keeps the task and the facts verbatim', () => {
    const text = compactedMessage(
      {
        task: 'Fix the test.',
        todos: [{ content: 'Run it', status: 'in_progress', activeForm: 'Running' }],
        files: touchedFiles(CONVERSATION),
        denials: ['Bash: git push\nno rule allows it'],
      },
      ' Half done. ',
    )
    expect(text).toMatch(/^Fix the test\.\n\n/)
    expect(text).toContain('- [in_progress] Run it')
    expect(text).toContain('# Files you changed\n- /p/b.ts')
    expect(text).toContain('- Bash: git push no rule allows it')
    expect(text).toMatch(/# Summary\nHalf done\.$/)
  })

  it('leaves out empty sections, and counts entries over the limit', () => {
    const denials = Array.from({ length: 60 }, (_, index) => `call ${index}`)
    const text = compactedMessage({ task: 'T', todos: [], files: { read: [], changed: [] }, denials }, 'S')
    expect(text).not.toContain('# Steps')
    expect(text).toContain('- … and 10 before\n- call 10')
  })
})
