import { describe, expect, it } from 'vitest'
import { RunError } from '../../src/contracts/errors.ts'
import { joinMessage, type Message } from '../../src/contracts/messages.ts'
import { ModelError } from '../../src/contracts/model.ts'
import { type Loop, newLoopState, userEvent } from '../../src/query/Loop.ts'
import { contextTokens, ensureContextFits, measure } from '../../src/query/shorten.ts'
import { type LabAnswer, playLoop, text, use } from '../helpers/runs/loopLab.ts'

const calls = (...content: Extract<LabAnswer, { content: unknown }>['content']): LabAnswer => ({
  content,
  stop: 'tool_use',
})
const said = (words: string): Message => ({ role: 'user', content: [{ type: 'text', text: words }] })
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
const tooLarge = (kind: 'context_too_long' | 'request_too_large'): LabAnswer => ({
  fails: new ModelError(kind, 'context_exhausted', 'too long', { status: 400 }),
})
const agent = { id: 'a1', type: 'helper' } as unknown as NonNullable<Loop['agent']>

describe('the end of a turn', () => {
  /** Asks for Finish so many times. */
  const wanting = (times: number) => {
    let left = times
    return () => (left-- > 0 ? 'Call Finish.' : undefined)
  }

  it.each([
    ['calls were denied, and it was asked for Finish', true, 1, undefined, 'blocked'],
    ['nothing was denied', false, 1, undefined, 'completed'],
    ['it was not asked', true, 0, undefined, 'completed'],
    ['it is a sub-agent', true, 1, agent, 'completed'],
  ] as const)('%s', async (_, isDenied, asked, own, reason) => {
    const { end } = await playLoop(
      [calls(use('a', isDenied ? 'Ban' : 'Look')), text('one'), text('two')].slice(0, 2 + asked),
      {
        ...{ mustFinish: wanting(asked), agent: own },
      },
    )
    expect(end).toMatchObject({
      reason,
      detail:
        reason === 'blocked'
          ? 'Calls were denied, and the agent did not say whether the task is done.'
          : 'The agent ended its turn.',
    })
  })

  it.each([
    [true, 'blocked', 'Calls were denied, and the agent did not call Finish.'],
    [false, 'task_failed', 'The agent did not call Finish, which the policy or the output schema requires.'],
  ] as const)('without Finish, where calls were denied: %s', async (isDenied, reason, detail) => {
    const answers = [calls(use('a', isDenied ? 'Ban' : 'Look')), text('one'), text('two'), text('three')]
    expect((await playLoop(answers, { mustFinish: wanting(9) })).end).toMatchObject({ reason, detail })
  })

  it('with open steps comes after the agent has heard of them, once', async () => {
    const { end, requests } = await playLoop([text('one'), text('two')], { openSteps: () => ['look', 'mend'] })
    expect(end).toMatchObject({ reason: 'completed', detail: 'The agent ended its turn; 2 of its steps are open.' })
    expect(requests.map(({ said }) => said)).toEqual([
      'do it',
      'Steps of your list are open: look; mend. Continue with them, or say why you do not.',
    ])
  })

  it('with an output that does not fit its schema has that as its end, and the output', async () => {
    const finished = () => ({ status: 'completed', summary: 's', output: { a: 1 }, schemaProblem: 'no b' }) as const
    const { end } = await playLoop([calls(use('a', 'Look'))], { finished })
    expect(end).toMatchObject({
      reason: 'schema_failed',
      detail: 'The agent could not repair its output: no b',
      output: { a: 1 },
      result: 's',
    })
  })

  it('an answer of blanks is an empty one', async () => {
    const { end, requests } = await playLoop([text(' \n'), text('\t')])
    expect([end.reason, end.result, requests.length]).toEqual(['empty_answer', '', 2])
  })
})

