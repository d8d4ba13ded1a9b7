import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { ExitReason } from '../../src/contracts/errors.ts'
import type { RunEvent } from '../../src/contracts/events.ts'
import { ModelError } from '../../src/contracts/model.ts'
import { answering, type LabAnswer, type LabOptions, playLoop, use } from '../helpers/runs/loopLab.ts'
import { readScenes } from '../helpers/scenes.ts'

type Told = Pick<LabOptions, 'turns' | 'compactAt' | 'stopHooks'> & {
  readonly finish?: number
  readonly stopHooks?: LabOptions['stopHooks'] | number
  readonly callHooks?: object
  readonly compact?: readonly (string | null)[]
  readonly agent?: true
  readonly steps?: readonly string[]
  readonly finished?: object
  readonly halt?: { readonly reason: ExitReason; readonly detail: string }
  /** Adds the kinds of blocks of the conversation. */
  readonly shape?: true
  /** Only the end is shown. */
  readonly end?: true
}

const ANSWER = /^(?:(\d+)x )?(.*?)(?: \((\w+)\))?(?: @(\d+))?$/
const CALL = /^([A-Z]\w*):(\w+)(?:=(.*))?$/

function answersOf(script: string): LabAnswer[] {
  return script.split(' / ').flatMap((answer) => {
    const [, times = '1', words = '', named, tokens] = ANSWER.exec(answer) ?? []
    const [, kind, reason, message = ''] = /^!(\w+) (\w+) (.*)$/.exec(words) ?? []
    const fails = kind && { fails: new ModelError(kind as 'overloaded', reason as 'api_unavailable', message) }
    const content = (words === '-' ? [] : words.split(' + ')).map((item) => {
      const [, name, id = '', text = id] = CALL.exec(item) ?? []
      return name === undefined ? ({ type: 'text', text: item === '_' ? ' \n' : item } as const) : use(id, name, text)
    })
    const usual = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn'
    const stop = named === 'null' ? null : (named ?? usual)
    const made = fails || { content, stop, ...(tokens !== undefined && { tokens: Number(tokens) }) }
    return Array<LabAnswer>(Number(times)).fill(made)
  })
}

function shown(event: RunEvent): string[] {
  if (event.type === 'system' && event.subtype === 'turn_discarded')
    return [`x ${event.message_id} (${event.blocks}) ${event.reason}`]
  if (event.type !== 'user') return []
  return event.message.content.flatMap((block) => {
    if (block.type !== 'tool_result') return []
    const outcome = event.tool_use_result?.find(({ tool_use_id }) => tool_use_id === block.tool_use_id)?.outcome
    return [`${block.tool_use_id} ${outcome}${block.is_error ? '!' : ''}: ${block.content}`]
  })
}

async function play(script: string, told: Told): Promise<string[]> {
  const { stopHooks, compact, callHooks, steps, halt, finished, turns = 100, compactAt = 1e9 } = told
  const log: string[] = []
  const waiting = [...(compact ?? [])]
  let wishes = told.finish ?? 0
  const back = { decision: 'deny', reason: 'go on' } as const
  const run = await playLoop(answersOf(script), {
    ...{ turns, compactAt },
    ...(callHooks && answering(callHooks)),
    ...(stopHooks !== undefined && {
      stopHooks: typeof stopHooks === 'number' ? Array(stopHooks).fill(back) : stopHooks,
    }),
    ...(told.agent && { agent: { id: 'a1', type: 'helper' } }),
    mustFinish: () => (wishes-- > 0 ? 'Call Finish.' : undefined),
    openSteps: () => steps ?? [],
    halted: () => halt,
    ...(finished && { finished: () => finished as never }),
    ...(compact && {
      // biome-ignore lint/correctness/useYield: it says nothing on the way
      async *compact(trigger): ReturnType<NonNullable<LabOptions['compact']>> {
        log.push(`~ ${trigger}`)
        const text = waiting.shift()
        return typeof text === 'string' ? [{ role: 'user', content: [{ type: 'text', text }] }] : undefined
      },
    }),
    onRequest: ({ said, maxTokens }) =>
      log.push(`${maxTokens === 8_000 ? '' : maxTokens}> ${said.replace(/^tool_result$/, '')}`.trim()),
    onEvent: (event) => log.push(...shown(event)),
  })
  const { reason, detail, result, stopReason } = run.end
  const asked = run.asked as { isActive: boolean; lastMessage: string; agent?: { id: string; type: string } }[]
  const isUsual = stopReason === 'end_turn' || (stopReason === 'tool_use' && reason === 'api_unavailable')
  const end = `${reason}${isUsual ? '' : ` (${stopReason})`}: ${detail} | ${result}`.trim()
  if (told.end === true) return [end]
  const shape = run.messages.map(({ role, content }) => `${role} ${content.map(({ type }) => type).join(' ')}`)
  return [
    ...log.slice(log[0]?.startsWith('> do it') ? 1 : 0),
    end,
    ...asked.map(
      ({ isActive, lastMessage, agent }) =>
        `? ${isActive ? 'again ' : ''}${lastMessage}${agent ? ` of ${agent.type} ${agent.id}` : ''}`,
    ),
    ...(told.shape ? [shape.join('; ')] : []),
  ]
}

describe.each(readScenes(join(import.meta.dirname, 'loopScenes.txt')))('%s', (_, scenes) => {
  it.each(scenes)('%s', async (_title, lines) => {
    const [first = '', ...steps] = lines.join(' => ').split(/ => (?!\/)/)
    const [script = '', options = ''] = first.replaceAll(' => / ', ' / ').split(' || ')
    const expected = steps.map((step) => step.replaceAll('\\n', '\n'))
    const seen = await play(script, parse(`{${options}}`) ?? {})
    // Why a call was denied is told elsewhere.
    expect(seen.map((step) => step.replace(/(denied!: Ban: ).*/s, '$1.*'))).toEqual(expected)
  })
})
