import { describe, expect, it } from 'vitest'
import type { Decision } from '../../src/contracts/decision.ts'
import { RunError } from '../../src/contracts/errors.ts'
import type { RunEvent } from '../../src/contracts/events.ts'
import type { CallContext } from '../../src/runTools.ts'
import { type CallLabOptions, playCall, use } from '../helpers/runs/callLab.ts'
import { createToolContext } from '../helpers/tools/toolContext.ts'

const told = async (name: string, input?: unknown, options?: CallLabOptions) => {
  const { block, outcome, order, counted } = await playCall(use(name, input), options)
  return { text: block.content, isError: block.is_error, outcome: outcome.outcome, order, counted }
}
const eventOf = (events: readonly RunEvent[], subtype: string) =>
  events.find((event) => event.type === 'system' && event.subtype === subtype)

const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'secret' } } as const

describe('a call that a rule allows', () => {
  it('is decided, then announced, then made, and has one result', async () => {
    const run = await playCall(use('TaskCreate'))
    expect(run.order).toEqual(['permission_decision', 'tool_intent', 'call'])
    expect(run.counted).toEqual(['allow', 'call TaskCreate'])
    expect(run.block).toEqual({ type: 'tool_result', tool_use_id: 'u1', content: 'x' })
    expect(run.outcome).toEqual({
      ...{ tool_use_id: 'u1', tool_name: 'TaskCreate', outcome: 'ok' },
      duration_ms: expect.toSatisfy((value: number) => value >= 0 && value < 60_000),
    })
    expect(run).toMatchObject({ additionalContext: [] })
    expect(run.stop).toBeUndefined()
  })

  it('is recorded with its rule, its input and what it will do', async () => {
    const tool = {
      userFacingName: () => 'A note',
      getPath: () => 'a.md',
      activity: () => 'Noting',
      isDestructive: () => true,
      observableInput: () => ({ seen: true }),
    }
    const { events } = await playCall(use('TaskCreate'), { tool, runner: { parentToolUseId: 'p1' } })
    expect(events).toEqual([
      {
        ...{ type: 'system', subtype: 'permission_decision', tool_use_id: 'u1', tool_name: 'TaskCreate' },
        ...{ decision: 'allow', behavior: 'allow', policy_sha256: 'sha', parent_tool_use_id: 'p1' },
        reason: { type: 'rule', rule: expect.objectContaining({ list: 'allow', text: 'TaskCreate' }) },
      },
      {
        ...{
          type: 'system',
          subtype: 'tool_intent',
          tool_use_id: 'u1',
          tool_name: 'TaskCreate',
          tool_input: { seen: true },
        },
        ...{ is_read_only: false, activity: 'Noting', title: 'A note', path: 'a.md', is_destructive: true },
        parent_tool_use_id: 'p1',
      },
    ])
    const plain = eventOf((await playCall(use('TaskList'))).events, 'tool_intent')
    expect(plain).toMatchObject({ is_read_only: true })
    for (const field of ['title', 'path', 'is_destructive', 'canonical']) expect(plain).not.toHaveProperty(field)
  })

  it('is not made where the run ends between its record and its start', async () => {
    const run = await playCall(use('TaskCreate'), {
      onEvent: (event, stop) => event.type === 'system' && event.subtype === 'tool_intent' && stop.abort(),
    })
    expect([run.outcome.outcome, run.block.content]).toEqual(['aborted', 'Not run: the run is ending.'])
    expect([run.order, run.counted]).toEqual([['permission_decision', 'tool_intent'], ['allow']])
  })

  it('that fails is an error for the model; one that a person must mend ends the run', async () => {
    const fails = (error: unknown) => ({
      call: () => {
        throw error
      },
    })
    expect(await told('TaskCreate', undefined, fails(new Error('no such thing')))).toMatchObject({
      ...{ text: 'no such thing', isError: true, outcome: 'error' },
    })
    expect(await told('TaskCreate', undefined, fails(new Error(' ')))).toMatchObject({
      text: 'Failed without a message.',
    })
    await expect(playCall(use('TaskCreate'), fails(new RunError('io_error', 'full')))).rejects.toThrow('full')
  })

  it('that fails because the run ends was aborted; one that ended well before was not', async () => {
    const stopsAndEnds = (text: string, stop: AbortController) => {
      stop.abort()
      return text
    }
    expect(await told('TaskCreate', undefined, { call: stopsAndEnds })).toMatchObject({
      ...{ outcome: 'ok', text: 'x' },
    })
    const error = { mapResult: () => ({ content: 'half', isError: true }) }
    expect(await told('TaskCreate', undefined, { call: stopsAndEnds, tool: error })).toMatchObject({ outcome: 'error' })
    const failing = (_: string, stop: AbortController) => {
      stop.abort()
      throw new Error('cut')
    }
    expect(await told('TaskCreate', undefined, { call: failing })).toMatchObject({ outcome: 'aborted', text: 'cut' })
  })

  it('without output says so; its result keeps images, loaded tools and its own way of showing itself', async () => {
    expect(await told('TaskCreate', { text: '' })).toMatchObject({ text: '(no output)', outcome: 'ok' })
    const rich = await playCall(use('TaskCreate'), {
      tool: {
        mapResult: () => ({ content: [{ type: 'text', text: 'a secret' }, IMAGE], references: ['Read'] }),
        renderResult: (data: unknown, input: unknown) => `shown: ${data} ${JSON.stringify(input)}`,
      },
    })
    expect(rich.block).toMatchObject({ content: [{ type: 'text', text: 'a [R]' }, IMAGE], references: ['Read'] })
    expect(rich.outcome.rendering).toBe('shown: x {"text":"x"}')
  })

  it('too long for the conversation is kept whole in a file, without secrets, and cut for the model', async () => {
    const kept: string[] = []
    const blobs = { put: (text: string) => `blob${kept.push(text)}` }
    const long = `start secret ${'.'.repeat(9_000)} end`
    const run = await playCall(use('TaskCreate', { text: long }), {
      runner: { blobs: blobs as never, maxResultCharacters: 5_000 },
    })
    expect(run.outcome.blob).toBe('blob1')
    expect(kept).toEqual([long.replace('secret', '[R]')])
    const text = run.block.content as string
    expect(text).toMatch(/^start \[R\] \.+\n\n… \d+ characters left out; the full text is in blob1: .*\n\n\.+ end$/)
    const [, left = ''] = /… (\d+) characters/.exec(text) ?? []
    const [head = '', , tail = ''] = text.split('\n\n')
    expect(head.length + Number(left) + tail.length).toBe(kept[0]?.length)
    const least = { runner: { blobs: blobs as never, maxResultCharacters: 5_000 } }
    for (const [most, isCut] of [
      [3, true],
      [4, false],
      [Number.POSITIVE_INFINITY, false],
    ] as const) {
      const one = await playCall(use('TaskCreate', { text: 'abcd' }), { ...least, tool: { maxResultSizeChars: most } })
      expect(one.outcome.blob !== undefined).toBe(isCut)
    }
    const blocks = [{ type: 'text', text: long }, { type: 'text', text: 'abcd' }, IMAGE] as const
    const rich = await playCall(use('TaskCreate'), { ...least, tool: { mapResult: () => ({ content: blocks }) } })
    const [cut, ...whole] = rich.block.content as readonly { readonly text?: string }[]
    expect(cut).toEqual({ type: 'text', text: expect.stringMatching(/^start \[R\] [\s\S]* end$/) })
    expect(cut?.text?.length).toBeLessThan(5_000)
    expect([rich.outcome.blob !== undefined, whole]).toEqual([true, blocks.slice(1)])
    const own = await playCall(use('TaskCreate', { text: long }), {
      ...least,
      tool: { maxResultSizeChars: Number.POSITIVE_INFINITY },
    })
    expect(own.outcome.blob).toBeUndefined()
  })
})

