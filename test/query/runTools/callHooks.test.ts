import { describe, expect, it } from 'vitest'
import type { Decision } from '../../../src/contracts/decision.ts'
import { eventOf, playCall, use } from '../../helpers/runs/callLab.ts'

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

  it.each(['preToolUse', 'permissionRequest'] as const)(
    '%s may replace the input, which is parsed, validated and decided anew',
    async (hook) => {
      const edited = (updatedInput: Record<string, unknown>, name = hook === 'preToolUse' ? 'TaskCreate' : 'Skill') =>
        playCall(use(name), {
          hooks: { [hook]: { updatedInput, ...(hook === 'permissionRequest' && { decision: 'allow' }) } },
          tool: {
            validateInput: ({ text }: { text: string }) =>
              text === 'bad' ? { result: false, message: 'bad is refused', errorCode: 1 } : { result: true },
          },
        })
      expect((await edited({ text: 'better' })).block.content).toBe('better')
      expect((await edited({})).block.content).toMatch(/^A hook edited the input\. The input of \w+ does not fit/)
      expect((await edited({ text: 'a', all: 1 })).block.content).toMatch(
        /^A hook edited the input\. Not run: \w+ has no field all\. Its fields: text\./,
      )
      expect((await edited({ text: 'bad' })).block.content).toBe('A hook edited the input. bad is refused')
      expect((await edited({ text: 'a' }, 'WebSearch')).outcome.outcome).toBe('denied')
    },
  )
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