describe('Stop hooks', () => {
  const deny = { decision: 'deny', reason: 'go on' } as const

  it('may send the agent back eight times, and then let it end', async () => {
    const answers = Array.from({ length: 10 }, () => text('done'))
    const run = await playLoop(answers, { stopHooks: [...Array(8).fill(deny), {}] })
    expect([run.end.reason, run.requests.length]).toEqual(['completed', 9])
    const more = await playLoop(answers, { stopHooks: Array(9).fill(deny) })
    expect([more.end.reason, more.requests.length]).toEqual(['stop_hook_loop', 9])
  })

  it('are asked about a sub-agent by its name, and about the run without one', async () => {
    const own = await playLoop([text('done')], { stopHooks: [{}], agent })
    expect(own.asked).toStrictEqual([{ isActive: false, lastMessage: 'done', agent }])
    const main = await playLoop([text('done')], { stopHooks: [{}] })
    expect(main.asked).toStrictEqual([{ isActive: false, lastMessage: 'done' }])
  })

  it('that end together with the run leave it its own reason', async () => {
    const ended = new AbortController()
    const late = {
      get decision() {
        ended.abort(new RunError('deadline', 'The time is over.'))
        return 'deny' as const
      },
    }
    const run = await playLoop([text('done')], { stopHooks: [late], signal: ended.signal })
    expect(run.end).toMatchObject({ reason: 'deadline', detail: 'The time is over.' })
  })
})

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
    const asked: string[] = []
    // biome-ignore lint/correctness/useYield: it says nothing on the way
    const compact: Loop['compact'] = async function* (trigger) {
      asked.push(trigger)
      return undefined
    }
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
    // biome-ignore lint/correctness/useYield: it says nothing on the way
    const compact: Loop['compact'] = async function* () {
      return [{ role: 'user', content: [image, { type: 'text', text: 'short' }] } as unknown as Message]
    }
    const answers = [calls(use('a', 'Look')), tooLarge('context_too_long'), calls(use('b', 'Look'))]
    const run = await playLoop([...answers, tooLarge('request_too_large'), text('done')], { state, frame, compact })
    expect([run.end.reason, seen]).toEqual(['completed', [0, 15, 0, 15, 15]])
  })

  it('images are dropped once before an answer comes, then the conversation is shortened', async () => {
    const asked: string[] = []
    const heavy = { role: 'user', content: [image, image, image, image, { type: 'text', text: 'see' }] }
    const waiting = [heavy as unknown as Message, said('short')]
    // biome-ignore lint/correctness/useYield: it says nothing on the way
    const compact: Loop['compact'] = async function* (trigger) {
      asked.push(trigger)
      const next = waiting.shift()
      return next && [next]
    }
    const large = tooLarge('request_too_large')
    const answers = [large, large, large, text('done')]
    const run = await playLoop(answers, { compact })
    expect([run.end.reason, asked, run.requests.at(-1)?.said]).toEqual(['completed', ['error', 'error'], 'short'])
    const dropped = run.events.filter((event) => event.type === 'system' && event.subtype === 'warning')
    expect(dropped).toHaveLength(1)
  })

  it('may be made again and again, where each time an answer came', async () => {
    // biome-ignore lint/correctness/useYield: it says nothing on the way
    const compact: Loop['compact'] = async function* () {
      return [said('short')]
    }
    const long = tooLarge('context_too_long')
    const answers = ['a', 'b', 'c', 'd'].flatMap((id) => [long, calls(use(id, 'Look', `${id} of many`))])
    expect((await playLoop([...answers, text('done')], { compact })).end.reason).toBe('completed')
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

describe('a run that is told to end', () => {
  it('before it begins sends nothing', async () => {
    const ended = new AbortController()
    ended.abort(new RunError('deadline', 'The time is over.'))
    const run = await playLoop([text('done')], { signal: ended.signal })
    expect([run.end.reason, run.end.result, run.requests]).toEqual(['deadline', '', []])
  })

  it('while it is shortened sends nothing more', async () => {
    const ended = new AbortController()
    // biome-ignore lint/correctness/useYield: it says nothing on the way
    const compact: Loop['compact'] = async function* () {
      ended.abort(new RunError('deadline', 'The time is over.'))
      return undefined
    }
    const first = { content: [use('a', 'Look')], stop: 'tool_use', tokens: 5_000 }
    const run = await playLoop([first, text('done')], { compact, compactAt: 1_000, signal: ended.signal })
    expect([run.end.reason, run.requests.length]).toEqual(['deadline', 1])
  })

  it('ends its agents in the background for its reason, or as a defect', async () => {
    const reasons: string[] = []
    const background = {
      ...{ take: () => [], settled: async () => undefined, running: () => [], start: () => undefined },
      end: async (reason: string) => void reasons.push(reason),
    } as unknown as NonNullable<Loop['background']>
    await playLoop([text('done')], { background })
    await expect(playLoop([{ fails: new TypeError('a defect') }], { background })).rejects.toThrow('a defect')
    expect(reasons).toEqual(['completed', 'internal'])
  })
})