describe('what a tool is given', () => {
  it('is the call as it was judged; while its input is validated, only its name and its end', async () => {
    const given: Record<string, unknown>[] = []
    const context = createToolContext()
    await playCall(use('TaskCreate'), {
      runner: {
        context: (call) => {
          given.push({ ...call })
          return context
        },
      },
    })
    expect(given).toEqual([
      {
        ...{ toolUseId: 'u1', decision: undefined, canonical: undefined, subjects: [] },
        ...{ signal: expect.any(AbortSignal), onEffects: expect.any(Function), send: expect.any(Function) },
      },
      {
        ...{ toolUseId: 'u1', decision: expect.objectContaining({ behavior: 'allow' }), canonical: undefined },
        subjects: [expect.objectContaining({ kind: 'name', tool: 'TaskCreate' })],
        ...{ signal: expect.any(AbortSignal), onEffects: expect.any(Function), send: expect.any(Function) },
      },
    ])
  })

  it('lets it send events and progress, each before it goes on, and report changes', async () => {
    const warning = { type: 'system', subtype: 'warning', code: 'x', message: 'y' } as never
    const report = { state: 'enforced', kept: [{ path: '/a', kind: 'created' }], scratch: {}, leftOut: [], undone: [] }
    const context = createToolContext()
    let call: CallContext | undefined
    const run = await playCall(use('TaskCreate'), {
      runner: {
        context: (own) => {
          call = own
          return context
        },
      },
      tool: {
        async *call() {
          await call?.send(warning)
          yield { type: 'progress', text: 'half' }
          call?.onEffects(report as never)
          yield { type: 'result', data: 'x' }
        },
      },
    })
    const order = ['permission_decision', 'tool_intent', 'warning', 'tool_progress', 'effects']
    expect(run.order).toEqual(order)
    expect(eventOf(run.events, 'tool_progress')).toEqual({
      ...{ type: 'system', subtype: 'tool_progress', tool_name: 'TaskCreate', text: 'half', parent_tool_use_id: null },
      tool_use_id: context.toolUseId,
    })
    expect(eventOf(run.events, 'effects')).toMatchObject({ kept: [{ path: 'a', kind: 'created' }] })
  })

  it('and what it gives back: a tool that ends without a result has failed', async () => {
    const silent = {
      async *call() {
        yield* []
      },
    }
    expect(await told('TaskCreate', undefined, { tool: silent as never })).toMatchObject({
      ...{ text: 'TaskCreate ended without a result.', outcome: 'error' },
    })
  })
})

