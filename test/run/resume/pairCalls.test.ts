import { expect, it } from 'vitest'
import type { Message } from '../../../src/contracts/messages.ts'
import { resultOf } from '../../../src/run/resume/loadResumed.ts'
import { pairCalls } from '../../../src/run/resume/pairCalls.ts'
import { listOf, table } from '../../helpers/table.ts'

const call = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command: id } }) as const

/** `call a` is a call, `result a` its result, `lost a` one that says so, `thinking b signed c` signed; all else is said. */
function contentOf(words: string): object {
  const [, kind, id = ''] = /^(call|result|lost) (\w)$/.exec(words) ?? []
  const result = { type: 'tool_result', tool_use_id: id, content: `of ${id}` }
  if (kind === 'call') return call(id)
  if (kind === 'result') return result
  if (kind === 'lost') return { ...result, content: 'The result of this call was lost.', is_error: true }
  const [, thinking, signature] = /^thinking (.*) signed (.*)$/.exec(words) ?? []
  return thinking === undefined ? { type: 'text', text: words } : { type: 'thinking', thinking, signature }
}

/** Messages between slashes, each its side and, between commas, what it holds. */
function messagesOf(cell: string): Message[] {
  const messages = [...cell.matchAll(/(user|assistant) (.*?)(?: \/ |$)/g)]
  return messages.map(([, role, parts = '']) => ({ role, content: listOf(parts).map(contentOf) }) as Message)
}

it.each([
  ...table`
    an intact conversation is as it was
      | user do / assistant I look, call a / user result a, and / assistant done
      | user do / assistant I look, call a / user result a, and / assistant done |
    calls of the last answer are open
      | user do / assistant call a, x, call b | user do / assistant call a, x, call b | a, b
    an answer to nothing is left out | assistant call a / user do | user do |
    a result that is missing is lost, in the place of its call, before what was said
      | user do / assistant call a, call b / user and, result b
      | user do / assistant call a, call b / user lost a, result b, and |
    a message of results that is missing
      | user do / assistant call a / assistant call b | user do / assistant call a / user lost a / assistant call b | b
    a result without its call is left out, and so is a message of nothing else
      | user do / user result z / assistant done / user result z, more | user do / assistant done / user more |
    a call has one result
      | user do / assistant call a / user result a, result a / user result a, more
      | user do / assistant call a / user result a, more |
    messages of one side become one
      | user do / user it / assistant a / assistant b | user do, it / assistant a, b |
    thinking that a redaction changed is left out: it is signed
      | user do / assistant thinking with [REDACTED:KEY] signed s, thinking well signed s, thinking x signed [REDACTED:KEY], done
      | user do / assistant thinking well signed s, done |
    an answer of which nothing is left
      | user do / assistant thinking [REDACTED:KEY] signed s / user and | user do, and |
    words with a mark stay | user do / assistant [REDACTED:KEY] | user do / assistant [REDACTED:KEY] |
  `,
  ['nothing', '', '', ''],
])('%s', (_, read = '', messages = '', open = '') => {
  const paired = pairCalls(messagesOf(read))
  expect([paired.messages, paired.open.map(({ id }) => id)]).toEqual([messagesOf(messages), listOf(open)])
})

it.each(table`
  did not start | | Not run: the run ended before this call started.
  only reads | true | Interrupted: the run ended while this call was running. It only reads: call it again if you need it.
  may have done something | false
    | Interrupted, outcome unknown: the run ended while this call was running. It was not run again; look at what it changed before you repeat it.
`)('a call that %s is told so', (_, reads, content) => {
  const other = { tool_use_id: 'other', tool_name: 'Bash', is_read_only: reads !== 'true' }
  const started = { tool_use_id: 'a', tool_name: 'Bash', is_read_only: reads === 'true' }
  expect(resultOf(call('a'), reads === '' ? [other] : [other, started])).toEqual({
    ...{ type: 'tool_result', tool_use_id: 'a', content, is_error: true },
  })
})
