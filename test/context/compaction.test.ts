import { expect, it } from 'vitest'
import { type CompactionFacts, compactedMessage, compactionPrompt, denialLine } from '../../src/context/compaction.ts'
import { estimateTokens } from '../../src/context/estimateTokens.ts'
import { mergeTouchedFiles, NO_FILES, touchedFiles } from '../../src/context/touchedFiles.ts'
import { withoutOldImages } from '../../src/context/withoutOldImages.ts'
import type { Message, ToolResultContent } from '../../src/contracts/messages.ts'

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

const image = (data: string) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }) as const
const document = (data: string) =>
  ({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } }) as const
const seen = (id: string, ...content: readonly ToolResultContent[]): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content }],
})

/** Images and documents of ten, forty, twenty and thirty bytes. */
const LOOKED_AT: readonly Message[] = [
  { role: 'user', content: [{ type: 'text', text: 'Look.' }, image('a'.repeat(10))] },
  call('Read', { file_path: '/p/b.png' }),
  seen('toolu_1', { type: 'text', text: 'an image' }, image('b'.repeat(40))),
  call('NotebookRead', { notebook_path: '/p/c.ipynb' }),
  seen('toolu_1', document('c'.repeat(20))),
  result('no image'),
  { role: 'user', content: [document('d'.repeat(30))] },
  {
    role: 'assistant',
    content: [
      { type: 'redacted_thinking', data: 'secret thought' },
      { type: 'text', text: 'Seen.' },
    ],
  },
]

const FACTS: CompactionFacts = {
  task: 'Fix the test.',
  todos: [{ content: 'Run it', status: 'in_progress', activeForm: 'Running' }],
  files: mergeTouchedFiles(touchedFiles(CONVERSATION), touchedFiles(LOOKED_AT)),
  denials: [
    denialLine('Bash', { command: 'git push' }, 'no rule\n  allows it'),
    denialLine('Write', { content: 'x'.repeat(500) }, 'y'.repeat(300)),
  ],
}

function short(text: string): string {
  return text.replace(/(.)\1{59,}/g, (all, sign: string) => `${sign}… ${all.length} times`)
}

// Read it as the model does: `npx vitest run test/context/compaction.test.ts -u` writes it.
it('is what the model gets after a conversation that was too long', async () => {
  const asked = [...CONVERSATION, ...LOOKED_AT]
  const { system, prompt } = compactionPrompt(asked, 100_000)
  const many = Array.from({ length: 60 }, (_, index) => `call ${index}`)
  const none: CompactionFacts = { task: 'T', todos: [], files: NO_FILES, denials: [] }
  const lighter: string[] = []
  for (let left = withoutOldImages(LOOKED_AT); left !== undefined; left = withoutOldImages(left.messages))
    lighter.push(`${left.dropped} left out:`, ...left.messages.map((message) => JSON.stringify(message.content)))
  const parts = {
    'the question': `${system}\n\n${prompt}`,
    'the question of a small model': compactionPrompt(asked, 300).prompt,
    'the message that goes on': compactedMessage(FACTS, ' Half done. '),
    'the message without facts': compactedMessage(none, 'S'),
    'the message after many denials': compactedMessage({ ...none, denials: many }, 'S'),
    'without old images': lighter.join('\n'),
    tokens: asked.map((message) => `${estimateTokens([message])} for ${JSON.stringify(message.content)}`).join('\n'),
  }
  const told = Object.entries(parts).map(([name, text]) => `== ${name}\n${short(text)}\n`)
  expect(prompt).not.toContain('secret thought')
  await expect(told.join('\n')).toMatchFileSnapshot('golden/compaction.txt')
})

it('fits the limit for any conversation', () => {
  const long = Array.from({ length: 200 }, () => CONVERSATION).flat()
  expect(compactionPrompt(long, 20_000).prompt.length).toBeLessThan(21_500)
})