describe('a call that is not made', () => {
  it('because the run is ending, a limit is reached or its input cannot be read', async () => {
    const ended = { runner: { signal: AbortSignal.abort() } }
    expect(await told('TaskCreate', undefined, ended)).toMatchObject({
      ...{ text: 'Not run: the run is ending.', outcome: 'aborted', order: [] },
    })
    expect(await told('TaskCreate', undefined, { runner: { takeToolCall: () => 'that were 10 calls' } })).toMatchObject(
      {
        ...{ text: 'Not run: that were 10 calls', outcome: 'aborted', isError: true, order: [] },
      },
    )
    expect(await told('TaskCreate', undefined, { unreadable: 'not JSON: secret' })).toMatchObject({
      ...{ text: 'not JSON: [R]', outcome: 'invalid', isError: true, order: [] },
    })
  })

  it('because there is no such tool: the closest one is named, else all', async () => {
    expect(await told('TaskCreat')).toMatchObject({
      ...{ text: 'There is no tool "TaskCreat". Did you mean TaskCreate?', outcome: 'invalid', order: [] },
    })
    expect((await told('Whatever')).text).toBe(
      'There is no tool "Whatever". Tools: TaskCreate, TaskList, WebSearch, Skill.',
    )
    expect((await told('x'.repeat(90))).text).toContain(`"${'x'.repeat(80)}".`)
    expect((await told('CronList')).text).toMatch(/^There is no CronList in an unattended run: /)
    const search = { runner: { tools: () => [{ name: 'ToolSearch' }] as never } }
    expect((await told('Whatever', undefined, search)).text).toMatch(/Tools: ToolSearch\. ToolSearch loads more\.$/)
    const none = { runner: { tools: () => [] } }
    expect((await told('Whatever', undefined, none)).text).toMatch(/There are none here: answer in words\.$/)
  })

  it('because its input does not fit: the schema is loaded if the model did not have it', async () => {
    expect(await told('TaskCreate', { text: 7 })).toMatchObject({ text: '7', outcome: 'ok' })
    const bad = await told('TaskCreate', {})
    expect(bad).toMatchObject({ text: 'The input of TaskCreate does not fit:\n- text: is missing', outcome: 'invalid' })
    const loaded: RunEvent = { type: 'system', subtype: 'warning', code: 'tool_loaded', message: 'TaskCreate' } as never
    const late = await told('TaskCreate', {}, { runner: { load: () => loaded } })
    expect(late.order).toEqual(['warning'])
    expect(late.text).toBe(`${bad.text}\nIts schema was not loaded. It is now: read it, then call the tool again.`)
  })

  it('because its input is no object, or has many faults: eight of them are told, and the fields there are', async () => {
    for (const input of [null, [1], 'x'])
      expect((await told('TaskCreate', input)).text).toBe('The input is not an object.')
    const { text } = await told('TaskCreate', { a: 1, b: 2 })
    expect(text).toBe('The input of TaskCreate does not fit:\n- text: is missing\n- unknown: a, b. Its fields: text')
  })

  it('because it has unknown fields, unless it only reads: then it is told what was ignored', async () => {
    const two = { text: 'x', force: true, all: true }
    expect(await told('TaskCreate', two)).toMatchObject({
      text: 'Not run: TaskCreate has no fields force, all. Its fields: text. Send the call again without unknown fields.',
      ...{ outcome: 'invalid', isError: true, order: ['warning'] },
    })
    expect((await told('TaskCreate', { text: 'x', force: true })).text).toMatch(
      /^Not run: TaskCreate has no field force\. /,
    )
    expect(await told('TaskList', two)).toMatchObject({
      ...{ text: 'x\n(Ignored: TaskList has no field force, all.)', outcome: 'ok' },
      order: ['warning', 'permission_decision', 'tool_intent', 'call'],
    })
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`f${at}`, at]))
    const ten = 'f0, f1, f2, f3, f4, f5, f6, f7, f8, f9'
    expect((await told('TaskCreate', { text: 'x', ...many })).text).toContain(`has no fields ${ten}. `)
    const looked = await playCall(use('TaskList', { text: 'x', ...many }))
    expect(looked.block.content).toBe(`x\n(Ignored: TaskList has no field ${ten}.)`)
    expect(looked.events[0]).toEqual({
      ...{ type: 'system', subtype: 'warning', code: 'unknown_fields' },
      message: `TaskList: unknown fields in the model's input: ${ten}`,
    })
    const blocks = { mapResult: () => ({ content: [{ type: 'text', text: 'a' } as const] }) }
    expect((await told('TaskList', two, { tool: blocks })).text).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: '(Ignored: TaskList has no field force, all.)' },
    ])
  })

  it('because the tool finds its input wrong: the record has its code', async () => {
    const run = await playCall(use('TaskCreate'), {
      tool: { validateInput: () => ({ result: false, message: 'too early', errorCode: 7, meta: { at: 1 } }) },
    })
    expect([run.block.content, run.order]).toEqual(['too early', []])
    expect(run.outcome).toMatchObject({ outcome: 'invalid', error_code: 7, error_meta: { at: 1 } })
  })

  it('because a rule denies it: the record says which, and where', async () => {
    const run = await playCall(use('WebSearch'), { runner: { agent: { id: 'a1', type: 'general-purpose' } } })
    expect(run.order).toEqual(['permission_decision', 'permission_denied'])
    expect(run.counted).toEqual(['deny'])
    expect(run.outcome.outcome).toBe('denied')
    expect(eventOf(run.events, 'permission_denied')).toEqual({
      ...{ type: 'system', subtype: 'permission_denied', tool_name: 'WebSearch', tool_use_id: 'u1' },
      ...{ tool_input: { text: 'x' }, agent_id: 'a1', decision_reason_type: 'rule', rule: 'WebSearch', line: 0 },
      ...{ decision_reason: 'deny rule WebSearch (--disallowedTools)', source: '--disallowedTools', suggestion: null },
      ...{ message: run.block.content, parent_tool_use_id: null },
    })
  })

  it('because no rule covers it: the record has the rule to add', async () => {
    const run = await playCall(use('Skill'))
    expect(eventOf(run.events, 'permission_denied')).toMatchObject({
      ...{
        decision_reason_type: 'headless',
        rule: null,
        source: null,
        line: null,
        suggestion: 'Skill',
        agent_id: null,
      },
    })
    expect(eventOf(run.events, 'permission_decision')).not.toHaveProperty('suggestion')
  })
})

