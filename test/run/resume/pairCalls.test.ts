import { expect, it } from 'vitest'
import type { AssistantContent, Message, UserContent } from '../../../src/contracts/messages.ts'
import { resultOf } from '../../../src/run/resume/loadResumed.ts'
import { pairCalls } from '../../../src/run/resume/pairCalls.ts'

const said = (text: string) => ({ type: 'text', text }) as const
const call = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command: id } }) as const
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: `of ${id}` }) as const
const lost = (id: string) =>
  ({ type: 'tool_result', tool_use_id: id, content: 'The result of this call was lost.', is_error: true }) as const
const thinking = (words: string, signature: string) => ({ type: 'thinking', thinking: words, signature }) as const
const user = (...content: UserContent[]): Message => ({ role: 'user', content })
const agent = (...content: AssistantContent[]): Message => ({ role: 'assistant', content })

it.each<[string, readonly Message[], readonly Message[], readonly string[]]>([
  ['nothing', [], [], []],
  [
    'an intact conversation is as it was',
    [user(said('do')), agent(said('I look'), call('a')), user(result('a'), said('and')), agent(said('done'))],
    [user(said('do')), agent(said('I look'), call('a')), user(result('a'), said('and')), agent(said('done'))],
    [],
  ],
  [
    'calls of the last answer are open',
    [user(said('do')), agent(call('a'), said('x'), call('b'))],
    [user(said('do')), agent(call('a'), said('x'), call('b'))],
    ['a', 'b'],
  ],
  ['an answer to nothing is left out', [agent(call('a')), user(said('do'))], [user(said('do'))], []],
  [
    'a result that is missing is lost, in the place of its call, before what was said',
    [user(said('do')), agent(call('a'), call('b')), user(said('and'), result('b'))],
    [user(said('do')), agent(call('a'), call('b')), user(lost('a'), result('b'), said('and'))],
    [],
  ],
  [
    'a message of results that is missing',
    [user(said('do')), agent(call('a')), agent(call('b'))],
    [user(said('do')), agent(call('a')), user(lost('a')), agent(call('b'))],
    ['b'],
  ],
  [
    'a result without its call is left out, and so is a message of nothing else',
    [user(said('do')), user(result('z')), agent(said('done')), user(result('z'), said('more'))],
    [user(said('do')), agent(said('done')), user(said('more'))],
    [],
  ],
  [
    'a call has one result',
    [user(said('do')), agent(call('a')), user(result('a'), result('a')), user(result('a'), said('more'))],
    [user(said('do')), agent(call('a')), user(result('a'), said('more'))],
    [],
  ],
  [
    'messages of one side become one',
    [user(said('do')), user(said('it')), agent(said('a')), agent(said('b'))],
    [user(said('do'), said('it')), agent(said('a'), said('b'))],
    [],
  ],
  [
    'thinking that a redaction changed is left out: it is signed',
    [
      user(said('do')),
      agent(thinking('with [REDACTED:KEY]', 's'), thinking('well', 's'), thinking('x', '[REDACTED:KEY]'), said('done')),
    ],
    [user(said('do')), agent(thinking('well', 's'), said('done'))],
    [],
  ],
  [
    'an answer of which nothing is left',
    [user(said('do')), agent(thinking('[REDACTED:KEY]', 's')), user(said('and'))],
    [user(said('do'), said('and'))],
    [],
  ],
  [
    'words with a mark stay',
    [user(said('do')), agent(said('[REDACTED:KEY]'))],
    [user(said('do')), agent(said('[REDACTED:KEY]'))],
    [],
  ],
])('%s', (_, read, messages, open) => {
  const paired = pairCalls(read)
  expect([paired.messages, paired.open.map(({ id }) => id)]).toEqual([messages, open])
})

it.each([
  ['did not start', undefined, 'Not run: the run ended before this call started.'],
  [
    ...(['only reads', true] as const),
    'Interrupted: the run ended while this call was running. It only reads: call it again if you need it.',
  ],
  [
    ...(['may have done something', false] as const),
    'Interrupted, outcome unknown: the run ended while this call was running. It was not run again; look at what it changed before you repeat it.',
  ],
])('a call that %s is told so', (_, is_read_only, content) => {
  const other = { tool_use_id: 'other', tool_name: 'Bash', is_read_only: is_read_only !== true }
  const started = is_read_only === undefined ? [] : [{ tool_use_id: 'a', tool_name: 'Bash', is_read_only }]
  expect(resultOf(call('a'), [other, ...started])).toEqual({
    ...{ type: 'tool_result', tool_use_id: 'a', content, is_error: true },
  })
})
