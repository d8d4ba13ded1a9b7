import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { RunEvent } from '../../../src/contracts/events.ts'
import type { ToolUseBlock } from '../../../src/contracts/messages.ts'
import type { Hooks, HookVerdict } from '../../../src/hooks/Hooks.ts'
import { loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import { type CallResult, runTools, type ToolRunner } from '../../../src/query/runTools/runTools.ts'
import { buildTool } from '../../../src/Tool.ts'
import { createToolContext } from '../../helpers/tools/toolContext.ts'

const policy = await loadPolicy({ cwd: '/', home: '/root', flags: { allow: [], deny: [] } })
const SILENT: HookVerdict = { decision: 'none', reason: '', hook: 'h.sh', isFailure: false, additionalContext: [] }

/** A runner with one tool, `Note`, which keeps what it was called with; `secret` reads without needing a rule. */
function lab(request?: HookVerdict) {
  const called: string[] = []
  const stop = new AbortController()
  const note = (name: string, isFree: boolean) =>
    buildTool({
      name,
      isFree,
      inputSchema: () => z.strictObject({ text: z.string() }),
      description: () => 'notes',
      isReadOnly: () => isFree,
      isConcurrencySafe: () => isFree,
      validateInput: ({ text }) =>
        text === 'bad' ? { result: false, message: 'bad is refused', errorCode: 1 } : { result: true },
      async *call({ text }) {
        called.push(text)
        yield { type: 'result' as const, data: text }
      },
      mapResult: (data) => ({ content: data }),
    })
  const tools = [note('Note', false), note('Look', true)]
  const context = createToolContext()
  const hooks = {
    has: (event: string) => event === 'PermissionRequest' && request !== undefined,
    preToolUse: async () => SILENT,
    postToolUse: async () => SILENT,
    permissionDenied: async () => SILENT,
    notification: async () => SILENT,
    permissionRequest: async () => request,
  }
  const runner: ToolRunner = {
    tools: () => tools,
    maxResultCharacters: 30_000,
    find: (name) => tools.find((tool) => tool.name === name),
    context: () => context,
    permission: (signal) => ({
      policy,
      mode: 'default',
      subjects: context,
      isPlainEdit: () => false,
      hooks: hooks as unknown as Hooks,
      signal,
    }),
    hooks: hooks as unknown as Hooks,
    agent: undefined,
    parentToolUseId: null,
    policySha256: '',
    root: '/',
    look: async () => [],
    refusalOf: () => undefined,
    auditedEdits: () => [],
    takeToolCall: () => undefined,
    countDecision: () => undefined,
    noteCall: () => undefined,
    blobs: context.blobs,
    forModel: (text) => text,
    drain: () => [],
    signal: stop.signal,
  }
  return { runner, called, stop }
}

const use = (id: string, name: string, text: unknown = id): ToolUseBlock => ({
  type: 'tool_use',
  id,
  name,
  input: { text },
})

/** Reads a generator to its end; `onEvent` is called between two of its steps. */
async function drain<Result>(
  steps: AsyncGenerator<RunEvent, Result, undefined>,
  onEvent: (event: RunEvent) => void = () => undefined,
): Promise<Result> {
  let step = await steps.next()
  while (step.done !== true) {
    onEvent(step.value)
    step = await steps.next()
  }
  return step.value
}

const outcomes = (results: readonly CallResult[]) =>
  results.map(({ outcome }) => [outcome.tool_use_id, outcome.outcome])

describe('an input from a PermissionRequest hook', () => {
  const edit = (updatedInput: Record<string, unknown>): HookVerdict => ({ ...SILENT, decision: 'allow', updatedInput })

  it.each([
    ["by the tool's own check", { text: 'bad' }, 'A hook edited the input. bad is refused'],
    ['by the schema', { text: ['no'] }, 'A hook edited the input. The input of Note does not fit'],
  ])('is validated again %s', async (_, input, words) => {
    const { runner, called } = lab(edit(input))
    const results = await drain(runTools(runner).finish([use('a', 'Note', 'fine')]))
    expect(outcomes(results)).toEqual([['a', 'invalid']])
    expect(results[0]?.block.content).toContain(words)
    expect(called).toEqual([])
  })

  it('runs if it is valid', async () => {
    const { runner, called } = lab(edit({ text: 'other' }))
    expect(outcomes(await drain(runTools(runner).finish([use('a', 'Note')])))).toEqual([['a', 'ok']])
    expect(called).toEqual(['other'])
  })
})

it.each([
  ['TeamCreate', /^There is no TeamCreate in an unattended run: start agents with Agent and run_in_background/],
  ['Snip', /^There is no Snip in an unattended run: a conversation that fills its window is compacted/],
  ['Brief', /^There is no Brief in an unattended run: .* the summary of Finish\.$/],
  ['ScheduleWakeup', /^There is no ScheduleWakeup in an unattended run: Sleep waits/],
  ['WebBrowser', /^There is no WebBrowser in an unattended run: WebFetch reads a page/],
  ['Nope', /^There is no tool "Nope"\./],
])('a call of %s is answered with the tool to use instead', async (name, words) => {
  const { runner } = lab()
  const [result] = await drain(runTools(runner).finish([use('a', name)]))
  expect(result?.block.content).toMatch(words)
})

it("keeps the error code of a tool, and refuses a hook's input with unknown fields", async () => {
  const { runner } = lab()
  const [result] = await drain(runTools(runner).finish([use('a', 'Note', 'bad')]))
  expect(result?.outcome).toMatchObject({ outcome: 'invalid', error_code: 1 })
  const edited = lab({ ...SILENT, decision: 'allow', updatedInput: { text: 'x', cwd: 'y' } })
  const [refused] = await drain(runTools(edited.runner).finish([use('a', 'Note')]))
  expect(refused?.block.content).toMatch(
    /^A hook edited the input\. Not run: Note has no field cwd\. Its fields: text\./,
  )
  expect(edited.called).toEqual([])
})

it('runs nothing if the run ends while the intent is recorded', async () => {
  const { runner, called, stop } = lab({ ...SILENT, decision: 'allow' })
  const seen: string[] = []
  const results = await drain(runTools(runner).finish([use('a', 'Note')]), (event) => {
    if (event.type !== 'system') return
    seen.push(event.subtype)
    if (event.subtype === 'tool_intent') stop.abort(new Error('the end'))
  })
  expect(seen).toEqual(['permission_decision', 'tool_intent'])
  expect(outcomes(results)).toEqual([['a', 'aborted']])
  expect(called).toEqual([])
})

describe('calls that start before their message is complete', () => {
  it('run once, with results in the order of the calls', async () => {
    const { runner, called } = lab({ ...SILENT, decision: 'allow' })
    const batch = runTools(runner)
    const uses = [use('a', 'Look'), use('b', 'Look'), use('c', 'Note'), use('d', 'Look')]
    const early = uses.map((toolUse) => batch.startEarly(toolUse))
    expect(early.map((steps) => steps !== undefined)).toEqual([true, true, false, false])
    for (const steps of early) if (steps !== undefined) await drain(steps)
    expect(outcomes(batch.early())).toEqual([
      ['a', 'ok'],
      ['b', 'ok'],
    ])
    expect(outcomes(await drain(batch.finish(uses)))).toEqual(['a', 'b', 'c', 'd'].map((id) => [id, 'ok']))
    expect(called).toEqual(['a', 'b', 'c', 'd'])
  })

  it('are listed in the record of a broken message, finished or not', async () => {
    const { runner } = lab()
    const batch = runTools(runner)
    const first = batch.startEarly(use('a', 'Look'))
    batch.startEarly(use('b', 'Look'))
    if (first !== undefined) await drain(first)
    expect(batch.earlyOutcomes()).toMatchObject([
      { tool_use_id: 'a', outcome: 'ok' },
      { tool_use_id: 'b', outcome: 'aborted' },
    ])
  })

  it('stop at an unreadable call, which never runs', async () => {
    const { runner, called } = lab()
    const batch = runTools(runner)
    const uses = [use('a', 'Look'), use('b', 'Look')]
    expect([batch.startEarly(use('a', 'Look'), 'it is not JSON'), batch.startEarly(use('b', 'Look'))]).toEqual([
      undefined,
      undefined,
    ])
    expect(outcomes(await drain(batch.finish(uses)))).toEqual([
      ['a', 'invalid'],
      ['b', 'ok'],
    ])
    expect(called).toEqual(['b'])
  })
})