describe('hooks around a call', () => {
  const text = { additionalContext: ['a word'] }

  it('are asked before, and told the result after: their words follow it', async () => {
    const run = await playCall(use('TaskCreate'), {
      hooks: {
        preToolUse: { additionalContext: ['before'] },
        postToolUse: { decision: 'deny', reason: 'lint', ...text },
      },
    })
    expect(run.asked).toEqual([['preToolUse'], ['postToolUse', 'x']])
    expect(run.additionalContext).toEqual(['before', 'a word', 'A hook says about this call: lint'])
  })

  it('are told of a failure, whether the tool threw or says so', async () => {
    const hooks = { postToolUseFailure: text }
    const threw = await playCall(use('TaskCreate'), {
      hooks,
      call: () => {
        throw new Error('broken')
      },
    })
    expect(threw.asked.at(-1)).toEqual(['postToolUseFailure', 'broken'])
    expect(threw.additionalContext).toEqual(['a word'])
    const said = (content: unknown) =>
      playCall(use('TaskCreate'), { hooks, tool: { mapResult: () => ({ content, isError: true }) as never } })
    expect((await said('exit 1')).asked.at(-1)).toEqual(['postToolUseFailure', 'exit 1'])
    expect((await said([{ type: 'text', text: 'exit 1' }])).asked.at(-1)).toEqual([
      ...['postToolUseFailure', 'The tool reported an error.'],
    ])
  })

  it('are told of a denial, and that a person would have been asked', async () => {
    const told = { hooks: { permissionDenied: { ...text, stop: 'enough' } } }
    const banned = await playCall(use('WebSearch'), told)
    expect(banned.asked).toEqual([['preToolUse'], ['permissionDenied', banned.block.content]])
    expect(banned).toMatchObject({ additionalContext: ['a word'], stop: 'enough' })
    const asked = await playCall(use('Skill'), { hooks: { notification: { stop: 'nobody is there' } } })
    expect(asked.asked.at(-1)).toEqual([
      ...['notification', 'permission_prompt', `Permission to use Skill was needed. ${asked.block.content}`],
    ])
    expect(asked.stop).toBe('nobody is there')
  })

  it('are told of an open question only: no rule covers the call, or it cannot be judged', async () => {
    const names = async (name: string, permission?: object) => {
      const run = await playCall(use(name), {
        hooks: {},
        runner: { agent: { id: 'a1', type: 'general-purpose' } },
        ...(permission === undefined ? {} : { tool: permission }),
      })
      return run.asked.map(([hook]) => hook)
    }
    const opaque = { subjects: () => [{ kind: 'opaque', reason: { code: 'stated', text: 'it is odd' } }] }
    expect(await names('Skill', opaque)).toContain('notification')
    expect(await names('Skill')).toContain('notification')
    expect(await names('WebSearch')).not.toContain('notification')
  })

  it('may end the run before the call and after it; the first word counts', async () => {
    const before = await playCall(use('TaskCreate'), {
      hooks: { preToolUse: { stop: 'first' }, postToolUse: { stop: 'last' } },
    })
    expect(before.stop).toBe('first')
    expect((await playCall(use('TaskCreate'), { hooks: { postToolUse: { stop: 'last' } } })).stop).toBe('last')
  })

  it('may replace the input, which is parsed, validated and decided anew', async () => {
    const edited = (updatedInput: Record<string, unknown>, name = 'TaskCreate') =>
      playCall(use(name), {
        hooks: { preToolUse: { updatedInput } },
        tool: {
          validateInput: ({ text }: { text: string }) =>
            text === 'bad' ? { result: false, message: 'bad is refused', errorCode: 1 } : { result: true },
        },
      })
    expect((await edited({ text: 'better' })).block.content).toBe('better')
    expect((await edited({})).block.content).toMatch(/^A hook edited the input\. The input of TaskCreate does not fit/)
    expect((await edited({ text: 'a', all: 1 })).block.content).toMatch(
      /^A hook edited the input\. Not run: TaskCreate has no/,
    )
    expect((await edited({ text: 'bad' })).block.content).toBe('A hook edited the input. bad is refused')
    expect((await edited({ text: 'a' }, 'WebSearch')).outcome.outcome).toBe('denied')
  })
})

