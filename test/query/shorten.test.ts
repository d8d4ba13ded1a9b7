import { describe, expect, it } from 'vitest'
import { joinMessage, type Message } from '../../src/contracts/messages.ts'
import { type Loop, newLoopState, userEvent } from '../../src/query/Loop.ts'
import { contextTokens, ensureContextFits, measure } from '../../src/query/shorten.ts'
import { calls, compaction, image, playLoop, text, tooLong, use } from '../helpers/runs/loopLab.ts'

const said = (words: string): Message => ({ role: 'user', content: [{ type: 'text', text: words }] })
const withImages = (count: number, words: string) =>
  ({ role: 'user', content: [...Array(count).fill(image), { type: 'text', text: words }] }) as Message

describe('the room of a conversation', () => {
  const sized = (messages: readonly Message[], compactAt = 100) =>
    ({ state: newLoopState(1), messages: [...messages], compactAt }) as unknown as Loop
  const usage = (input_tokens: number) => ({
    ...{ input_tokens, output_tokens: 10, cache_creation_input_tokens: 20, cache_read_input_tokens: 30 },
  })

  it('is what the API counted, and an estimate of what came since', () => {
    const loop = sized([said('do it')])
    measure(loop, usage(5))
    expect(loop.state).toMatchObject({ contextTokens: 65, measuredMessages: 2 })
    loop.messages.push({ role: 'assistant', content: [{ type: 'text', text: 'x'.repeat(9_000) }] })
    expect(contextTokens(loop)).toBe(65)
    loop.messages.push(said('y'.repeat(9_000)))
    const grown = contextTokens(loop)
    expect(grown).toBeGreaterThan(65)
    expect(grown).toBeLessThan(65 + 6_000)
  })

  it.each([
    ['below the limit', 39, 0, false],
    ['at the limit', 40, 2, true],
  ])('an answer %s shows whether earlier attempts have helped', (_, tokens, compactions, imagesDropped) => {
    const loop = sized([said('do it')])
    Object.assign(loop.state, { compactions: 2, imagesDropped: true })
    measure(loop, usage(tokens))
    expect(loop.state).toMatchObject({ compactions, imagesDropped })
  })

  it.each([
    [99, []],
    [100, ['auto']],
  ])('with %i of 100 tokens', async (tokens, expected) => {
    const loop = sized([said('do it')])
    Object.assign(loop.state, { contextTokens: tokens, measuredMessages: 1 })
    const { asked, compact } = compaction()
    const signal = new AbortController().signal
    for await (const _ of ensureContextFits({ ...loop, compact, signal })) expect.unreachable()
    expect(asked).toEqual(expected)
  })

  it('a shorter conversation has no count any more; one without its images has', async () => {
    const state = newLoopState(8_000)
    const seen: number[] = []
    const frame = async () => {
      seen.push(state.contextTokens)
      return { model: 'm', system: '', tools: [] }
    }
    const { compact } = compaction([withImages(1, 'short')])
    const answers = [calls(use('a', 'Look')), tooLong('context_too_long'), calls(use('b', 'Look'))]
    const run = await playLoop([...answers, tooLong('request_too_large'), text('done')], { state, frame, compact })
    expect([run.end.reason, seen]).toEqual(['completed', [0, 15, 0, 15, 15]])
  })

  it('images are dropped once before an answer comes, then the conversation is shortened', async () => {
    const { asked, compact } = compaction([withImages(4, 'see')], [said('short')])
    const large = tooLong('request_too_large')
    const run = await playLoop([large, large, large, text('done')], { compact })
    expect([run.end.reason, asked, run.requests.at(-1)?.said]).toEqual(['completed', ['error', 'error'], 'short'])
    const dropped = run.events.filter((event) => event.type === 'system' && event.subtype === 'warning')
    expect(dropped).toHaveLength(1)
  })
})

describe('a message of the user’s side', () => {
  it('joins the one before, since roles alternate', () => {
    const messages: Message[] = [said('do it')]
    joinMessage(messages, said('now'))
    expect(messages).toEqual([{ role: 'user', content: [...said('do it').content, ...said('now').content] }])
    joinMessage(messages, { role: 'assistant', content: [] })
    expect(messages).toHaveLength(1)
    messages.push({ role: 'assistant', content: [] })
    joinMessage(messages, said('more'))
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    const loop = { runner: { parentToolUseId: 'p' } } as unknown as Loop
    const content = [{ type: 'text', text: 'x' } as const]
    expect(userEvent(loop, content)).toEqual({
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id: 'p',
    })
  })
})
