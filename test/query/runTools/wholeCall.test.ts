import { describe, expect, it } from 'vitest'
import { RunError } from '../../../src/contracts/errors.ts'
import type { CallContext } from '../../../src/query/runTools/runTools.ts'
import { type CallLabOptions, eventOf, playCall, use } from '../../helpers/runs/callLab.ts'
import { createToolContext } from '../../helpers/tools/toolContext.ts'

const told = async (name: string, input?: unknown, options?: CallLabOptions) => {
  const { block, outcome, order, counted } = await playCall(use(name, input), options)
  return { text: block.content, isError: block.is_error, outcome: outcome.outcome, order, counted }
}

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
        type: 'system',
        subtype: 'tool_intent',
        tool_use_id: 'u1',
        tool_name: 'TaskCreate',
        tool_input: { seen: true },
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
    expect(text).toMatch(/^start \[R\] \.+\n\[… \d+ characters left out; the full text is in blob1: .* …\]\n\.+ end$/)
    const [, left = ''] = /… (\d+) characters/.exec(text) ?? []
    const [head = '', , tail = ''] = text.split('\n')
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
    expect((await told('WebFetch')).text).toBe(
      'WebFetch is not offered in this run: its policy or flags leave it out, or what it needs is missing. ' +
        'Tools: TaskCreate, TaskList, WebSearch, Skill.',
    )
    expect((await told('x'.repeat(90))).text).toContain(`"${'x'.repeat(80)}".`)
    const search = { runner: { tools: () => [{ name: 'ToolSearch' }] as never } }
    expect((await told('Whatever', undefined, search)).text).toMatch(/Tools: ToolSearch\. ToolSearch loads more\.$/)
    const none = { runner: { tools: () => [] } }
    expect((await told('Whatever', undefined, none)).text).toMatch(/There are none here: answer in words\.$/)
  })

  it.each([
    ['TeamCreate', /^start agents with Agent and run_in_background/],
    ['Snip', /^a conversation that fills its window is compacted/],
    ['Brief', /the summary of Finish\.$/],
    ['ScheduleWakeup', /^Sleep waits/],
    ['WebBrowser', /^WebFetch reads a page/],
    ['CronList', /^a run ends; schedule/],
  ])('because nobody is there for %s: it is told what to use instead', async (name, words) => {
    const [, instead] = String((await told(name)).text).split(`There is no ${name} in an unattended run: `)
    expect(instead).toMatch(words)
  })

  it('because its input does not fit: each fault is told', async () => {
    expect(await told('TaskCreate', { text: 7 })).toMatchObject({ text: '7', outcome: 'ok' })
    const bad = await told('TaskCreate', { a: 1, b: 2 })
    const faults = '- text: is missing\n- unknown: a, b. Its fields: text'
    expect(bad).toMatchObject({ text: `The input of TaskCreate does not fit:\n${faults}`, outcome: 'invalid' })
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
      decision_reason_type: 'headless',
      rule: null,
      source: null,
      line: null,
      suggestion: 'Skill',
      agent_id: null,
    })
    expect(eventOf(run.events, 'permission_decision')).not.toHaveProperty('suggestion')
  })
})