describe('changes of a command', () => {
  const report = { state: 'enforced', kept: [], scratch: {}, leftOut: [], undone: [], unknown: 'it was cut' } as never
  const refusal = { behavior: 'deny', message: 'not kept: a', reason: { type: 'effect', path: 'a', detail: 'no' } }
  const refused = (of?: string) => ({
    look: async () => [{ ...(report as object), ...(of === undefined ? {} : { of }) } as never],
    refusalOf: () => refusal as unknown as Decision,
  })

  it('that were refused count as a denial of the call that had them, which keeps its result', async () => {
    const run = await playCall(use('TaskCreate'), {
      runner: refused(),
      hooks: { permissionDenied: { additionalContext: ['see the policy'], stop: 'no more' } },
    })
    expect(run.order).toEqual(['permission_decision', 'tool_intent', 'call', 'effects', 'permission_denied'])
    expect(run.counted).toEqual(['allow', 'call TaskCreate', 'deny'])
    expect(eventOf(run.events, 'permission_denied')).toMatchObject({
      ...{ message: 'not kept: a', decision_reason: 'a: no', decision_reason_type: 'effect' },
    })
    expect(run.asked).toContainEqual(['permissionDenied', 'not kept: a'])
    expect(run).toMatchObject({ additionalContext: ['see the policy'], stop: 'no more', outcome: { outcome: 'ok' } })
  })

  it('of a program that outlived its call are told the model with the next result', async () => {
    expect((await playCall(use('TaskCreate'), { runner: refused('npm start') })).additionalContext).toEqual([
      'not kept: a',
    ])
  })

  it('that were kept are recorded, and deny nothing', async () => {
    const run = await playCall(use('TaskCreate'), { runner: { look: async () => [report] } })
    expect(run.order.slice(-1)).toEqual(['effects'])
    expect(run.counted).toEqual(['allow', 'call TaskCreate'])
  })
})
